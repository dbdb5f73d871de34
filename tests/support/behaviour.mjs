// behaviour.mjs INDEX.HTML: what a reader does with a report of families: follows links, uses keys alone, zooms, selects, sorts,
// saves, prints; and reads it without a script and in forced colours. PAGES=some tries fewer of what is alike. Prints TAP; status
// as in browser.mjs.
import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { address, check, open, run } from "./browser.mjs";

const file = process.argv[2], url = address(file), folder = dirname(file);
const [MARKS, FIGURES] = process.env.PAGES === "some" ? [12, 3] : [40, 8];
const wrong = (truth, text) => truth ? [] : [text];
const frame = (page) => page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));

async function saved(page, action) {
	const [download] = await Promise.all([page.waitForEvent("download"), action()]);
	return { name: download.suggestedFilename(), text: readFileSync(await download.path(), "utf8") };
}

// ---- links, folds, contents ----

const families = (page) => page.locator("details.family").evaluateAll((folds) => folds.map(({ id, open }) => ({ id, open })));

async function inSight(page, id) {
	await frame(page);
	return page.evaluate((wanted) => {
		const target = document.getElementById(wanted), box = target?.getBoundingClientRect();
		return Boolean(target?.checkVisibility() && box.top < innerHeight && box.bottom > 0);
	}, id);
}

async function checkLinks(browser) {
	const { page, problems } = await open(browser, url);
	const folds = await families(page), last = folds.at(-1).id;
	check("one family is open, the first", wrong(folds.map((fold) => fold.open).join() === folds.map((_, i) => i === 0).join(), JSON.stringify(folds)));
	await page.locator(`.overview a[href="#${last}"]`).first().click();
	check("a link of the overview opens its fold", wrong(await inSight(page, last) && (await families(page)).at(-1).open, `${last} is not in sight, or shut`));
	await page.close();

	const addressed = await open(browser, `${url}#${last}__evidence`);
	const open2 = (await families(addressed.page)).filter((fold) => fold.open).map((fold) => fold.id);
	check("an address opens its folds, and no others", wrong(open2.join() === last && await inSight(addressed.page, `${last}__evidence`) &&
		await addressed.page.locator(`[id="${last}__evidence"]`).evaluate((fold) => fold.open), `open: ${open2}`));
	check("links: no console message, no request", [...problems, ...addressed.problems]);
	await addressed.page.close();
}

async function checkContents(browser) {
	const { page } = await open(browser, url);
	const last = (await families(page)).at(-1).id, marked = () => page.locator(".contents [aria-current]").evaluateAll((links) => links.map((link) => link.hash));
	await page.locator(`.contents a[href="#${last}"]`).click();
	await page.locator(`[id="${last}__picture"], [id="${last}__variants"]`).first().evaluate((heading) => heading.scrollIntoView());
	await page.waitForFunction((id) => document.querySelector(".contents [aria-current]")?.hash === `#${id}` &&
		document.querySelector(".in-family a").hash.startsWith(`#${id}__`), last, { timeout: 120000 }).catch(() => {});
	const links = await marked(), inFamily = await page.locator(".in-family li:visible a").evaluateAll((all) => all.map((a) => a.hash));
	check("contents mark the family and the part that one reads", wrong(links[0] === `#${last}` && links[1]?.startsWith(`#${last}__`), `marked: ${links}`));
	check("contents lead into that family", inFamily.filter((hash) => !hash.startsWith(`#${last}__`)).map((hash) => `${hash} is elsewhere`));
	await page.close();
}

async function checkCopying(browser) {
	const { page } = await open(browser, url, { permissions: ["clipboard-read", "clipboard-write"] });
	const copied = () => page.evaluate(() => navigator.clipboard.readText()), problems = [];
	const heading = page.locator("main h3:has(> .anchor)").first(), id = await heading.getAttribute("id");
	await heading.hover();
	await heading.locator(".anchor").click();
	if (await copied() !== `${url}#${id}`)
		problems.push(`a heading's link: ${await copied()}`);
	const figure = page.locator("figure.figure:has(svg):visible").first();
	await figure.getByRole("button", { name: /copy the link/ }).click();
	if (await copied() !== `${url}#${await figure.getAttribute("id")}`)
		problems.push(`a figure's link: ${await copied()}`);
	await page.evaluate(() => document.querySelectorAll("details").forEach((fold) => { fold.open = true; }));
	const command = page.locator("pre.command").first();
	await page.getByRole("button", { name: "copy the command" }).first().click();
	if (await copied() !== await command.innerText())
		problems.push(`a command: ${await copied()}`);
	check("links of headings and figures, and commands, can be copied", problems);
	await page.close();
}

