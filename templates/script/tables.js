// ---- tables: sorted, saved as CSV ----

// What a cell holds in each column that it spans.
const cellsOf = (row) => [...row.cells].flatMap((cell) => Array(cell.colSpan).fill(cell));

const UNITS = { ns: 1e-9, "µs": 1e-6, ms: 1e-3, k: 1e3, M: 1e6, G: 1e9, T: 1e12, Ki: 2 ** 10, Mi: 2 ** 20, Gi: 2 ** 30 };
const NUMBER = /^[~≤≥<>+]?\s*([−-]?)(\d[\d,.]*(?:e[+-]?\d+)?)\s*(ns|µs|ms|[KMG]i|[kMGT](?=B|F|H|\b))?/;

// A text's first number, with its unit's prefix; NaN if it begins with none.
function numberIn(text) {
	const [, sign, digits, unit] = text.match(NUMBER) ?? [];
	return (sign ? -1 : 1) * Number(digits?.replaceAll(",", "")) * (UNITS[unit] ?? 1);
}

// Rows with what belongs to each: a row of details stays below its own.
function groupsOf(body) {
	const groups = [];
	for (const row of body.rows)
		if (row.matches(".detail") && groups.length > 0)
			groups[groups.length - 1].push(row);
		else
			groups.push([row]);
	return groups;
}

const textOf = (cell) => cell.textContent.replace(/\s+/g, " ").trim();

// Numbers before words; what is not there comes last, whichever way.
function compareCells(a, b, way) {
	const [x, y] = [a, b].map(numberIn), [absent, other] = [a, b].map((text) => /^(–|n\/a|)$/.test(text));
	return absent - other || isNaN(x) - isNaN(y) || way * (x - y || a.localeCompare(b, "en", { numeric: true }));
}

function sortBody(body, original, column, way) {
	const rank = ([row]) => row.matches(".set, .divide") ? -1 : row.matches(".total") ? 1 : 0;
	const key = ([row]) => textOf(cellsOf(row)[column] ?? row);
	body.append(...[...original].sort((a, b) => rank(a) - rank(b) || way && compareCells(key(a), key(b), way)).flat());
}

function addSorting(table) {
	const heads = [...[...table.tHead.rows].at(-1).cells], originals = [...table.tBodies].map((body) => [body, groupsOf(body)]);
	if (!originals.some(([, groups]) => groups.length > 2))
		return;
	heads.forEach((head, column) => {
		const linked = head.querySelector("a"), button = tool("", linked || !textOf(head) ? "sort" : null, () => sort(column));
		button.classList.add("sort");
		button.append(...linked ? [] : head.childNodes);
		head.prepend(button);
		head.addEventListener("click", (e) => e.target.closest("a, button") || sort(column));
	});

	function sort(column) {
		const [next, way] = { null: ["ascending", 1], ascending: ["descending", -1], descending: [null, 0] }[heads[column].ariaSort];
		heads.forEach((head, i) => { head.ariaSort = i === column ? next : null; });
		originals.forEach(([body, groups]) => sortBody(body, groups, column, way));
	}
}

// A spreadsheet takes what begins so for a formula, but numbers.
const harmless = (text) => (/^[=@+-]/.test(text) && !text.split(" to ").every((part) => /^[+−-]?[\d.,]+(e[+-]\d+)?( ?[%×\p{L}][\p{L}/]*)?$/u.test(part)) ? "'" : "") + text;
const quoted = (text) => /[",\n]/.test(text) ? `"${text.replace(/"/g, '""')}"` : text;

function csvOf(table) {
	const line = (row) => cellsOf(row).map((cell, i, cells) => cell === cells[i - 1] ? "" : quoted(harmless(textOf(cell).replace(/^−/, "-"))));
	return [...table.rows].map((row) => line(row).join(",") + "\r\n").join("");
}

function addTools(table) {
	const title = table.caption?.textContent ?? table.closest("[aria-label]")?.ariaLabel ?? "", name = `${table.closest("[id]").id} ${title}`;
	if (table.tHead)
		addSorting(table);
	(table.closest(".scroll") ?? table).after(toolbar("Table: " + title,
		tool("CSV", "save the table as CSV", () => save(name, ".csv", "text/csv", csvOf(table)))));
}

// A table that is text: where three places are blank in every line, a column ends. A tab leads to a multiple of 8.
whenSeen("pre.data", (pre) => {
	const lines = pre.textContent.split("\n").filter(Boolean).map((line) => [...line.replace(/(.*?)\t/g, (part, text) => text.padEnd(8 * Math.ceil(part.length / 8)))]), longest = lines.reduce((a, b) => a.length < b.length ? b : a);
	const used = longest.map((_, i) => lines.some((line) => line[i]?.trim()) ? "x" : " ").join(""), ends = [...used.matchAll(/(?<= {3})x/g)].map((match) => match.index);
	const row = (line, tag) => make("tr", {}, ...[0, ...ends].map((start, i) => make(i ? tag : "th", {}, line.slice(start, ends[i]).join("").trim())));
	const table = make("table", { className: "data numbers from-text" }, make("thead", {}, row(lines[0], "th")), make("tbody", {}, ...lines.slice(1).map((line) => row(line, "td"))));
	pre.replaceWith(make("section", { className: "scroll", role: "group", ariaLabel: pre.ariaLabel }, table));
	addTools(table);
});

whenSeen("table.data:not(.from-text)", addTools);
