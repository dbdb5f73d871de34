// page.mjs INDEX.HTML...: opens reports in headless Chromium and checks what a reader would stumble over. Prints TAP; status as in
// browser.mjs.
import { address, check, open as openPage, run } from "./browser.mjs";

let file;

// ---- what runs in the page ----

function duplicateIds() {
	const seen = new Set(), twice = [];
	for (const element of document.querySelectorAll("[id]")) {
		if (seen.has(element.id))
			twice.push(`id ${element.id} stands twice`);
		seen.add(element.id);
	}
	return twice;
}

// Links within the page, url(#...) of figures, aria references: each must lead somewhere.
function danglingReferences() {
	const bad = [];
	const want = (id, where) => document.getElementById(id) || bad.push(`${where} refers to #${id}, which is not there`);
	for (const a of document.querySelectorAll("[href^='#']"))
		want(decodeURIComponent(a.getAttribute("href").slice(1)), "a link");
	for (const element of document.querySelectorAll("svg, svg *"))
		for (const attribute of element.attributes) {
			for (const match of attribute.value.matchAll(/url\(["']?#([^"')]+)["']?\)/g))
				want(match[1], `a figure's ${attribute.name}`);
			if (attribute.name === "xlink:href" && attribute.value.startsWith("#"))
				want(attribute.value.slice(1), "a figure's use");
			if (attribute.name === "aria-labelledby" || attribute.name === "aria-describedby")
				attribute.value.split(/\s+/).forEach((id) => want(id, `a figure's ${attribute.name}`));
		}
	return bad;
}

function overflow() {
	const page = document.documentElement;
	if (page.scrollWidth <= page.clientWidth)
		return [];
	const bad = [`the page is ${page.scrollWidth} px wide in a window of ${page.clientWidth} px`];
	for (const element of document.body.querySelectorAll("*"))
		if (element.getBoundingClientRect().right > page.clientWidth + 1 && !element.closest(".scroll, pre, svg"))
			bad.push(`<${element.localName} class="${element.className}"> sticks out`);
	return bad;
}

// Size as seen: in a figure, the font's size times the figure's scale.
function smallText() {
	const bad = new Map();
	const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
	for (let node = walker.nextNode(); node; node = walker.nextNode()) {
		const parent = node.parentElement;
		if (!node.data.trim() || parent.closest("script, style, title, desc") || parent.getClientRects().length === 0)
			continue;
		const svg = parent.closest("svg");
		const drawn = svg?.viewBox.baseVal?.width; // without a viewBox nothing is scaled
		const scale = drawn ? svg.getBoundingClientRect().width / drawn : 1;
		const px = parseFloat(getComputedStyle(parent).fontSize) * scale;
		if (px < 10.99)
			bad.set(node.data.trim().slice(0, 30), `"${node.data.trim().slice(0, 30)}" has ${px.toFixed(2)} px`);
	}
	return [...bad.values()];
}

function figuresWithoutWords() {
	const bad = [];
	for (const svg of document.querySelectorAll("svg:not(svg svg)"))
		if (!svg.closest("[aria-hidden=true]") &&
			(svg.getAttribute("role") !== "img" || !svg.querySelector("title")?.textContent.trim()))
			bad.push(`a figure in ${svg.closest("section")?.id} has no role or no title`);
	return bad;
}

// A figure's words stand in its caption, or in what aria-label says.
function figuresWithoutCaption() {
	return [...document.querySelectorAll("figure.timeline")].filter((f) => !f.querySelector("figcaption")?.textContent.trim())
		.map((f) => `a timeline in ${f.closest("section, li")?.id} has no caption`);
}

// Names come from programs that nobody here knows: none may have become an element.
function foreignMarkup() {
	const own = [document.head.lastElementChild, document.body.lastElementChild];
	const bad = [...document.scripts].filter((s) => s.type !== "application/json" && !own.includes(s))
		.map((s) => `a script that the page does not have: ${s.textContent.slice(0, 40)}`);
	for (const element of document.querySelectorAll("main b, main img, main iframe, main [onload], main [onerror]"))
		bad.push(`<${element.localName}> in ${element.closest("section, header")?.className}`);
	return bad;
}

// A place where double buffering would pay: a rank in order, bars that fit their scale, each with its number.
function badPlaces() {
	const bad = [];
	[...document.querySelectorAll(".places > .place")].forEach((place, i) => {
		const title = place.querySelector("h3").textContent;
		if (!title.startsWith(`${i + 1}. `))
			bad.push(`"${title}" is not number ${i + 1}`);
		for (const bar of place.querySelectorAll(".bar")) {
			const width = Number(/\bw(\d+)\b/.exec(bar.className)?.[1]);
			if (!(width >= 0 && width <= 100) || !bar.parentElement.textContent.trim())
				bad.push(`"${title}" has a bar of ${width} %: "${bar.parentElement.textContent}"`);
		}
		if (place.querySelectorAll(".bar").length !== 3)
			bad.push(`"${title}" has no three bars`);
	});
	return bad;
}

// Text of a figure that lies outside of it is cut off.
function cutText() {
	const bad = [];
	for (const text of document.querySelectorAll("svg text")) {
		// Names stand beside a plot that stretches, within its figure.
		const box = text.getBoundingClientRect(), svg = text.closest("svg");
		const frame = (svg.classList.contains("e") ? svg.closest("figure") : svg).getBoundingClientRect();
		if (box.width > 0 && (box.left < frame.left - 1 || box.right > frame.right + 1 || box.top < frame.top - 2 ||
			box.bottom > frame.bottom + 2))
			bad.push(`"${text.textContent}" is cut off in #${(text.closest("[id]:not(svg *)") ?? svg).id}`);
	}
	return bad;
}

