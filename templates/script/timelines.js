// ---- timelines: zoom, selection ----

const COLORS = { h2d: "{{palette.h2d}}", kernel: "{{palette.kernel}}", d2h: "{{palette.d2h}}", other: "var(--ink-2)" };
const STRIP = [["h2d", 2], ["d2h", 4], ["other", 8], ["kernel", 1]]; // from above; bits of what runs at once
const PALE = { "fill-opacity": 0.3 };
const HINT = "drag selects, Shift + drag moves, Ctrl + wheel zooms; W A S D F";

const minus = (number) => String(Number(number)).replace("-", "−");
const clamp = (low, value, high) => Math.max(low, Math.min(value, high));

function time(ns) {
	const a = Math.abs(ns), [digits, unit] = a < 1e3 ? [0, "ns"] : a < 1e6 ? [3, "µs"] : a < 1e9 ? [6, "ms"] : [9, "s"];
	return `${minus((ns / 10 ** digits).toFixed(digits))} ${unit}`;
}

const span = (from, to) => `${time(from)} to ${time(to)}, ${time(to - from)}`;

// About `ticks` moments, 1, 2 or 5 times a power of ten apart, with numbers in the axis' unit.
function* moments(from, to, end, ticks) {
	const part = (to - from) / ticks, power = 10 ** Math.floor(Math.log10(part)), unit = [1, 1e3, 1e6].find((scale) => end < 2e3 * scale) ?? 1e9;
	const step = power * [1, 2, 5, 10].find((n) => n * power >= part);
	for (let t = Math.ceil(from / step) * step; t <= to; t += step)
		yield [t, minus((t / unit).toFixed(9))];
}

// When any of these events runs, within [from, to]: pairs in order, apart.
function union(events, from, to) {
	const parts = [];
	for (const [start, end] of [...events].sort((a, b) => a[0] - b[0])) {
		const last = parts.at(-1), a = Math.max(start, from), b = Math.min(end, to);
		if (last && a <= last[1])
			last[1] = Math.max(last[1], b);
		else if (a < b)
			parts.push([a, b]);
	}
	return parts;
}

const lengthOf = (parts) => parts.reduce((sum, [a, b]) => sum + b - a, 0);

// Busy, kernels, copies, overlap, idle in [from, to]; nothing where not every event is told.
function sums(run, from, to) {
	if (run.incomplete || run.lanes.some((lane) => !lane.events))
		return null;
	const of = (...classes) => union(run.lanes.filter((lane) => classes.includes(lane.class)).flatMap((lane) => lane.events), from, to);
	const busy = lengthOf(of(...Object.keys(COLORS))), kernels = of("kernel"), copies = of("h2d", "d2h");
	const overlap = lengthOf(copies.flatMap(([a, b]) => union(kernels, a, b))), length = Math.max(0, Math.min(to, run.span) - Math.max(from, 0));
	return [busy, lengthOf(kernels), lengthOf(copies), overlap, length - busy];
}

// One timeline: src/page/view/timeline.c tells what is where.

const keysOf = new Map();

