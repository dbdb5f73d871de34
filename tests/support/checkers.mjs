// checkers.mjs PAGE...: axe-core and html-validate on pages, with every fold open: in light and dark, from 320 to 2560 px.
// WIDTHS names other widths. FOLDS=outer leaves folds in folds shut: the script makes tables of the texts in them, which double
// the elements. Prints TAP; status as in browser.mjs. Nothing is turned off but what stands here with a reason.
import { readFileSync } from "node:fs";
import { basename, dirname } from "node:path";
import { createRequire } from "node:module";
import { HtmlValidate } from "html-validate";
import { address, check, open, run } from "./browser.mjs";

const axe = createRequire(import.meta.url).resolve("axe-core/axe.min.js");
const widths = (process.env.WIDTHS ?? "320 768 1440 2560").split(" ").map(Number);

const folds = process.env.FOLDS === "outer" ? "details:not(details details)" : "details";

const validator = new HtmlValidate({
	root: true,
	extends: ["html-validate:recommended", "html-validate:a11y"],
});

async function validate(file) {
	const report = await validator.validateString(readFileSync(file, "utf8"), file);
	return report.results.flatMap((result) => result.messages)
		.map((m) => `${m.ruleId}, line ${m.line}: ${m.message} (${m.selector})`);
}

// In the dark the pages have other inks and nothing else: of the rules those about colours are asked again.
const inks = ["color-contrast", "link-in-text-block"];

async function inspect(page, runOnly) {
	const found = await page.evaluate((options) => axe.run(document, options), { resultTypes: ["violations"], ...runOnly && { runOnly } });
	return found.violations.flatMap((rule) => rule.nodes.map((node) => `${rule.id}: ${node.target} ${node.failureSummary.replace(/\s+/g, " ")}`));
}

async function checkWidth(browser, file, name, width) {
	const { page } = await open(browser, address(file), { viewport: { width, height: 900 }, colorScheme: "light" });
	await page.evaluate((which) => document.querySelectorAll(which).forEach((fold) => { fold.open = true; }), folds);
	await page.addScriptTag({ path: axe });
	check(`axe: ${name}, ${width} px, light`, await inspect(page));
	await page.emulateMedia({ colorScheme: "dark" });
	check(`axe: ${name}, ${width} px, dark`, await inspect(page, inks));
	await page.close();
}

await run(async (browser) => {
	for (const file of process.argv.slice(2)) {
		const name = `${basename(dirname(file))}/${basename(file)}`;
		check(`html-validate: ${name}`, await validate(file));
		for (const width of widths)
			await checkWidth(browser, file, name, width);
	}
});
