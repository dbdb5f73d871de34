// hostile.mjs INDEX.HTML...: opens pages made of hostile names in headless Chromium, as a reader would: everything
// unfolded, the pointer over each timeline. Prints a line for each script that ran, each request, and each element that
// a name has become; exit status 1 if there is any, 77 without a browser or driver.
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";

const browsers = [process.env.CHROMIUM, "/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];
const executablePath = browsers.find((path) => path && existsSync(path));

// The scripts of the page are the last of its head and of its body; event handlers and frames it has none.
function foreign() {
	const leads = new Set(["href", "xlink:href", "src", "srcset", "data", "action", "formaction", "poster", "background", "style"]);
	const own = [document.head.lastElementChild, document.body.lastElementChild];
	const bad = [...document.scripts].filter((s) => s.type !== "application/json" && !own.includes(s))
		.map((s) => `a script: ${s.textContent.slice(0, 40)}`);
	for (const element of document.querySelectorAll("*"))
		for (const { name, value } of element.attributes)
			if (name.startsWith("on") || (leads.has(name) && /^\s*(javascript|https?):|^data:.*[^,]$/i.test(value)))
				bad.push(`<${element.localName} ${name}="${value.slice(0, 40)}">`);
	for (const element of document.querySelectorAll("main img, main iframe, main b, main object, main embed, main form"))
		bad.push(`<${element.localName}>`);
	return bad;
}

async function inspect(browser, file) {
	const page = await browser.newPage({ viewport: { width: 1200, height: 900 } });
	const bad = [];
	page.on("dialog", (dialog) => { bad.push(`dialog: ${dialog.message()}`); dialog.dismiss(); });
	page.on("pageerror", (error) => bad.push(`error: ${error.message}`));
	page.on("request", (request) => request.url() === pathToFileURL(resolve(file)).href || request.url() === "data:," ||
		bad.push(`asks for ${request.url()}`));
	await page.goto(pathToFileURL(resolve(file)).href);
	await page.evaluate(() => {
		document.querySelectorAll("details").forEach((d) => { d.open = true; });
		for (const svg of document.querySelectorAll("figure.timeline svg")) {
			const box = svg.getBoundingClientRect();
			for (let x = 0.1; x < 1; x += 0.1)
				for (let y = 0.1; y < 1; y += 0.1)
					svg.dispatchEvent(new PointerEvent("pointermove",
						{ clientX: box.left + x * box.width, clientY: box.top + y * box.height, bubbles: true }));
		}
		document.querySelectorAll("figure.timeline button").forEach((b) => b.click());
	});
	bad.push(...await page.evaluate(foreign));
	await page.close();
	return bad;
}

async function main() {
	const playwright = await import("playwright-core").catch(() => null);
	if (!playwright || !executablePath)
		return 77;
	const browser = await playwright.chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-gpu"] });
	let leaks = 0;
	try {
		for (const file of process.argv.slice(2))
			for (const what of await inspect(browser, file)) {
				leaks++;
				console.log(`${file}: ${what}`);
			}
	} finally {
		await browser.close();
	}
	return leaks > 0 ? 1 : 0;
}

process.exitCode = await main();