function addTimeline(figure, { from, to, place, runs, texts }) {
	const svg = pictureOf(figure), whole = { from, to }, pointers = new Map();
	let selection = null, layer = null, selects = false, pointed = 0.5, width = 0;

	const around = () => svg.getBoundingClientRect();
	const momentAt = (share) => from + share * (to - from);
	const inSight = (events) => events.filter((event) => event[1] > from && event[0] < to);
	const laneY = (r, i) => place.panels[r].lanes + i * place.pitch;
	// In percent of the width.
	const x = (t) => 100 * clamp(-0.001, (t - from) / (to - from), 1.001);

	function show(start, end, selected = selection) {
		const length = clamp(20, end - start, whole.to - whole.from);
		selection = selected;
		from = clamp(whole.from, start, whole.to - length);
		to = from + length;
		draw();
	}

	function zoom(factor, share = 0.5) {
		const at = momentAt(share), length = (to - from) * factor;
		show(at - share * length, at + (1 - share) * length);
	}

	const pan = (share) => show(momentAt(share), momentAt(1 + share));
	const reset = () => show(whole.from, whole.to, null);

	const keys = { w: () => zoom(0.5, pointed), s: () => zoom(2, pointed), a: () => pan(-0.1), d: () => pan(0.1), 0: reset,
		f: () => selection && show(...selection, null), Escape: () => show(from, to, null) };

	function drag(held) {
		const [a, b] = pointers.values(), length = b && a.share !== b.share ? Math.abs((b.at - a.at) / (b.share - a.share)) : to - from;
		hush();
		if (selects)
			show(from, to, [held.at, momentAt(held.share)].map((t) => Math.round(clamp(from, t, to))).sort((c, d) => c - d));
		else
			show(a.at - a.share * length, a.at + (1 - a.share) * length);
	}

	const describe = (event, where) => event && [texts[event[2]], event.length === 4 ? where + ", other steps" : where, span(event[0], event[1])];

	// What is at a moment, y px below the top. Of several events that which starts last.
	function find(t, y) {
		const last = (events, miss) => events.filter((e) => e[0] - miss <= t && e[1] + miss >= t).sort((a, b) => b[0] - a[0])[0];
		for (const [r, run] of runs.entries()) {
			const panel = place.panels[r], depth = Math.floor((y - panel.ranges) / (place.range + 2));
			const lane = run.lanes[Math.floor((y - panel.lanes) / place.pitch)], share = lane?.share?.[Math.floor(t / run.span * lane.share.length)];
			if (depth >= 0 && depth < panel.depths)
				return describe(last(run.ranges.filter((e) => e[3] === depth), 0), "NVTX range");
			if (lane?.events)
				return describe(last(lane.events, (to - from) / 400), lane.name);
			if (share !== undefined)
				return [lane.name, `busy ${share} % of the slice at ${time(t)}`];
		}
	}

	function name(e, share) {
		const lines = find(momentAt(share), e.clientY - around().top);
		pointed = clamp(0, share, 1);
		if (lines && share === pointed)
			tell(lines, e.clientX, e.clientY);
		else
			hush();
	}

	ownValues.set(figure, () => runs.flatMap((run, r) => run.lanes.flatMap((lane, i) => inSight(lane.events ?? []).map((event) => {
		const { left, top, width: all } = around();
		return { lines: describe(event, lane.name), x: left + all * (x(event[0]) + x(event[1])) / 200, y: top + laneY(r, i) + place.lane };
	}))));

	// The part in sight, the selection, its sums.

	function draw() {
		const zoomed = from > whole.from || to < whole.to;
		figure.classList.toggle("zoomed", zoomed);
		width = around().width;
		all(":scope > .layer", svg).forEach((last) => last.remove());
		layer = svg;
		if (zoomed || selection)
			layer = add("svg", { class: "layer", width: "100%", height: place.bottom + 24 });
		if (zoomed)
			drawPart();
		if (selection)
			box(selection, 0, place.bottom, "var(--ink)", { "fill-opacity": 0.12, stroke: "var(--ink)" });
		sumUp(selection ?? [from, to].map(Math.round), selection || zoomed);
	}

	function sumUp([start, end], shown) {
		const text = (selection ? "selected: " : "") + span(start, end);
		const row = (tag, first, cells) => make("tr", {}, make("th", {}, first), ...cells.map((cell) => make(tag, {}, cell)));
		state.textContent = shown ? text : HINT;
		below.replaceChildren(...shown ? [make("table", { className: "numbers sums" }, make("caption", {}, text),
			row("th", "", ["busy", "kernels", "copies", "overlap", "idle"]), ...runs.map((run) =>
				row("td", run.title, sums(run, start, end)?.map(time) ?? ["too many events for sums"])))] : []);
	}

	const add = (...what) => shape(layer, ...what);
	const box = ([start, end], y, height, fill, more) =>
		add("rect", { x: x(start) + "%", width: Math.max(0.03, x(end) - x(start)) + "%", y, height, fill, ...more });
	const line = (x1, x2, y1, y2) => add("line", { x1, x2, y1, y2, stroke: "var(--grid)" });

	// With the figure's texture, if it has one.
	function color(kind) {
		const texture = svg.querySelector(`pattern[id$="-${kind}"]`)?.id;
		return texture ? `url(#${texture})` : COLORS[kind];
	}

	// Of events within one pixel, one; in each the first text that has room, at 7 px a letter. No fill: its own.
	function drawEvents(events, y, height, fill, textsOf, inside) {
		let drawn = -1;
		for (const event of inSight(events)) {
			if (x(event[1]) < drawn + 50 / width)
				continue;
			const room = width * (x(event[1]) - x(event[0])) / 100 - 8, text = textsOf(texts[event[2]]).find((t) => 7.2 * t.length < room);
			drawn = x(event[1]);
			box(event, y, height, fill ?? texts[event[4]], { ...event[3] >= 0 && PALE, ...room > 0 && { stroke: "var(--paper)" } });
			if (text)
				add("text", { x: x(event[0]) + "%", dx: 4, y: y + height / 2 + 4.5, fill: "var(--ink)", ...event[3] >= 0 || inside }, text);
		}
	}

	function drawLane(run, lane, y) {
		const length = run.span / lane.share?.length;
		line(0, "100%", y + place.lane, y + place.lane);
		drawEvents(lane.events ?? [], y, place.lane, color(lane.class), (text) => text.match(/^[^(<]*/),
			{ fill: "{{palette.on_color}}", stroke: COLORS[lane.class], "stroke-width": 3, "paint-order": "stroke" });
		for (const [start, end, share] of inSight(lane.share?.map((part, k) => [k * length, (k + 1) * length, part / 100]) ?? []))
			box([start, end], y + place.lane * (1 - share), place.lane * share, COLORS[lane.class], lane.others && PALE);
	}

	function drawPart() {
		line(0, "100%", place.bottom, place.bottom);
		for (const [t, text] of moments(from, to, whole.to, width / 90)) {
			line(x(t) + "%", x(t) + "%", 0, place.bottom);
			add("text", { x: x(t) + "%", y: place.bottom + 18, fill: "var(--ink-2)", "text-anchor": "middle" }, text);
		}
		runs.forEach((run, r) => {
			const panel = place.panels[r];
			for (let depth = 0; depth < panel.depths; depth++)
				drawEvents(run.ranges.filter((e) => e[3] === depth), panel.ranges + depth * (place.range + 2), place.range, null,
					(text) => [text, text.split("/").pop()]);
			run.lanes.forEach((lane, i) => drawLane(run, lane, laneY(r, i)));
			for (const part of inSight(run.strip)) {
				const kinds = part[2] ? STRIP.filter(([, bit]) => part[2] & bit) : [["idle"]], height = place.lane / kinds.length;
				kinds.forEach(([kind], i) => box(part, panel.strip + i * height, height, color(kind)));
			}
		});
	}

	const on = (event, action) => svg.addEventListener(event, (e) => action(e, (e.clientX - around().left) / around().width), { passive: false });
	on("pointerdown", (e, share) => {
		svg.setPointerCapture(e.pointerId);
		pointers.set(e.pointerId, { at: momentAt(share), share });
		selects = pointers.size === 1 && !e.shiftKey;
	});
	on("pointermove", (e, share) => {
		const held = pointers.get(e.pointerId);
		if (held)
			drag(Object.assign(held, { share }));
		else
			name(e, share);
	});
	on("lostpointercapture", (e) => {
		pointers.delete(e.pointerId);
		if (selection && selection[1] - selection[0] < (to - from) / 250)
			show(from, to, null);
	});
	on("pointerleave", hush);
	on("click", name);
	on("dblclick", reset);
	// Without Ctrl the page scrolls.
	on("wheel", (e, share) => {
		if (e.ctrlKey && share === clamp(0, share, 1)) {
			e.preventDefault();
			zoom(e.deltaY > 0 ? 1.25 : 0.8, share);
		}
	});
	const state = make("span", { ariaLive: "polite" }, HINT), below = make("div", { className: "scroll" });
	svg.before(toolbar("Zoom the time axis", tool("+", "zoom in", () => zoom(0.5)), tool("−", "zoom out", () => zoom(2)),
		tool("←", "earlier", () => pan(-0.25)), tool("→", "later", () => pan(0.25)), tool("reset", "reset: show the whole", reset), state));
	svg.after(below);
	all("text[x$='%']", svg).filter((text) => text.getAttribute("y") < place.bottom + 26).forEach((text) => text.classList.add("moment"));
	keysOf.set(figure, keys);
}

whenSeen("figure.timeline:has(script)", (figure) => addTimeline(figure, JSON.parse(figure.querySelector("script").textContent)));

// Of that with the focus, or that under the pointer.
onKey((e) => [":focus-within", ":hover"].map((how) => keysOf.get(document.querySelector("figure.timeline" + how))).find(Boolean)?.[e.key]);