// ---- keys ----

// What has the focus, and whether one sees that it has.
function focused() {
	const e = document.activeElement, box = e.getBoundingClientRect(), style = getComputedStyle(e);
	return { what: `${e.localName}.${e.className} ${e.getAttribute("aria-label") ?? e.textContent.trim().slice(0, 30)}`, body: e === document.body, tool: e.matches(".tool"),
		family: e.matches(".family > summary") ? e.parentElement.id : null,
		hidden: e !== document.body && (!e.checkVisibility() || box.width === 0 || (style.outlineStyle === "none" && !e.matches("input"))) };
}

async function checkKeys(browser) {
	const { page, problems } = await open(browser, url);
	const stops = [], folds = await families(page);
	do {
		await page.keyboard.press("Tab");
		stops.push(await page.evaluate(focused));
	} while (!stops.at(-1).body && stops.length < 300);
	const second = stops.findIndex((stop) => stop.family === folds[1]?.id);
	check("the Tab key comes to the end of the page, and one sees where it is",
		[...wrong(stops.length < 300, "more than 300 stops"), ...stops.filter((stop) => stop.hidden).map((stop) => `not to be seen: ${stop.what}`)]);
	check("at most 15 tab stops before the second family", wrong(second <= 15, `${second}: ${stops.slice(0, second).map((stop) => stop.what).join("; ")}`));

	await page.locator("details.family").nth(1).locator("> summary").focus();
	await page.keyboard.press("Enter");
	await frame(page);
	const tools = [];
	await page.keyboard.press("Tab");
	for (let i = 0; i < 100 && (i === 0 || tools.at(-1) !== tools.at(-2)); i++) {
		tools.push((await page.evaluate(focused)).what);
		await page.keyboard.press("ArrowRight");
	}
	const count = await page.locator("details.family").nth(1).evaluate((fold) =>
		[...fold.querySelectorAll(".tool")].filter((tool) => tool.checkVisibility() && tool.closest("details") === fold).length);
	check("arrow keys lead through all tools of a fold", wrong(tools.length - 1 === count && count > 5, `${tools.length - 1} of ${count}: ${tools.join("; ")}`));
	check("keys: no console message, no request", problems);
	await page.close();
}

async function checkCode(browser) {
	const { page } = await open(browser, url);
	const table = page.locator("table.code:visible").first();
	if (await table.count() > 0) {
		const at = async () => table.locator("tr.on").evaluateAll((rows) => rows.map((row) => row.rowIndex).join());
		const seen = [];
		await table.scrollIntoViewIfNeeded();
		for (const key of ["n", "n", "p"]) {
			await page.keyboard.press(key);
			seen.push(await at());
		}
		check("n and p lead from hot line to hot line", wrong(Number(seen[0]) < Number(seen[1]) && seen[0] === seen[2], `rows ${seen}`));
	}
	await page.close();
}

// ---- timelines ----

const dataOf = (figure) => figure.evaluate((element) => JSON.parse(element.querySelector("script").textContent));

// "12.5 µs" as ns
function nanoseconds(text) {
	const [, number, unit] = text.match(/([−\d.]+) (ns|µs|ms|s)/);
	return Math.round(Number(number.replace("−", "-")) * { ns: 1, "µs": 1e3, ms: 1e6, s: 1e9 }[unit]);
}

