// ---- code: hot lines ----

// Lines with a fifth of the longest bar and more; where none was sampled, the first line of each difference.
function hotLines(table) {
	const rows = [...table.tBodies[0].rows].filter(seen);
	const hot = rows.filter((row) => all(".stall", row).some((bar) => bar.className.match(/\bw(\d+)/)?.[1] >= 20));
	return hot.length > 0 ? hot : rows.filter((row, i) => !row.matches(".same") && (i === 0 || rows[i - 1].matches(".same")));
}

function jump(table, by) {
	const lines = hotLines(table), last = lines.findIndex((row) => row.matches(".on")), line = lines.at((Math.max(last, by < 0 ? 0 : -1) + by) % lines.length);
	if (!line)
		return;
	lines[last]?.classList.remove("on");
	line.classList.add("on");
	line.scrollIntoView({ block: "center", behavior: matchMedia("(prefers-reduced-motion: reduce)").matches ? "auto" : "smooth" });
	table.previousElementSibling.lastChild.textContent = [`${lines.indexOf(line) + 1} of ${lines.length}`, ...all("td:has(.stall:not(:empty))", line).map((cell) =>
		`line ${cell.dataset.n}: ${cell.querySelector(".stall").textContent}`)].join(", ");
}

whenSeen("table.code", (table) => {
	const rest = table.parentElement.querySelector(".show-rest");
	table.before(toolbar("Hot lines", tool("‹ hot line", "p: hot line before", () => jump(table, -1)), tool("hot line ›", "n: next hot line", () => jump(table, 1)),
		make("span", { ariaLive: "polite" })));
	if (rest)
		Object.assign(rest, { className: "show-rest tool", tabIndex: -1 });
});

onKey((e) => {
	const by = { n: 1, p: -1 }[e.key], tables = all("table.code").filter((table) => {
		const { top, bottom } = table.getBoundingClientRect();
		return seen(table) && top < innerHeight && bottom > 0;
	});
	const table = tables.find((each) => each.closest("details")?.contains(document.activeElement)) ?? tables[0];
	return by && table && (() => jump(table, by));
});
