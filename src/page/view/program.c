/* program.c: a recording without families: what would pay, the timeline of the whole, and its tables. */
#include "page/view/view.h"

#include <math.h>
#include <string.h>

#include "tree/tree.h"

/* What of the timeline has no room in its figure, in words; null if all has. */
static json_t *left_out(const json_t *program)
{
	const json_t *timeline = json_object_get(program, "timeline");
	size_t all = json_array_size(json_object_get(timeline, "lanes"));
	double ranges = tree_real(timeline, "ranges_left_out"), missing = tree_real(timeline, "lanes_left_out");
	struct timeline_layout layout;
	size_t shown = 0;

	timeline_program(&layout, program);
	for (int p = 0; p < layout.npanels; p++)
		shown += layout.panel[p].nlanes;
	if (tree_has(program, "unusual_gpus") && (missing > 0 || layout.panels_left_out > 0))
		return view_text("GPUs that differ from the others are drawn first, then the busiest: %d panels with "
				 "%zu of %.0f "
				 "lanes. report.json has %zu.",
			layout.npanels, shown, (double)all + fmax(0, missing), all);
	if (missing > 0) /* not even report.json has all: how many processes there are, the lanes do not tell */
		return view_text(
			"The busiest processes and streams are drawn: %zu of %.0f lanes. report.json has the %zu with "
			"the most work.",
			shown, (double)all + missing, all);
	if (layout.panels_left_out > 0)
		return view_text(
			"The %d busiest of %zu processes on GPUs are drawn, in each the busiest streams: %zu of %zu "
			"lanes. All are "
			"in report.json.",
			layout.npanels, (size_t)layout.npanels + layout.panels_left_out, shown, all);
	if (layout.lanes_left_out > 0)
		return view_text("The busiest streams of each GPU are drawn: %zu of %zu lanes. All are in report.json.",
			shown, all);
	if (ranges > 0)
		return view_text("The longest NVTX ranges are drawn; %.0f shorter ones are left out.", ranges);
	return json_null();
}

void view_program(struct view *view, json_t *page)
{
	const json_t *program = json_object_get(view->recording, "program");
	json_t *out;

	if (!json_is_object(program))
		return;
	out = json_object();
	view_pays(view, out);
	view_work_tables(view, out);
	view_loops(program, out);
	view_communication(program, out);
	view_put_figure(view, out, "figure", NULL, "timeline");
	put_json(out, "left_out", left_out(program));
	view_put_text(out, "unusual", tree_text(program, "unusual_gpus"));
	if (tree_has(out, "figure"))
		put_json(out, "data", view_timeline(timeline_program, program));
	put_json(page, "program", out);
}
