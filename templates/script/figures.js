// ---- figures: values, files, frames ----

// A mark's text is its <title>, or data-t where the figure says it in words, too.
const MARK = "[data-t], svg :not(svg, defs *):has(> title)";
const wordsOf = (mark) => (mark.dataset.t ?? mark.querySelector("title").textContent).split("\n");

whenSeen(".stall[title]", (bar) => {
	bar.dataset.t = bar.title;
	bar.removeAttribute("title");
});

// Of lines with numbers and a text.
whenSeen("[data-marks]", (group) => {
	for (const [, x, y, width, height, text] of group.dataset.marks.matchAll(/(\S+) (\S+) (\S+) (\S+) (.*)/g))
		shape(group, "rect", { x, y, width, height, "data-t": text });
});

// While the box is there, the browser's own for a title stays away.
let silent = [];

function silence(elements) {
	silent.forEach(([title, text]) => { title.textContent = text; });
	silent = elements.flatMap((element) => element ? all(":scope > title", element) : []).map((title) => [title, title.textContent]);
	silent.forEach(([title]) => { title.textContent = ""; });
}

listen("pointerover", (e) => {
	silence([]);
	const mark = e.target.closest(MARK);
	if (mark)
		tell(wordsOf(mark), e.clientX, e.clientY);
	silence([mark, e.target.closest("svg[role]")]);
});
listen("pointerout", (e) => e.target.closest(MARK) && hush());

// Values by keys: up and down on a tool of the figure.

function marksOf(figure) {
	return all(MARK, figure).filter(seen).map((mark) => {
		const { left, right, bottom } = mark.getBoundingClientRect();
		return { lines: wordsOf(mark), x: (left + right) / 2, y: bottom, mark };
	});
}

const ownValues = new WeakMap();

function stepValue(figure, by) {
	const values = (ownValues.get(figure) ?? marksOf)(figure), i = Number(figure.dataset.value ?? (by > 0 ? -1 : 0)) + by;
	const { lines, x, y, mark } = values.at(i % values.length) ?? {};
	figure.dataset.value = i;
	all(".on", figure).forEach((other) => other.classList.remove("on"));
	mark?.classList.add("on");
	if (lines)
		tell(lines, x, y);
}

onKey((e) => {
	const figure = e.target.closest("figure"), by = { ArrowUp: -1, ArrowDown: 1 }[e.key];
	return figure && by && (() => stepValue(figure, by));
});

const FROZEN = ["fill", "stroke", "stroke-width", "font-family", "font-size", "font-weight"];

// Attributes in place of what the page's style says; what is not drawn goes.
function freeze(element, outer) {
	const style = getComputedStyle(element);
	for (const child of [...element.children].filter((each) => !each.matches("title, desc")))
		if (getComputedStyle(child).display === "none" && !child.closest("defs"))
			child.remove();
		else
			freeze(child, style);
	for (const name of FROZEN.filter((each) => style[each] !== outer?.[each]))
		element.setAttribute(name, style[name].replaceAll('"', ""));
	if (style.vectorEffect !== "none")
		element.setAttribute("vector-effect", style.vectorEffect);
	element.removeAttribute("class");
	element.removeAttribute("style");
}

function svgFile(svg) {
	const box = svg.getBoundingClientRect(), copied = svg.cloneNode(true);
	const light = [...document.styleSheets[0].cssRules].filter((rule) => rule.selectorText === ":root").map((rule) => rule.style.cssText);
	const holder = make("div", { className: svg.parentElement.className, style: light.join("") }, copied);
	svg.parentElement.append(holder);
	// Names beside a plot lie outside of its picture.
	const boxes = all("text", svg).filter(seen).map((text) => text.getBoundingClientRect()).concat(box);
	const left = Math.min(...boxes.map((b) => b.left)) - box.left - 4, right = Math.max(...boxes.map((b) => b.right)) - box.left + 4;
	freeze(copied);
	holder.remove();
	setAll(copied, { width: box.width, height: box.height, overflow: "visible" });
	const [width, height] = [right - left, box.height + 8];
	return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${left} -4 ${width} ${height}" width="${width}" height="${height}">` +
		`<rect x="${left}" y="-4" width="100%" height="100%" fill="{{palette.light.paper}}"/>${new XMLSerializer().serializeToString(copied)}</svg>\n`;
}

const pictureOf = (figure) => figure.querySelector("svg");

whenSeen("figure.figure", (figure) => {
	const svg = pictureOf(figure);
	if (!svg)
		return;
	svg.ariaLabel = svg.querySelector("title").textContent;
	(figure.querySelector("figcaption") ?? figure).append(toolbar("Figure: " + svg.ariaLabel,
		tool("link", "copy the link to this figure", (button) => copy(new URL("#" + figure.id, location).href, button)),
		tool("SVG", "save the figure as SVG; arrow keys up and down read its values", () =>
			save(figure.id, ".svg", "image/svg+xml", svgFile(pictureOf(figure))))));
	if (figure.querySelector("g.frame"))
		addStepper(figure, svg);
});

function addStepper(figure, svg) {
	const frames = all("g.frame", svg), viewBox = svg.getAttribute("viewBox"), boxes = frames.map((frame) => frame.getBBox());
	const state = make("span", { className: "state", ariaLive: "polite" });
	let at = 0;
	const bar = toolbar("Frames", tool("‹", "frame before", () => show(Math.max(0, at - 1))),
		tool("›", "next frame", () => show(Math.min(frames.length - 1, at + 1))), tool("all", "show all frames", () => show(-1)), state);

	// Each frame in the place of the first; -1: the whole strip.
	function show(number) {
		at = number;
		svg.setAttribute("viewBox", number < 0 ? viewBox : viewBox.replace(/\S+$/, Math.ceil(boxes[0].y + boxes[number].height + 4)));
		frames.forEach((frame, i) => {
			frame.style.display = number < 0 || i === number ? "" : "none";
			frame.setAttribute("transform", number < 0 ? "" : `translate(${boxes[0].x - boxes[i].x} ${boxes[0].y - boxes[i].y})`);
		});
		state.textContent = number < 0 ? `all ${frames.length} frames` : `frame ${number + 1} of ${frames.length}`;
	}

	svg.before(bar);
	addEventListener("beforeprint", () => show(-1));
	show(0);
}
