// ---- all pages ----

const all = (selector, root = document) => [...root.querySelectorAll(selector)];
const seen = (element) => element.checkVisibility();
const listen = (event, action) => document.addEventListener(event, action, true);

// Does what `actionOf` knows for a key.
const onKey = (actionOf) => listen("keydown", (e) => {
	const action = !e.ctrlKey && !e.metaKey && !e.altKey && actionOf(e);
	if (action) {
		e.preventDefault();
		action();
	}
});

function make(name, properties, ...children) {
	const element = Object.assign(document.createElement(name), properties);
	element.append(...children);
	return element;
}

const setAll = (element, attributes) => Object.entries(attributes).forEach(([name, value]) => element.setAttribute(name, value));

// A shape at the end of an SVG's element.
function shape(parent, name, attributes, text = "") {
	const element = document.createElementNS("http://www.w3.org/2000/svg", name);
	setAll(element, attributes);
	element.textContent = text;
	return parent.appendChild(element);
}

const tip = document.getElementById("tip");

// Shows lines below a place in the window, or above where there is no room.
function tell(lines, x, y) {
	tip.replaceChildren(...lines.map((text) => make("div", {}, text)));
	tip.hidden = false;
	const box = tip.getBoundingClientRect(), below = y + 18 + box.height < innerHeight;
	tip.style.left = Math.max(8, Math.min(x + 12, innerWidth - box.width - 8)) + "px";
	tip.style.top = (below ? y + 18 : y - box.height - 12) + "px";
}

const hush = () => { tip.hidden = true; };

listen("scroll", hush);

// What is done to each element when it is first seen.

const tasks = [];

function whenSeen(selector, task) {
	tasks.push([selector, task, new WeakSet()]);
}

// Measures first, then changes.
function look(root) {
	const found = tasks.map(([selector, task, done]) => [task, done, all(selector, root).filter((each) => !done.has(each) && seen(each))]);
	for (const [task, done, elements] of found)
		elements.forEach((element) => { done.add(element); task(element); });
	const overflows = all(".scroll", root).filter(seen).map((box) => [box, box.scrollWidth > box.clientWidth || box.scrollHeight > box.clientHeight]);
	overflows.forEach(([box, more]) => { box.tabIndex = more ? 0 : -1; });
	const stops = new Map();
	for (const tool of all(".tool").filter(seen))
		if (tool.tabIndex === 0 || !stops.has(foldOf(tool)))
			stops.set(foldOf(tool), tool);
	stops.forEach((tool) => { tool.tabIndex = 0; });
}

// Tools: those of one fold share one tab stop; arrow keys lead on.

const foldOf = (tool) => tool.closest("details") ?? document.body;
const toolsOf = (fold) => all(".tool", fold).filter((tool) => foldOf(tool) === fold && seen(tool));

const tool = (text, ariaLabel, action) =>
	make("button", { type: "button", className: "tool", tabIndex: -1, ariaLabel, onclick: (e) => action(e.currentTarget) }, text);
const toolbar = (ariaLabel, ...tools) => make("div", { className: "tools", role: "group", ariaLabel }, ...tools);

listen("focusin", (e) => e.target.matches(".tool") &&
	toolsOf(foldOf(e.target)).forEach((other) => { other.tabIndex = other === e.target ? 0 : -1; }));
onKey((e) => {
	const tools = toolsOf(foldOf(e.target)), i = tools.indexOf(e.target);
	const next = { ArrowLeft: tools[i - 1], ArrowRight: tools[i + 1] }[e.key];
	return i >= 0 && next && (() => next.focus());
});

async function copy(text, beside) {
	const done = await navigator.clipboard.writeText(text).then(() => "copied", String), box = beside.getBoundingClientRect();
	tell([done], box.left, box.bottom - 8);
}

function save(name, ending, type, text) {
	make("a", { download: name.replace(/\W+/g, "-") + ending, href: URL.createObjectURL(new Blob([text], { type })) }).click();
}

listen("click", (e) => {
	const link = e.target.closest("a[href^='#']");
	if (link && reveal(link.hash) && link.matches(".anchor"))
		copy(link.href, link);
});

whenSeen("pre.command", (pre) => pre.after(toolbar("Command", tool("copy", "copy the command", (button) =>
	copy(pre.textContent, button)))));

// A variant's own name, "stream/two-buffers", is good for a link too.
const targetOf = (hash) => document.getElementById(hash.slice(1).replace("/", "--"));

// Opens the folds in which the target of a link lies; nothing if there is none.
function reveal(hash) {
	const target = targetOf(hash);
	for (let fold = target?.closest("details"); fold; fold = fold.parentElement.closest("details"))
		fold.open = true;
	return target;
}

listen("toggle", (e) => look(e.target.parentElement));
addEventListener("hashchange", () => reveal(location.hash)?.scrollIntoView());
addEventListener("resize", () => look(document));

let opened = [];
addEventListener("beforeprint", () => {
	opened = all(".paper:not([open])");
	opened.forEach((fold) => { fold.open = true; });
});
addEventListener("afterprint", () => opened.forEach((fold) => { fold.open = false; }));

// Contents: where one is.

function followContents(nav) {
	const inFamily = all(".in-family a", nav);

	// Links into a family lead into that which one reads.
	function enter(family) {
		for (const link of inFamily) {
			link.hash = family.id + "__" + link.hash.split("__").pop();
			link.parentElement.hidden = !targetOf(link.hash);
		}
	}

	function mark() {
		const links = all("li a", nav), targets = links.map((link) => targetOf(link.hash));
		const above = targets.filter((target) => target && seen(target) && target.getBoundingClientRect().top <= Math.min(scrollY + 99, innerHeight / 3));
		const at = above.sort((a, b) => a.compareDocumentPosition(b) & 4 ? 1 : -1)[0], family = at?.closest(".family");
		if (family?.open && inFamily.length > 0 && !inFamily[0].hash.startsWith(`#${family.id}__`)) {
			enter(family);
			return mark();
		}
		links.forEach((link, i) => { link.ariaCurrent = targets[i] && [at, family].includes(targets[i]) ? "location" : null; });
	}

	["DOMContentLoaded", "scroll", "toggle", "resize"].forEach((event) => addEventListener(event, mark, true));
}

all("nav.contents").forEach(followContents);
listen("DOMContentLoaded", () => {
	// The family of the address is open, else the one that the page has opened.
	if (targetOf(location.hash)?.closest(".family:not([open])"))
		all(".family[open]").forEach((other) => { other.open = false; });
	reveal(location.hash)?.scrollIntoView();
	look(document);
});
