// budget.mjs INDEX.HTML [times]: what the report of the shipped recording may cost its reader in bytes, elements and paper;
// page-layout.mjs asks for heights and tab stops. With `times` it prints a table of all, with first paint, load and layout as
// medians of five: they depend on the machine, so no test asks for them. Prints TAP; status as in browser.mjs.
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
// weight and family in it.
async function firstPaint(browser) {
	const { page } = await open(browser, url);
	const [shown, fonts] = await page.evaluate(() => {
		document.documentElement.className = "loading";
		const shown = [...document.body.querySelectorAll("*")].filter((element) => element.checkVisibility());
		const styles = shown.filter((element) => [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim())).map((element) => getComputedStyle(element));
		return [shown.length, new Set(styles.map((style) => [style.fontSize, style.fontWeight, style.fontFamily].join())).size];
	});
	budget("elements before the first paint", shown, 600);
	budget("fonts before the first paint", fonts, 16);
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

// An empty page says what the machine itself takes.
const empty = "data:text/html,<!DOCTYPE html><title>empty</title><p>empty";

async function times(browser, page, rate) {
	const taken = { paint: [], load: [], layout: [] };
	for (let i = 0; i < 5; i++) {
		const { page: tab } = await open(browser, "about:blank"), session = await tab.context().newCDPSession(tab);
		await session.send("Performance.enable", { timeDomain: "threadTicks" });
		await session.send("Emulation.setCPUThrottlingRate", { rate });
		await tab.goto(page);
		await tab.waitForFunction(() => performance.getEntriesByName("first-paint").length > 0 && performance.getEntriesByType("navigation")[0].loadEventEnd > 0);
		const { metrics } = await session.send("Performance.getMetrics");
		taken.layout.push(1000 * metrics.find((metric) => metric.name === "LayoutDuration").value);
		const [paint, load] = await tab.evaluate(() => [performance.getEntriesByName("first-paint")[0].startTime, performance.getEntriesByType("navigation")[0].loadEventEnd]);
		taken.paint.push(paint);
		taken.load.push(load);
		await tab.close();
	}
	return { paint: median(taken.paint), load: median(taken.load), layout: median(taken.layout) };
}

async function allTimes(browser) {
	const once = await times(browser, url, 1), slow = await times(browser, url, 4), none = await times(browser, empty, 1);
	budget("first paint, CPU 1x", once.paint, 100, " ms");
	budget("first paint, CPU 4x", slow.paint, 300, " ms");
	rows.push(["first paint of an empty page, CPU 1x", none.paint, "", " ms"]);
	budget("load", once.load, 250, " ms");
	budget("layout, CPU time", once.layout, 50, " ms");
}

await run(async (browser) => {
	bytes();
	await elements(browser);
	await firstPaint(browser);
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