// By hand: from one start or end of an event to the next, what runs is the same.
function sumsByHand(run, from, to) {
	const events = run.lanes.flatMap((lane) => lane.events.map(([start, end]) => ({ start, end, kind: lane.class })));
	const cuts = [...new Set([from, to, ...events.flatMap((e) => [e.start, e.end])])].filter((t) => t >= from && t <= to).sort((a, b) => a - b);
	const sums = { busy: 0, kernels: 0, copies: 0, overlap: 0, idle: 0 };
	cuts.slice(1).forEach((end, i) => {
		const length = end - cuts[i], kinds = events.filter((e) => e.start <= cuts[i] && e.end >= end).map((e) => e.kind);
		const kernel = kinds.includes("kernel"), copies = kinds.some((kind) => kind === "h2d" || kind === "d2h");
		sums.busy += kinds.length > 0 ? length : 0;
		sums.kernels += kernel ? length : 0;
		sums.copies += copies ? length : 0;
		sums.overlap += kernel && copies ? length : 0;
	});
	sums.idle = Math.max(0, Math.min(to, run.span) - Math.max(from, 0)) - sums.busy;
	return Object.values(sums);
}

const shownSums = (figure) => figure.locator(".sums tr:has(td)").evaluateAll((rows) => rows.map((row) => [...row.querySelectorAll("td")].map((td) => td.textContent)));

async function dragOver(page, svg, from, to) {
	const box = await svg.boundingBox();
	await page.mouse.move(box.x + from * box.width, box.y + box.height / 2);
	await page.mouse.down();
	await page.mouse.move(box.x + to * box.width, box.y + box.height / 2, { steps: 4 });
	await page.mouse.up();
	await frame(page);
}

const stateOf = (figure) => figure.locator(".tools [aria-live]").first().innerText();

async function checkSums(page, figure, svg) {
	const data = await dataOf(figure), problems = [];
	for (const [a, b] of [[0.2, 0.6], [0.65, 0.31], [0.5, 0.99]]) {
		await dragOver(page, svg, a, b);
		const [from, to] = (await stateOf(figure)).match(/[−\d.]+ (?:ns|µs|ms|s)/g).map(nanoseconds), shown = await shownSums(figure);
		if (!(from < to) || Math.abs((to - from) / (data.to - data.from) - Math.abs(b - a)) > 0.01)
			problems.push(`dragged from ${a} to ${b}, selected ${from} to ${to}`);
		data.runs.forEach((run, r) => {
			const wanted = sumsByHand(run, from, to).join(), found = shown[r]?.map(nanoseconds).join();
			if (wanted !== found)
				problems.push(`${run.title} from ${from} to ${to}: ${found} instead of ${wanted}`);
		});
	}
	check("a selection's sums are those made by hand", problems);
	await page.keyboard.press("Escape");
	await frame(page);
	check("Escape ends a selection", wrong(await figure.locator(".sums").count() === 0, "the sums are still there"));
}

// What a reader sees of a timeline: its texts and textures.
function decorations(figure) {
	const svg = [...figure.querySelectorAll("svg")].find((e) => e.checkVisibility());
	const shown = [...svg.querySelectorAll("text, rect, path, polygon")].filter((e) => !e.closest("defs, pattern") && e.checkVisibility());
	const paints = shown.flatMap((e) => [e, e.closest("g")]).filter(Boolean).flatMap((e) => [getComputedStyle(e).fill, getComputedStyle(e).stroke]);
	return { texts: shown.filter((e) => e.localName === "text").map((e) => e.textContent),
		textures: [...new Set(paints.filter((paint) => paint.startsWith("url(")).map((paint) => paint.match(/(d2h|idle|wait)/)?.[1]))].sort() };
}

