// node figures.mjs PAGE: holds the budgets of figures: bytes and elements of each kind, text of 11 px at least, ids that
// stand once. Needs no browser. The figures of a kind are those whose name ends so, before what tells them apart.
import { readFileSync } from "node:fs";

// At most, for all figures of a kind in the page of the recording that ships: KB and elements.
const BUDGET = {
	inside: [110, 420],
	pm: [50, 340],
	timeline: [25, 300],
	durations: [32, 280],
	curve: [10, 130],
	heat: [40, 450],
	small: [18, 210],
	stalls: [22, 250],
	wait: [15, 90],
	speedup: [8, 100],
	steps: [26, 250],
	why: [120, 1350],
};

// The figures of one column that say why: names of their own, one budget.
const WHY = /-(time|time-row|waterfall|roofline|frames|ladder(-\d+)?)$|-explains-/;
const NARROWEST = 288; // px that a page of 320 has for a figure

const page = readFileSync(process.argv[2], "utf8");
let failed = false;

function check(name, bad) {
	console.log(`${bad.length === 0 ? "ok" : "not ok"} - ${name}`);
	bad.slice(0, 8).forEach((line) => console.log(`#   ${line}`));
	failed ||= bad.length > 0;
}

// Each picture of the page, with the pictures in it.
function pictures() {
	const list = [];
	let depth = 0, start = 0;
	for (const match of page.matchAll(/<svg\b|<\/svg>/g)) {
		if (match[0] === "</svg>" && --depth === 0)
			list.push(page.slice(start, match.index + match[0].length));
		else if (match[0] !== "</svg>" && depth++ === 0)
			start = match.index;
	}
	return list.filter((svg) => svg.includes("aria-labelledby"));
}

function kindOf(svg) {
	const name = /aria-labelledby="(\S+?)-title/.exec(svg)[1];
	return WHY.test(name) ? "why" : Object.keys(BUDGET).find((kind) => new RegExp(`-${kind}(-zoom|-\\d+)?$|-${kind}-`).test(name)) ?? name;
}

const svgs = pictures(), sums = new Map();
for (const svg of svgs) {
	const sum = sums.get(kindOf(svg)) ?? [0, 0, 0];
	sums.set(kindOf(svg), [sum[0] + Buffer.byteLength(svg) / 1000, sum[1] + svg.match(/<[a-z]/g).length, sum[2] + 1]);
}
for (const [kind, [kb, elements, n]] of sums) {
	const [mostKb, mostElements] = BUDGET[kind] ?? [Infinity, Infinity];
	check(`${kind}: ${n} figures, ${kb.toFixed(1)} KB, ${elements} elements`, [
		...(kb > mostKb ? [`more than ${mostKb} KB`] : []), ...(elements > mostElements ? [`more than ${mostElements} elements`] : [])]);
}
check("the recording has figures of each kind", Object.keys(BUDGET).filter((kind) => !sums.has(kind)).map((kind) => `no ${kind}`));

const ids = svgs.flatMap((svg) => [...svg.matchAll(/ id="([^"]+)"/g)].map((match) => match[1])), seen = new Set();
check("every id of a figure stands once", ids.filter((id) => seen.has(id) || !seen.add(id)));
check("what a figure refers to is in it", svgs.flatMap((svg) => [...svg.matchAll(/url\(#([^)]+)\)|href="#([^"]+)"/g)]
	.map((match) => match[1] ?? match[2]).filter((id) => !svg.includes(` id="${id}"`))));

// A picture that stretches has texts of the page's size; another is scaled down to the narrowest page.
check("no text is under 11 px at any width", svgs.flatMap((svg) => {
	const box = /^<svg[^>]* viewBox="\S+ \S+ (\S+) /.exec(svg), scale = box ? Math.min(1, NARROWEST / Number(box[1])) : 1;
	return [...svg.matchAll(/font-size="([^"]+)"/g)].map((match) => Number(match[1]) * scale).filter((px) => px < 10.99)
		.map((px) => `${kindOf(svg)}: ${px.toFixed(2)} px`);
}));
const kb = [...sums.values()].reduce((sum, each) => sum + each[0], 0);
check(`all figures: ${kb.toFixed(0)} KB`, kb > 450 ? ["more than 450 KB"] : []);
process.exit(failed ? 1 : 0);
