// browser.mjs: what the tests of pages share: TAP, and headless Chromium through playwright-core. CHROMIUM names another browser.
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";

const browsers = [process.env.CHROMIUM, "/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];
const executablePath = browsers.find((path) => path && existsSync(path));
const SLOWEST_MS = 300000;
// Chromium loads, for each window, pages of its own for the address bar, and starts a process in reserve: more than half of what a
// test of ours takes. The others are those that playwright-core turns off: of two such lists Chromium takes the last.
const notNeeded = [
	"WebUIOmniboxPopup", "WebUIOmniboxAimPopup", "WebUIOmniboxFullPopup", "PreloadTopChromeWebUI", "SpareRendererForSitePerProcess",
	"AvoidUnnecessaryBeforeUnloadCheckSync", "BoundaryEventDispatchTracksNodeRemoval", "DestroyProfileOnBrowserClose",
	"DialMediaRouteProvider", "GlobalMediaControls", "HttpsUpgrades", "LensOverlay", "MediaRouter", "OptimizationHints",
	"PaintHolding", "RenderDocument", "ThirdPartyStoragePartitioning", "Translate",
];
let number = 0, failed = 0;

// One line of TAP, and what is wrong if anything is.
export function check(name, problems) {
	number++;
	if (problems.length > 0)
		failed++;
	console.log(`${problems.length > 0 ? "not ok" : "ok"} ${number} - ${name}`);
	for (const problem of problems.slice(0, 10))
		console.log(`# ${problem}`);
}

export const address = (file) => pathToFileURL(resolve(file)).href;

// A page and what it complains of.
export async function open(browser, url, options = {}) {
	const page = await browser.newPage({ viewport: { width: 1440, height: 900 }, ...options });
	const problems = [];
	page.on("console", (m) => ["error", "warning"].includes(m.type()) && problems.push(`console: ${m.text()}`));
	page.on("pageerror", (error) => problems.push(`error: ${error.message}`));
	page.on("request", (request) => /^(file|data|blob):/.test(request.url()) || problems.push(`asks for ${request.url()}`));
	await page.goto(url);
	return { page, problems };
}

// Runs `tests` with a browser. Status 0 if all is well, 1 if a check failed, 77 if there is no browser or driver.
export async function run(tests) {
	const playwright = await import("playwright-core").catch(() => null);
	if (!playwright || !executablePath) {
		console.log("1..0 # SKIP needs Chromium and playwright-core (npm ci)");
		process.exitCode = 77;
		return;
	}
	const browser = await playwright.chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-gpu", `--disable-features=${notNeeded}`] });
	const newPage = browser.newPage.bind(browser);
	// A machine with other work may draw a frame in seconds.
	browser.newPage = async (options) => {
		const page = await newPage(options);
		page.setDefaultTimeout(SLOWEST_MS);
		return page;
	};
	try {
		await tests(browser);
	} finally {
		await browser.close();
	}
	console.log(`1..${number}`);
	process.exitCode = failed > 0 ? 1 : 0;
}