async function checkZoom(page, figure, svg) {
	const data = await dataOf(figure), before = await figure.evaluate(decorations), box = await svg.boundingBox();
	const names = data.runs.flatMap((run) => [run.title, ...run.lanes.map((lane) => lane.name)]);
	const ranges = data.runs.flatMap((run) => run.ranges.filter(([a, b]) => a < (data.from + data.to) / 2 && b > (data.from + data.to) / 2).map((range) => data.texts[range[2]].split("/").pop()));
	const title = before.texts.find((text) => /^time( since| \()/.test(text));

	// Ctrl + wheel at a moment: that moment stays where it is.
	const share = 0.4, moment = data.from + share * (data.to - data.from);
	await page.mouse.move(box.x + share * box.width, box.y + 10);
	await page.keyboard.down("Control");
	for (let i = 0; i < 3; i++)
		await page.mouse.wheel(0, -100);
	await page.keyboard.up("Control");
	await frame(page);
	const [from, to] = (await stateOf(figure)).match(/[−\d.]+ (?:ns|µs|ms|s)/g).map(nanoseconds);
	check("Ctrl + wheel zooms at the pointer", [...wrong(to - from < 0.6 * (data.to - data.from), `from ${from} to ${to}`),
		...wrong(Math.abs((moment - from) / (to - from) - share) < 0.01, `${moment} has moved to ${(moment - from) / (to - from)} of the width`)]);

	const after = await figure.evaluate(decorations);
	check("zooming keeps names, NVTX texts, the axis' title and textures", [
		...[...names, ...ranges, title].filter((text) => before.texts.some((b) => b.includes(text)) && !after.texts.some((a) => a.includes(text))).map((text) => `no "${text}"`),
		...wrong(title && ranges.length > 0 && after.texts.length > 8, "texts were there at all"),
		...before.textures.filter((texture) => !after.textures.includes(texture)).map((texture) => `no texture ${texture}`)]);

	const wanted = new Set(data.runs.flatMap((run) => run.ranges.map((range) => data.texts[range[4]])));
	const fills = await figure.evaluate((element) => [...element.querySelectorAll('rect[fill-opacity="0.3"]')].map((rect) => rect.getAttribute("fill")));
	check("zoomed NVTX ranges keep their own colours", [...wrong(fills.length > 0, "no range is drawn"),
		...fills.filter((fill) => !wanted.has(fill)).map((fill) => `a range is ${fill}`)]);

	const states = [await stateOf(figure)];
	for (const key of ["w", "d", "a", "s"]) {
		await page.keyboard.press(key);
		await frame(page);
		states.push(await stateOf(figure));
	}
	check("W A S D zoom and move", wrong(new Set(states.slice(0, 3)).size === 3 && states[1] === states[3] && states[0] === states[4], states.join("; ")));

	await page.keyboard.down("Shift");
	await dragOver(page, svg, 0.6, 0.5);
	await page.keyboard.up("Shift");
	const [moved] = (await stateOf(figure)).match(/[−\d.]+ (?:ns|µs|ms|s)/g).map(nanoseconds);
	check("Shift + drag moves", wrong(Math.abs((moved - from) / (to - from) - 0.1) < 0.01, `from ${from} to ${moved}`));

	await svg.dblclick({ position: { x: 0.3 * box.width, y: 10 } });
	await frame(page);
	const whole = await figure.evaluate(decorations);
	check("a double click shows the whole", wrong(JSON.stringify(whole) === JSON.stringify(before), `${whole.texts.join()} instead of ${before.texts.join()}`));
}

async function checkTimelines(browser) {
	const { page, problems } = await open(browser, url);
	const figure = page.locator("figure.timeline:visible").first(), svg = figure.locator("> svg:visible, > div > svg:visible").first();
	await svg.scrollIntoViewIfNeeded();
	await checkSums(page, figure, svg);
	await checkZoom(page, figure, svg);
	check("timelines: no console message, no request", problems);
	await page.close();
}

async function checkPinch(browser) {
	const { page } = await open(browser, url, { hasTouch: true, isMobile: true, viewport: { width: 390, height: 844 } });
	const figure = page.locator("figure.timeline:visible").first(), svg = figure.locator("> svg:visible, > div > svg:visible").first();
	await svg.scrollIntoViewIfNeeded();
	const data = await dataOf(figure), box = await svg.boundingBox(), session = await page.context().newCDPSession(page);
	const touch = (type, ...shares) => session.send("Input.dispatchTouchEvent", { type, touchPoints: shares.map((share, id) =>
		({ x: box.x + share * box.width, y: box.y + 30, id })) });
	await touch("touchStart", 0.4, 0.6);
	for (let i = 1; i <= 4; i++)
		await touch("touchMove", 0.4 - 0.05 * i, 0.6 + 0.05 * i);
	await touch("touchEnd");
	await frame(page);
	const [from, to] = (await stateOf(figure)).match(/[−\d.]+ (?:ns|µs|ms|s)/g)?.map(nanoseconds) ?? [];
	check("two fingers zoom", wrong(Math.abs((to - from) / (data.to - data.from) - 1 / 3) < 0.03, `from ${from} to ${to}`));
	await page.close();
}

// ---- code ----

// In one column a line that both sides have stands once, unless both sides have samples there.
async function checkNarrowCode(browser) {
	const { page } = await open(browser, url, { viewport: { width: 600, height: 900 } });
	const rows = await page.evaluate(() => {
		document.querySelectorAll("details").forEach((fold) => { fold.open = true; });
		return [...document.querySelectorAll(".code .same:not(.rest)")].filter((row) => row.checkVisibility())
			.map((row) => [...row.cells].map((cell) => ({ bar: Boolean(cell.querySelector(".stall")), seen: cell.checkVisibility() })));
	});
	check("code: a narrow page has the samples of both sides", [...wrong(rows.some(([, other]) => other.bar) && rows.some(([, other]) => !other.bar),
		`of ${rows.length} rows`), ...rows.filter(([one, other]) => !one.seen || other.seen !== other.bar).map((row) => JSON.stringify(row))]);
	await page.close();
}

// ---- tooltips ----

async function checkTips(browser) {
	const { page } = await open(browser, url);
	const problems = [], tip = page.locator("#tip");
	await page.evaluate(() => document.querySelectorAll("details").forEach((fold) => { fold.open = true; }));
	const marks = await page.evaluate(() => [...document.querySelectorAll("figure svg :not(svg):not(defs *):not(pattern)")]
		.filter((e) => e.checkVisibility() && (e.dataset.t || [...e.children].some((child) => child.localName === "title")))
		.map((e, i) => { e.setAttribute("data-mark", i); return e.dataset.t ?? e.querySelector("title").textContent; }));
	const step = Math.max(1, Math.floor(marks.length / MARKS));
	for (let i = 0; i < marks.length; i += step) {
		const mark = page.locator(`[data-mark="${i}"]`);
		await page.mouse.move(0, 0);
		await mark.evaluate((e) => e.scrollIntoView({ block: "center" }));
		await frame(page);
		await mark.hover({ force: true });
		const shown = (await tip.innerText()).trim(), box = await tip.boundingBox();
		if (shown !== marks[i].trim() && !marks.includes(shown))
			problems.push(`"${shown}" instead of "${marks[i]}"`);
		if (!box || box.x < 0 || box.x + box.width > 1440)
			problems.push(`"${marks[i]}" is told outside of the window`);
	}
	await page.mouse.move(0, 0);
	const left = await page.evaluate(() => [...document.querySelectorAll("[data-mark]:not([data-t])")].map((e) => e.querySelector("title").textContent));
	check("a mark's tooltip is its title", [...wrong(marks.length > 20, `${marks.length} marks`), ...problems]);
	check("titles are there again afterwards", wrong(left.every((text) => text), "a title is empty"));

	const figure = page.locator("figure.figure:has([data-mark])").first(), values = [];
	await figure.getByRole("button", { name: /save the figure/ }).focus();
	for (let i = 0; i < 3; i++) {
		await page.keyboard.press("ArrowDown");
		values.push((await tip.innerText()).trim());
	}
	await page.keyboard.press("ArrowUp");
	const own = await figure.locator("[data-mark]").evaluateAll((list) => list.map((e) => (e.dataset.t ?? e.querySelector("title").textContent).trim()));
	check("arrow keys read a figure's values", wrong(values.every((text) => own.includes(text)) && (await tip.innerText()).trim() === values[1], values.join("; ")));
	await page.close();
}

// ---- tables and files ----

// RFC 4180
function parseCsv(text) {
	return text.split("\r\n").slice(0, -1).map((line) => [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,"]*))/g)].map((m) => m[1]?.replaceAll('""', '"') ?? m[2]));
}

async function checkTables(browser) {
	const { page, problems } = await open(browser, url);
	await page.evaluate(() => document.querySelectorAll("details").forEach((fold) => { fold.open = true; }));
	await frame(page);
	// A table of our own, to know what must come of it.
	await page.evaluate(() => {
		const rows = [["+1+cmd|x!A0", "2.0 ms", "−3 %"], ["=b,\"c\"", "900 µs", "n/a"], ["-1/AA", "1.5 s", "+20 %"], ["-2.5 % to +1e+07 %", "30 ns", "4 %"]];
		const body = rows.map(([a, b, c]) => `<tr><th scope="row"></th><td>${b}</td><td>${c}</td></tr><tr class="detail"><td colspan="3">of ${b}</td></tr>`).join("");
		document.querySelector("main").insertAdjacentHTML("beforeend", `<details id="own" open><summary>x</summary><table class="data"><thead><tr><th>name</th><th>time</th><th>change</th></tr></thead>` +
			`<tbody>${body}<tr class="total"><th>all</th><td>9 s</td><td></td></tr></tbody></table></details>`);
		document.querySelectorAll("#own tbody tr:not(.detail, .total) th").forEach((th, i) => { th.textContent = rows[i][0]; });
	});
	await page.evaluate(() => dispatchEvent(new Event("resize")));
	const table = page.locator("#own table"), column = (i) => table.locator("tbody tr:not(.detail)").evaluateAll((rows, n) => rows.map((row) => row.cells[n].textContent), i);
	const orders = [];
	const head = table.getByRole("columnheader", { name: "time" }), button = head.getByRole("button");
	orders.push(await column(1));
	for (const how of ["click", "key", "click"]) {
		await (how === "click" ? head.click({ position: { x: 4, y: 4 } }) : button.press("Enter"));
		orders.push(await column(1), await head.getAttribute("aria-sort"));
	}
	await table.getByRole("columnheader", { name: "change" }).getByRole("button").click();
	const wanted = [["2.0 ms", "900 µs", "1.5 s", "30 ns", "9 s"], ["30 ns", "900 µs", "2.0 ms", "1.5 s", "9 s"], "ascending", ["1.5 s", "2.0 ms", "900 µs", "30 ns", "9 s"], "descending",
		["2.0 ms", "900 µs", "1.5 s", "30 ns", "9 s"], null, ["−3 %", "4 %", "+20 %", "n/a", ""]];
	orders.push(await column(2));
	check("tables sort by a column, whatever the units, and go back", wrong(JSON.stringify(orders) === JSON.stringify(wanted), JSON.stringify(orders)));
	const pairs = await table.locator("tbody tr.detail").evaluateAll((rows) => rows.every((row) => row.textContent === `of ${row.previousElementSibling.cells[1].textContent}`));
	check("details stay below their rows", wrong(pairs, "they do not"));
	const csv = await saved(page, () => page.locator("#own").getByRole("button", { name: "save the table as CSV" }).click());
	const cells = parseCsv(csv.text), wanted_cells = [["'+1+cmd|x!A0", "2.0 ms", "-3 %"], ["'=b,\"c\"", "900 µs", "n/a"], ["'-1/AA", "1.5 s", "+20 %"], ["-2.5 % to +1e+07 %", "30 ns", "4 %"]];
	check("CSV: every cell, quoted; no formula, and numbers as they are", wrong(wanted_cells.every((row) => JSON.stringify(cells).includes(JSON.stringify(row))), csv.text));

	const real = page.locator("details table.data:visible:not(#own table)"), bad = [];
	for (let i = 0; i < Math.min(FIGURES, await real.count()); i++) {
		const one = real.nth(i), shape = await one.evaluate((t) => [t.rows.length, Math.max(...[...t.rows].map((row) => [...row.cells].reduce((sum, cell) => sum + cell.colSpan, 0)))]);
		const rows = parseCsv((await saved(page, () => one.evaluate((t) => (t.closest(".scroll") ?? t).nextElementSibling.querySelector("button").click()))).text);
		if (rows.length !== shape[0] || Math.max(...rows.map((row) => row.length)) !== shape[1])
			bad.push(`table ${i} has ${shape}, its CSV ${rows.length}, ${rows[0].length}`);
	}
	check("CSV of the page's tables: as many rows and columns", bad);
	check("tables: no console message, no request", problems);
	await page.close();
}

// A table that is text without a script is a table with one: the same words, in as many lines.
async function checkTextTables(browser) {
	const openAll = (page) => page.evaluate(() => document.querySelectorAll("details").forEach((fold) => { fold.open = true; }));
	const plain = await open(browser, url, { javaScriptEnabled: false }), { page } = await open(browser, url);
	const texts = await plain.page.locator("pre.data").evaluateAll((list) => list.map((pre) => ({ name: pre.getAttribute("aria-label"),
		lines: pre.textContent.split("\n").filter(Boolean).length, words: pre.textContent.split(/\s+/).filter(Boolean).join(" ") })));
	check("without a script the columns of tables that are text stand in line", await plain.page.locator("pre.data").evaluateAll((list) =>
		list.filter((pre) => getComputedStyle(pre).tabSize !== "8").map((pre) => `${pre.getAttribute("aria-label")}: tabs of ${getComputedStyle(pre).tabSize}`)));
	await openAll(page);
	await frame(page);
	const tables = await page.locator("section.scroll[aria-label]:has(> table.data)").evaluateAll((list) => list.map((section) => ({ name: section.getAttribute("aria-label"),
		lines: section.querySelectorAll("tr").length, columns: new Set([...section.querySelectorAll("tr")].map((row) => row.cells.length)).size,
		words: [...section.querySelectorAll("th, td")].map((cell) => cell.textContent).join(" ").split(/\s+/).filter(Boolean).join(" ") })));
	check("tables that are text become tables that sort", texts.flatMap((text) => {
		const table = tables.find((each) => each.name === text.name && each.words === text.words);
		return wrong(table?.lines === text.lines && table.columns === 1, `${text.name}: ${JSON.stringify(table ?? tables.find((each) => each.name === text.name))?.slice(0, 300)}`);
	}));
	await plain.page.close();
	await page.close();
}

async function checkSvg(browser) {
	const { page } = await open(browser, url, { colorScheme: "dark" });
	await page.evaluate(() => document.querySelectorAll("details").forEach((fold) => { fold.open = true; }));
	await frame(page);
	const figures = page.locator("figure.figure:has(svg):visible"), bad = [];
	for (let i = 0; i < Math.min(FIGURES, await figures.count()); i++) {
		const figure = figures.nth(i), { name, text } = await saved(page, () => figure.getByRole("button", { name: /save the figure/ }).click());
		const path = join(folder, name), words = await figure.locator("svg:visible text:visible").evaluateAll((list) => list.map((e) => e.textContent));
		writeFileSync(path, text);
		const alone = await open(browser, address(path));
		const texts = await alone.page.locator("text").evaluateAll((list) => list.map((e) => e.textContent));
		const outside = await alone.page.locator("text").evaluateAll((list) => list.filter((e) => {
			const box = e.getBoundingClientRect(), all = document.documentElement.getBoundingClientRect();
			return box.width > 0 && (box.left < all.left || box.right > all.right || box.top < all.top || box.bottom > all.bottom);
		}).map((e) => e.textContent));
		bad.push(...alone.problems, ...(text.match(/var\(|class=|style=|(?:href|src)="(?!#)[^"]*"/g) ?? []).map((found) => `${name} has ${found}`),
			...words.filter((word) => !texts.includes(word)).map((word) => `${name} lacks "${word}"`), ...outside.map((word) => `${name}: "${word}" lies outside`),
			...wrong(/^<svg [^>]*><rect[^>]*fill="#ffffff"/.test(text), `${name} is not light`));
		await alone.page.close();
	}
	check("figures are saved as they are, whole, light, by themselves", bad);
	await page.close();
}

async function checkFrames(browser) {
	const { page } = await open(browser, url);
	await page.evaluate(() => document.querySelectorAll("details").forEach((fold) => { fold.open = true; }));
	await frame(page);
	const figure = page.locator("figure:has(g.frame):visible").first();
	if (await figure.count() > 0) {
		const count = await figure.locator("g.frame").count(), shown = () => figure.locator("g.frame:visible").evaluateAll((list) => list.map((g) => g.dataset.frame).join()), steps = [await shown()];
		await figure.getByRole("button", { name: "next frame" }).click();
		steps.push(await shown());
		await figure.getByRole("button", { name: "show all frames" }).click();
		steps.push((await shown()).split(",").length);
		check("still frames are shown one by one, or all", wrong(steps[0] !== steps[1] && !steps[0].includes(",") && !steps[1].includes(",") && steps[2] === count, steps.join("; ")));
	}
	await page.close();
}

// ---- without a script, in forced colours, with less motion ----

async function checkWithoutScript(browser) {
	const { page, problems } = await open(browser, url, { javaScriptEnabled: false });
	const fold = page.locator("details.family").nth(1);
	await fold.locator("> summary").click();
	const opens = await fold.evaluate((e) => e.open);
	await page.evaluate(() => document.querySelectorAll("details").forEach((e) => { e.open = true; }));
	const { unseen, tools, frames } = await page.evaluate(() => ({
		unseen: [...document.querySelectorAll("main td, main th, main figure, main p, main dd")].filter((e) => !e.checkVisibility() && !e.closest(".rest, .overview thead")).map((e) => e.textContent.slice(0, 40)),
		tools: document.querySelectorAll(".tools").length, frames: [...document.querySelectorAll("g.frame")].filter((e) => !e.checkVisibility()).length }));
	check("without a script folds open, and all numbers and figures are there", [...problems, ...wrong(opens, "a fold stays shut"), ...unseen.map((text) => `not to be seen: ${text}`),
		...wrong(tools === 0 && frames === 0, `${tools} tools, ${frames} hidden frames`)]);
	const rest = page.locator(".show-rest").first();
	if (await rest.count() > 0) {
		await rest.check();
		check("without a script measuring lines can be shown", wrong(await page.locator("tr.rest:visible").count() > 0, "none is there"));
	}
	await page.close();
}

// How much of an element is not its ground, seen: a share of its pixels.
async function inkOf(page, element) {
	const picture = (await element.screenshot()).toString("base64");
	return page.evaluate(async (data) => {
		const image = new Image();
		image.src = `data:image/png;base64,${data}`;
		await image.decode();
		const canvas = new OffscreenCanvas(image.width, image.height).getContext("2d");
		canvas.drawImage(image, 0, 0);
		const { data: pixels } = canvas.getImageData(0, 0, image.width, image.height), counts = new Map();
		for (let i = 0; i < pixels.length; i += 4) {
			const color = pixels[i] << 16 | pixels[i + 1] << 8 | pixels[i + 2];
			counts.set(color, (counts.get(color) ?? 0) + 1);
		}
		return 1 - Math.max(...counts.values()) / (pixels.length / 4);
	}, picture);
}

async function checkForcedColors(browser) {
	const { page } = await open(browser, url, { forcedColors: "active" });
	const bad = [];
	await page.evaluate(() => document.querySelectorAll("details").forEach((fold) => { fold.open = true; }));
	await frame(page);
	for (const [selector, share] of [["figure.timeline svg >> visible=true", 0.1], [".stall.w100, .stall.w9", 0.1], ["figure[id$='__durations'] svg >> visible=true", 0.02]]) {
		const element = page.locator(selector).first();
		const ink = await element.count() > 0 ? await inkOf(page, element) : 1;
		if (ink < share)
			bad.push(`${selector}: ${(100 * ink).toFixed(1)} % of it is drawn`);
	}
	check("in forced colours bars are there", bad);
	await page.close();
}

async function checkMotion(browser) {
	const { page } = await open(browser, url, { reducedMotion: "reduce" });
	await page.evaluate(() => {
		window.behaviours = [];
		const scroll = Element.prototype.scrollIntoView;
		Element.prototype.scrollIntoView = function (how) {
			window.behaviours.push(how?.behavior ?? "auto");
			return scroll.call(this, how);
		};
	});
	const table = page.locator("table.code:visible").first();
	if (await table.count() > 0) {
		await table.scrollIntoViewIfNeeded();
		await page.keyboard.press("n");
		const behaviours = await page.evaluate(() => window.behaviours);
		check("nothing scrolls smoothly for those who want less motion", wrong(behaviours.length > 0 && !behaviours.includes("smooth"), behaviours.join()));
	}
	await page.close();
}

await run(async (browser) => {
	for (const part of [checkLinks, checkContents, checkCopying, checkKeys, checkCode, checkNarrowCode, checkTimelines, checkPinch, checkTips, checkTables, checkTextTables, checkSvg, checkFrames, checkWithoutScript,
		checkForcedColors, checkMotion])
		await part(browser).catch((error) => check(part.name, [error.message]));
});
