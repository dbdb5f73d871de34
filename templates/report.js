// Hover or tap on a timeline names the event under the pointer; wheel, drag, buttons and keys zoom and pan time, the same
// for both runs of a family. The page says everything without it.
(function () {
	"use strict";

	const SVG = "http://www.w3.org/2000/svg";
	const COLOR = { h2d: "{{palette.h2d}}", kernel: "{{palette.kernel}}", d2h: "{{palette.d2h}}", other: "var(--ink-2)" };
	// Of the strip: what runs, in the order in which it is drawn from above.
	const STRIP = [[2, "h2d"], [4, "d2h"], [8, "other"], [1, "kernel"]];
	const HINT = "Ctrl + wheel zooms, dragging moves";
	const tip = document.getElementById("tip");

	// To the nanosecond, in the unit that is fit for `like`.
	function time(ns, like = ns) {
		const a = Math.abs(like);
		const [digits, unit] = a < 1e3 ? [0, "ns"] : a < 1e6 ? [3, "µs"] : a < 1e9 ? [6, "ms"] : [9, "s"];
		const text = (Math.abs(ns) / Math.pow(10, digits)).toFixed(digits);
		return (ns < 0 ? "\u2212" : "") + (digits > 0 ? text.replace(/\.?0+$/, "") : text) + " " + unit;
	}

	function element(name, attributes, parent) {
		const e = document.createElementNS(SVG, name);
		for (const key in attributes)
			e.setAttribute(key, attributes[key]);
		parent.appendChild(e);
		return e;
	}

	// A step of 1, 2, 2.5 or 5 times a power of ten that divides `span` into about `ticks` parts.
	function niceStep(span, ticks) {
		const power = Math.pow(10, Math.floor(Math.log10(span / ticks)));
		return [1, 2, 2.5, 5, 10].find((n) => n * power >= span / ticks * 0.999) * power;
	}

	// Of the events that run at t, or miss it by `slack`, the one that starts last.
	function eventAt(events, t, slack) {
		let found = null;
		for (const event of events) {
			if (event[0] - slack > t)
				continue;
			if (event[1] + slack >= t && (!found || event[0] >= found[0]))
				found = event;
		}
		return found;
	}

	function shareAt(run, lane, t) {
		const i = Math.floor(t / run.span * lane.share.length);
		return i >= 0 && i < lane.share.length ? lane.share[i] : null;
	}

	class Timeline {
		constructor(figure, data) {
			this.figure = figure;
			this.data = data;
			this.from = data.from;
			this.to = data.to;
			this.svg = figure.querySelector("svg.e");
			this.name = this.svg.querySelector("title").id.replace(/-title$/, "");
			this.layer = null;
			this.addButtons();
			this.listen();
			new ResizeObserver(() => this.redraw()).observe(this.svg);
		}

		addButtons() {
			const bar = document.createElement("div");
			bar.className = "zoom";
			bar.setAttribute("role", "group");
			bar.setAttribute("aria-label", "Zoom the time axis");
			const buttons = [
				["+", "zoom in", () => this.zoom(0.5, 0.5)],
				["\u2212", "zoom out", () => this.zoom(2, 0.5)],
				["←", "earlier", () => this.pan(-0.25)],
				["→", "later", () => this.pan(0.25)],
				["reset", "show the whole", () => this.show(this.data.from, this.data.to)],
			];
			for (const [text, label, action] of buttons) {
				const button = document.createElement("button");
				button.type = "button";
				button.textContent = text;
				button.setAttribute("aria-label", label);
				button.addEventListener("click", action);
				bar.appendChild(button);
			}
			this.state = document.createElement("span");
			this.state.setAttribute("aria-live", "polite");
			this.state.textContent = HINT;
			bar.appendChild(this.state);
			this.figure.insertBefore(bar, this.figure.firstChild);
			bar.addEventListener("keydown", (e) => this.key(e));
		}

		key(e) {
			const actions = {
				"+": () => this.zoom(0.5, 0.5),
				"-": () => this.zoom(2, 0.5),
				ArrowLeft: () => this.pan(-0.1),
				ArrowRight: () => this.pan(0.1),
				0: () => this.show(this.data.from, this.data.to),
			};
			if (!actions[e.key] || e.ctrlKey || e.metaKey || e.altKey)
				return;
			actions[e.key]();
			e.preventDefault();
		}

		listen() {
			const svg = this.svg;
			let drag = null;
			svg.addEventListener("pointermove", (e) => {
				if (drag) {
					const p = this.point(e);
					this.show(drag.from - p.dt + drag.dt, drag.to - p.dt + drag.dt);
				} else {
					this.tell(e);
				}
			});
			svg.addEventListener("pointerdown", (e) => {
				this.tell(e);
				if (e.pointerType !== "mouse" || !this.zoomed())
					return;
				drag = { from: this.from, to: this.to, dt: this.point(e).dt };
				svg.setPointerCapture(e.pointerId);
				tip.hidden = true;
			});
			svg.addEventListener("pointerup", () => { drag = null; });
			svg.addEventListener("pointercancel", () => { drag = null; });
			svg.addEventListener("pointerleave", () => { tip.hidden = true; });
			svg.addEventListener("wheel", (e) => {
				const p = this.point(e);
				// Without a modifier the page scrolls, as everywhere.
				if (!(e.ctrlKey || e.shiftKey) || p.share < 0 || p.share > 1)
					return;
				e.preventDefault();
				this.zoom(e.deltaY + e.deltaX > 0 ? 1.25 : 0.8, p.share);
			}, { passive: false });
		}

		// Where the pointer is: share of the plot's width, moment, distance in time from the left edge, y in the plot.
		point(e) {
			const box = this.svg.getBoundingClientRect();
			const share = (e.clientX - box.left) / box.width, dt = share * (this.to - this.from);
			return { share, dt, t: this.from + dt, y: e.clientY - box.top, px: (this.to - this.from) / box.width };
		}

		// Texts for what is at a point, or null.
		find(p) {
			const slack = 2 * p.px, place = this.data.place;
			for (let r = 0; r < this.data.runs.length; r++) {
				const run = this.data.runs[r], panel = place.panels[r];
				const depth = Math.floor((p.y - panel.ranges) / (place.range + 2));
				if (depth >= 0 && depth < panel.depths)
					return this.describe(eventAt(run.ranges.filter((x) => x[3] === depth), p.t, 0), "NVTX range");
				const i = Math.floor((p.y - panel.lanes) / place.pitch), lane = run.lanes[i];
				if (i < 0 || !lane)
					continue;
				if (lane.events)
					return this.describe(eventAt(lane.events, p.t, slack), lane.name);
				const share = shareAt(run, lane, p.t);
				return share === null ? null : [lane.name, "busy " + share + " % of the slice at " + time(p.t)];
			}
			return null;
		}

		describe(event, where) {
			if (!event)
				return null;
			return [this.data.texts[event[2]], where,
				time(event[0]) + " to " + time(event[1]) + ", lasts " + time(event[1] - event[0])];
		}

		tell(e) {
			const p = this.point(e);
			const lines = p.share >= 0 && p.share <= 1 ? this.find(p) : null;
			tip.hidden = !lines;
			if (!lines)
				return;
			tip.replaceChildren(...lines.map((line) => {
				const div = document.createElement("div");
				div.textContent = line;
				return div;
			}));
			const box = tip.getBoundingClientRect();
			const below = e.clientY + 18 + box.height < window.innerHeight;
			tip.style.left = Math.max(8, Math.min(e.clientX + 12, window.innerWidth - box.width - 8)) + "px";
			tip.style.top = (below ? e.clientY + 18 : e.clientY - box.height - 12) + "px";
		}

		zoomed() {
			return this.from > this.data.from || this.to < this.data.to;
		}

		zoom(factor, share) {
			const at = this.from + share * (this.to - this.from);
			this.show(at - share * (this.to - this.from) * factor, at + (1 - share) * (this.to - this.from) * factor);
		}

		pan(share) {
			const by = share * (this.to - this.from);
			this.show(this.from + by, this.to + by);
		}

		show(from, to) {
			const whole = this.data.to - this.data.from, length = Math.max(20, Math.min(whole, to - from));
			this.from = Math.max(this.data.from, Math.min(from, this.data.to - length));
			this.to = this.from + length;
			const zoomed = this.zoomed();
			this.figure.classList.toggle("zoomed", zoomed);
			this.state.textContent = zoomed ? time(Math.round(this.from), this.to) + " to " + time(Math.round(this.to)) : HINT;
			this.redraw();
		}

		redraw() {
			if (this.layer)
				this.layer.remove();
			this.layer = this.zoomed() ? this.draw() : null;
		}

		// Draws the part of time over the plot, in the same places. Names of lanes, titles and the axis' own stay.
		draw() {
			const place = this.data.place, width = this.svg.getBoundingClientRect().width;
			const layer = element("svg", { width, height: place.height }, this.svg);
			const x = (t) => (t - this.from) / (this.to - this.from) * width;
			const box = (start, end, y, h, fill, opacity = 1) => {
				if (end >= this.from && start <= this.to)
					element("rect", { x: Math.max(-2, x(start)), y, height: h, fill, "fill-opacity": opacity,
						width: Math.max(0.3, Math.min(width + 2, x(end)) - Math.max(-2, x(start))) }, layer);
			};
			const words = (start, end, y, text) => {
				const from = Math.max(0, x(start)), to = Math.min(width, x(end));
				if (to - from > 8 * text.length + 10)
					element("text", { x: from + 5, y: y + 5, fill: "var(--ink)" }, layer).textContent = text;
			};
			this.data.runs.forEach((run, r) => {
				const panel = place.panels[r], end = panel.lanes + (run.lanes.length + 1) * place.pitch;
				element("rect", { y: panel.ranges, width, height: end - panel.ranges, fill: "var(--paper)" }, layer);
			});
			this.drawAxis(layer, place, width, x);
			this.data.runs.forEach((run, r) => {
				const panel = place.panels[r];
				for (const range of run.ranges) {
					const y = panel.ranges + range[3] * (place.range + 2);
					box(range[0], range[1], y, place.range, run.color, 0.3);
					words(range[0], range[1], y + place.range / 2, this.data.texts[range[2]]);
				}
				for (const part of run.strip)
					this.drawPart(part, panel.strip, place.lane, box);
				run.lanes.forEach((lane, i) => this.drawLane(run, lane, panel.lanes + i * place.pitch, place.lane, box));
			});
			return layer;
		}

		fill(kind) {
			return kind === "d2h" || kind === "idle" ? "url(#" + this.name + "-" + kind + ")" : COLOR[kind];
		}

		// What runs at once shares the height.
		drawPart(part, y, height, box) {
			const rows = STRIP.filter(([work]) => part[2] & work);
			if (rows.length === 0)
				box(part[0], part[1], y, height, this.fill("idle"));
			rows.forEach(([, kind], i) =>
				box(part[0], part[1], y + height / rows.length * i, height / rows.length, this.fill(kind)));
		}

		drawAxis(layer, place, width, x) {
			const step = niceStep(this.to - this.from, width < 500 ? 3 : 6);
			element("rect", { y: place.bottom + 1, x: -20, width: width + 40, height: 24, fill: "var(--paper)" }, layer);
			for (let t = Math.ceil(this.from / step) * step; t <= this.to; t += step) {
				element("line", { x1: x(t), x2: x(t), y1: place.panels[0].ranges, y2: place.bottom, stroke: "var(--grid)" },
					layer);
				element("text", { x: x(t), y: place.bottom + 18, fill: "var(--ink-2)", "text-anchor": "middle" }, layer)
					.textContent = time(Math.round(t), this.to);
			}
			for (const y of place.panels.flatMap((panel, r) =>
				this.data.runs[r].lanes.map((_, i) => panel.lanes + i * place.pitch + place.lane)))
				element("line", { x1: 0, x2: width, y1: y, y2: y, stroke: "var(--grid)" }, layer);
		}

		drawLane(run, lane, y, height, box) {
			const n = lane.share ? lane.share.length : 0;
			for (let i = 0; i < n; i++) {
				const h = height * lane.share[i] / 100;
				if (h > 0)
					box(run.span * i / n, run.span * (i + 1) / n, y + height - h, h, this.fill(lane.class));
			}
			for (const event of lane.events || [])
				box(event[0], event[1], y, height, this.fill(lane.class));
		}
	}

	for (const figure of document.querySelectorAll("figure.timeline"))
		new Timeline(figure, JSON.parse(figure.querySelector("script").textContent));
	document.addEventListener("scroll", () => { tip.hidden = true; }, { passive: true });
})();
