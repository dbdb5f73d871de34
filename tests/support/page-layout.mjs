// page-layout.mjs INDEX.HTML CONTRAST.HTML OTHER.HTML...: opens the report of the recording that ships and holds it against its
// budgets: what the first screen shows, heights, elements, bytes, ids, tab stops. Opens a contrast for its tables on a narrow page, and
// others for the heights of their families alone. Prints TAP; status as in browser.mjs.
import { statSync } from "node:fs";
import { address, check, open, run } from "./browser.mjs";
import { heights, tabStops } from "./page-size.mjs";

const [file, contrast, ...others] = process.argv.slice(2);
const most = { bytes: 1000e3, elements: 9000, closed: 6000, fold: 3000, stops: 15 };

const atMost = (name, value, limit) => check(`${name}: at most ${limit}`, value <= limit ? [] : [`${name} is ${value}`]);

// ---- what runs in the page ----

// Rows of the overview whose verdict does not lie inside the window.
function hiddenVerdicts(rows) {
	const all = [...document.querySelectorAll(".overview tbody tr:not(.divide)")];
	const bad = all.length === 0 ? ["there is no row"] : [];
	for (const row of all.slice(0, rows)) {
		const box = row.querySelector(".effect strong")?.getBoundingClientRect();
		if (box && (box.bottom > innerHeight || box.top < 0 || box.right > innerWidth))
			bad.push(`the verdict of "${row.querySelector("th").textContent}" ends at ${box.right}, ${box.bottom}`);
	}
	return bad;
}

// Of the first rows of the overview those that do not end inside the window.
function cutRows(rows) {
	return [...document.querySelectorAll(".overview tbody tr:not(.divide)")].slice(0, rows)
		.filter((row) => row.getBoundingClientRect().bottom > innerHeight)
		.map((row) => `"${row.querySelector("th").textContent}" ends at ${row.getBoundingClientRect().bottom}`);
}

function withoutId() {
	return [...document.querySelectorAll("h2, h3, figure")].filter((e) => !e.id).map((e) => e.outerHTML.slice(0, 80));
}

function withoutAnchor() {
	return [...document.querySelectorAll("main h2, main h3")]
		.filter((e) => !e.closest(".definitions") && !e.querySelector(".anchor") && !e.closest("summary"))
		.map((e) => `"${e.textContent}" has no link`);
}

function overflow() {
	const page = document.documentElement;
	return page.scrollWidth <= page.clientWidth ? [] : [`the page is ${page.scrollWidth} px wide in ${page.clientWidth} px`];
}

// Intervals of the overview that are broken, or stand below their ratio.
function brokenIntervals() {
	return [...document.querySelectorAll(".overview .effect")].filter((cell) => {
		const ratio = cell.querySelector("strong")?.getBoundingClientRect(), lines = [...cell.querySelectorAll(".interval")].map((e) => [...e.getClientRects()]);
		return ratio && lines.some((line) => line.length !== 1 || line[0].top > ratio.bottom);
	}).map((cell) => `"${cell.textContent}" has more lines than one`);
}

// Tables that put a cell to a line on narrow pages, and scroll all the same.
function scrollingStacks() {
	return [...document.querySelectorAll(".scroll > table.stacked")].map((table) => table.parentElement)
		.filter((box) => box.scrollWidth > box.clientWidth)
		.map((box) => `"${box.getAttribute("aria-label")}" is ${box.scrollWidth} px wide in ${box.clientWidth} px`);
}

// ---- from outside ----

const openAt = async (browser, width, height, path = file) =>
	(await open(browser, address(path), { viewport: { width, height } })).page;

async function checkWide(browser) {
	const page = await openAt(browser, 1440, 900);
	check("1440 x 900: every verdict of the overview is in sight", await page.evaluate(hiddenVerdicts, 1000));
	check("each heading and figure has an id", await page.evaluate(withoutId));
	check("each heading has a link to itself", await page.evaluate(withoutAnchor));
	check("the first family is open, no other", await page.evaluate(() =>
		[...document.querySelectorAll("details.family")].filter((f, i) => f.open !== (i === 0)).map((f) => f.id)));
	atMost("tab stops before the second family", await tabStops(page), most.stops);
	atMost("elements", await page.evaluate(() => document.querySelectorAll("*").length), most.elements);
	const { closed, tall } = await heights(page);
	atMost("height with folds closed", closed, most.closed);
	checkFolds(tall);
	await page.close();
}

function checkFolds(tall) {
	for (const [id, height] of Object.entries(tall))
		atMost(`height of ${id}`, height, most.fold);
}

async function checkOther(browser, path) {
	const page = await openAt(browser, 1440, 900, path), { tall } = await heights(page);
	check(`${path}: it has a family`, Object.keys(tall).length > 0 ? [] : ["there is none"]);
	checkFolds(tall);
	await page.close();
}

// A contrast of programs: on a narrow page each side is read without scrolling.
async function checkSides(browser, path) {
	const page = await openAt(browser, 420, 900, path);
	check(`${path}: 420 px: the sides are stacked`, await page.evaluate(() => {
		const table = document.querySelector("[id$=__sides] + .scroll > table.stacked"), bad = [];
		for (const cell of table?.querySelectorAll("td") ?? [])
			if (!cell.dataset.of || cell.getBoundingClientRect().left > table.getBoundingClientRect().left + 1)
				bad.push(`"${cell.textContent}" is not a line with what it is`);
		return table ? bad : ["there is none"];
	}));
	check(`${path}: 420 px: no table of sides scrolls`, await page.evaluate(scrollingStacks));
	await page.close();
}

async function checkNarrow(browser) {
	let page = await openAt(browser, 390, 844);
	check("390 x 844: the first two verdicts are in sight", await page.evaluate(hiddenVerdicts, 2));
	check("390 x 844: so are the first two rows", await page.evaluate(cutRows, 2));
	await page.close();
	page = await openAt(browser, 1285, 900);
	check("1300 px less a scrollbar: an interval stands beside its ratio", await page.evaluate(brokenIntervals));
	await page.close();
	page = await openAt(browser, 768, 1024);
	check("768 px: the title is one line beside the link to the contents", await page.evaluate(() => {
		const title = document.getElementById("title"), lines = title.clientHeight / parseFloat(getComputedStyle(title).lineHeight);
		return lines < 1.5 ? [] : [`it has ${lines} lines`];
	}));
	await page.close();
	page = await openAt(browser, 320, 800);
	check("320 px: nothing sticks out", await page.evaluate(overflow));
	await page.evaluate(() => document.querySelectorAll("details").forEach((d) => { d.open = true; }));
	check("320 px: nothing sticks out with everything unfolded", await page.evaluate(overflow));
	check("320 px: the contents come when asked for", await page.evaluate(() => {
		const nav = document.getElementById("contents"), hidden = nav.getClientRects().length === 0;
		document.querySelector("a.to-contents").click();
		return hidden && nav.getClientRects().length > 0 ? [] : ["the link does not open them"];
	}));
	await page.close();
}

await run(async (browser) => {
	atMost("bytes", statSync(file).size, most.bytes);
	await checkWide(browser);
	await checkNarrow(browser);
	await checkSides(browser, contrast);
	for (const path of others)
		await checkOther(browser, path);
});
