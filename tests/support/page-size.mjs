// page-size.mjs: how tall an open report is, and how many keys away its second family.

// With the tools that the script adds once a fold is seen.
async function inPage() {
	const frames = () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
	const folds = [...document.querySelectorAll("details.family")], tall = {};
	folds.forEach((fold) => { fold.open = false; });
	const closed = document.documentElement.scrollHeight;
	for (const fold of folds) {
		fold.open = true;
		await frames();
		tall[fold.id] = Math.round(fold.getBoundingClientRect().height);
		fold.open = false;
	}
	return { closed, tall };
}

// Heights in px: of the page with its families closed, and of each family's fold.
export const heights = (page) => page.evaluate(inPage);

// How often the key is pressed until the second family has the focus.
export async function tabStops(page) {
	for (let n = 0; n <= 60; n++) {
		await page.keyboard.press("Tab");
		if (await page.evaluate(() => document.querySelectorAll("details.family")[1].contains(document.activeElement)))
			return n;
	}
	return Infinity;
}
