// budget.mjs INDEX.HTML [times]: what the report of the shipped recording may cost its reader in bytes, elements and paper;
// page-layout.mjs asks for heights and tab stops. With `times` it prints a table of all, with first paint, load and layout as
// medians of nine: they depend on the machine, so no test asks for them. Prints TAP; status as in browser.mjs.
import { readFileSync } from "node:fs";
import { cpus, loadavg } from "node:os";
import { gzipSync } from "node:zlib";
import { address, check, open, run } from "./browser.mjs";
import { heights, tabStops } from "./page-size.mjs";

const [file, what] = process.argv.slice(2), url = address(file);
const rows = [];

function budget(name, value, most, unit = "") {
	rows.push([name, value, most, unit]);
	if (what !== "times")
		check(`${name}: at most ${most}${unit}`, value <= most ? [] : [`${value}${unit}`]);
}

function bytes() {
	const page = readFileSync(file), text = page.toString();
	budget("index.html", page.length / 1000, 1000, " KB");
	budget("compressed", gzipSync(page, { level: 9 }).length / 1000, 250, " KB");
	budget("script", Buffer.byteLength(text.slice(text.lastIndexOf("<script>") + 8, text.lastIndexOf("</script>"))) / 1000, 30, " KB");
}

async function elements(browser) {
	const { page } = await open(browser, url);
	budget("elements", await page.evaluate(() => document.querySelectorAll("*").length), 9000);
	await page.close();
}

// What the browser does before it can paint: it lays out what is shown while the page loads, and looks up a font for each size,
// weight and family in it. Its first frame has the answer, its second one the overview.
async function paints(browser) {
	const { page } = await open(browser, url);
	const shownAs = (className) => page.evaluate((state) => {
		document.documentElement.className = state;
		const shown = [...document.body.querySelectorAll("*")].filter((element) => element.checkVisibility() && !element.closest("nav"));
		const styles = shown.filter((element) => [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim())).map((element) => getComputedStyle(element));
		return [shown.length, new Set(styles.map((style) => [style.fontSize, style.fontWeight, style.fontFamily].join())).size];
	}, className);
	const answer = await shownAs("loading answering"), overview = await shownAs("loading");
	budget("elements before the first paint", answer[0], 30);
	budget("fonts before the first paint", answer[1], 6);
	budget("elements before the overview is painted", overview[0], 600);
	budget("fonts before the overview is painted", overview[1], 16);
	await page.close();
}

async function paper(browser) {
	const { page } = await open(browser, url), pdf = await page.pdf({ preferCSSPageSize: true });
	budget("pages in print", pdf.toString("latin1").match(/\/Type\s*\/Page\b/g).length, 30);
	budget("print", pdf.length / 1e6, 4, " MB");
	await page.close();
}

async function sizes(browser) {
	const { page } = await open(browser, url);
	budget("tab stops before the second family", await tabStops(page), 15);
	const { closed, tall } = await heights(page);
	budget("height with families closed", closed, 6000, " px");
	for (const [id, height] of Object.entries(tall))
		budget(`height of ${id}`, height, 3000, " px");
	await page.close();
}

const median = (values) => values.sort((a, b) => a - b)[values.length >> 1];

const ROUNDS = 9;

// An empty page says what the machine itself takes.
const empty = "data:text/html,<!DOCTYPE html><title>empty</title><p>empty";

// Makes the browser note when the overview is painted.
function noteOverview() {
	const cell = document.querySelector(".overview .because");
	if (cell)
		cell.setAttribute("elementtiming", "overview");
	else
		requestAnimationFrame(noteOverview);
}

const paintedOverview = () => document.querySelector("[elementtiming]") && new Promise((done) =>
	new PerformanceObserver((list) => done(list.getEntries()[0].renderTime)).observe({ type: "element", buffered: true }));

// One opening of a page in a tab of its own: ms until it is painted and loaded, and of layout.
async function openTimed(browser, address, rate) {
	const { page } = await open(browser, "about:blank"), session = await page.context().newCDPSession(page);
	await page.addInitScript(`${noteOverview} noteOverview();`);
	await session.send("Performance.enable", { timeDomain: "threadTicks" });
	await session.send("Emulation.setCPUThrottlingRate", { rate });
	await page.goto(address);
	await page.waitForFunction(() => performance.getEntriesByName("first-paint").length > 0 && performance.getEntriesByType("navigation")[0].loadEventEnd > 0);
	const { metrics } = await session.send("Performance.getMetrics");
	const [paint, load] = await page.evaluate(() => [performance.getEntriesByName("first-paint")[0].startTime, performance.getEntriesByType("navigation")[0].loadEventEnd]);
	const overview = await page.evaluate(paintedOverview);
	await page.close();
	return { paint, overview, load, layout: 1000 * metrics.find((metric) => metric.name === "LayoutDuration").value };
}

// In turns, since the machine may have other work.
async function allTimes(browser) {
	const kinds = { once: [url, 1], slow: [url, 4], none: [empty, 1], noneSlow: [empty, 4] }, taken = {};
	for (let i = 0; i < ROUNDS; i++)
		for (const [kind, [address, rate]] of Object.entries(kinds))
			(taken[kind] ??= []).push(await openTimed(browser, address, rate));
	const time = (kind, what) => median(taken[kind].map((each) => each[what]));
	budget("first paint, CPU 1x", time("once", "paint"), 100, " ms");
	budget("first paint, CPU 4x", time("slow", "paint"), 300, " ms");
	rows.push(["overview painted, CPU 1x", time("once", "overview"), "", " ms"]);
	rows.push(["overview painted, CPU 4x", time("slow", "overview"), "", " ms"]);
	rows.push(["first paint of an empty page, CPU 1x", time("none", "paint"), "", " ms"]);
	rows.push(["first paint of an empty page, CPU 4x", time("noneSlow", "paint"), "", " ms"]);
	budget("load", time("once", "load"), 250, " ms");
	budget("layout, CPU time", time("once", "layout"), 50, " ms");
}

await run(async (browser) => {
	bytes();
	await elements(browser);
	await paints(browser);
	await paper(browser);
	if (what !== "times")
		return;
	await allTimes(browser);
	await sizes(browser);
	console.log("| | measured | at most |\n|---|---|---|");
	for (const [name, value, most, unit] of rows)
		console.log(`| ${name} | ${Number(value.toPrecision(4))}${unit} | ${most && most + unit} |`);
	console.log(`\nChromium ${browser.version()}, ${cpus().length} x ${cpus()[0].model}, load ${loadavg()[0].toFixed(1)}, ${new Date().toISOString().slice(0, 10)}`);
});