// ---- one page at one width ----

const open = (browser, width, colorScheme, javaScriptEnabled = true) =>
	openPage(browser, address(file), { viewport: { width, height: 900 }, colorScheme, javaScriptEnabled });

// How many of each are in sight. Of recordings that are one, or of two GPUs, a comparison has no figure. Nor has a contrast
// of which a side failed: no verdict of it has a time.
async function inSight(page) {
	const count = (selector) => page.locator(selector).filter({ visible: true }).count();
	const seen = { headings: await count("h1, h2, h3"), figures: await count("main svg:not(svg svg)"), answers: await count("h1 ~ .lead, h1 ~ * .lead") };
	const nothing = await page.locator(".verdict").count() > 0 && await page.locator(".verdict:not(.none)").count() === 0;
	const bad = await page.locator("body:not(.compare)").count() > 0 && (seen.figures === 0) !== nothing
		? [nothing ? "a figure of nothing" : "no figure is in sight"] : [];
	return { seen, bad };
}

// What is in sight when the page was loaded.
async function checkWidth(browser, width) {
	const { page, problems } = await open(browser, width, "light"), sight = await inSight(page);
	check(`${width} px: nothing sticks out sideways`, await page.evaluate(overflow));
	check(`${width} px: no text under 11 px`, await page.evaluate(smallText));
	check(`${width} px: no text of a figure is cut off`, await page.evaluate(cutText));
	if (width === 1440) {
		check("ids are unique", await page.evaluate(duplicateIds));
		check("every reference leads somewhere", await page.evaluate(danglingReferences));
		check("every figure says what it is", await page.evaluate(figuresWithoutWords));
		check("every timeline has a caption", await page.evaluate(figuresWithoutCaption));
		check("no name became markup", await page.evaluate(foreignMarkup));
		check("places where double buffering would pay are in order", await page.evaluate(badPlaces));
	}
	await page.evaluate(() => document.querySelectorAll("details").forEach((d) => { d.open = true; }));
	check(`${width} px: nothing sticks out with everything unfolded`, await page.evaluate(overflow));
	check(`${width} px: no console message, no request`, problems);
	await page.close();
	return sight;
}

// The first and the last timeline: of a program a close-up, and the whole.
async function checkTimelines(browser, width) {
	const { page, problems } = await open(browser, width, "dark");
	const n = await page.locator("figure.timeline").count();
	await page.evaluate(() => document.querySelectorAll("details").forEach((d) => { d.open = true; }));
	for (const i of new Set(n > 0 ? [0, n - 1] : []))
		await checkTimeline(page, width, i);
	check(`${width} px: dark: no console message, no request`, problems);
	await page.close();
}

async function checkTimeline(page, width, i) {
	const figure = page.locator("figure.timeline").nth(i);
	const svg = figure.locator("svg.e").first();
	await svg.scrollIntoViewIfNeeded();
	const at = await svg.evaluate((element) => {
		const data = JSON.parse(element.closest("figure").querySelector("script").textContent);
		const place = data.place, box = element.getBoundingClientRect();
		const lane = data.runs[0].lanes.findIndex((l) => l.events);
		const event = data.runs[0].lanes[lane]?.events[0];
		if (!event)
			return null;
		const share = ((event[0] + event[1]) / 2 - data.from) / (data.to - data.from);
		return { text: data.texts[event[2]], x: box.left + share * box.width,
			y: box.top + place.panels[0].lanes + lane * place.pitch + place.lane / 2 };
	});
	if (at) {
		await page.mouse.move(at.x, at.y);
		const tip = await page.locator("#tip").innerText();
		check(`${width} px: timeline ${i + 1}: the pointer names the event under it`, tip.includes(at.text) ? [] : [`"${tip}" lacks "${at.text}"`]);
	}
	const isZoomed = () => figure.evaluate((element) => element.classList.contains("zoomed"));
	const before = await isZoomed();
	await figure.getByRole("button", { name: "zoom in" }).press("Enter");
	await figure.locator(":scope.zoomed").waitFor();
	const zoomed = await isZoomed();
	const unseen = await page.evaluate(smallText);
	await figure.getByRole("button", { name: "show the whole" }).press("Enter");
	await figure.locator(":scope:not(.zoomed)").waitFor();
	const after = await isZoomed();
	check(`${width} px: timeline ${i + 1}: keys zoom in and back`, !before && zoomed && !after ? [] :
		[`zoomed: ${before} before, ${zoomed} then, ${after} at the end`]);
	check(`${width} px: no text under 11 px when zoomed`, unseen);
}

// `read` is what inSight() found where the script runs.
async function checkWithoutScript(browser, read) {
	const { page, problems } = await open(browser, 1440, "light", false), { seen, bad } = await inSight(page);
	await page.close();
	bad.push(...read.bad, ...problems);
	for (const [what, number] of Object.entries(read.seen))
		if (number === 0 && what !== "figures" || seen[what] < number)
			bad.push(`${what} in sight: ${seen[what]}, with JavaScript ${number}`);
	check("without JavaScript the page is whole", bad);
}

await run(async (browser) => {
	for (file of process.argv.slice(2)) {
		console.log(`# ${file.split("/").slice(-2).join("/")}`);
		let read;
		for (const width of [390, 840, 1440])
			read = await checkWidth(browser, width);
		for (const width of [390, 1440])
			await checkTimelines(browser, width);
		await checkWithoutScript(browser, read);
	}
});
