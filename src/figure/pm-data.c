/* pm-data.c: the curves of PM sampling, see pm-data.h. */
#include "figure/pm-data.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "figure/canvas.h"
#include "tree/tree.h"
#include "util/alloc.h"
#include "util/axis.h"
#include "util/format.h"
#include "util/formula.h"

static const struct pm_graph graphs[PM_GRAPHS] = {
	{"SMs", "SMs", "%",
		{{"pm_occupancy", "occupancy of peak", "occupancy"}, {"pm_active_sms", "active SMs", "active SMs"}}},
	{"PCIe", "PCIe", "GB/s",
		{{"pm_pcie_read", "read by the GPU", "read"}, {"pm_pcie_write", "written by the GPU", "written"}}},
	{"DRAM", "DRAM", "GB/s", {{"pm_dram_read", "read", "read"}, {"pm_dram_write", "written", "written"}}},
};

static const struct {
	const char *key, *words, *brief;
} lanes[PM_LANES] = {
	{"h2d", "host to device", "H2D"},
	{"kernel", "kernel", "kernel"},
	{"d2h", "device to host", "D2H"},
	{"other", "other work", "other"},
};

const struct pm_graph *pm_graph(int graph)
{
	return &graphs[graph];
}

const char *pm_lane_key(int lane)
{
	return lanes[lane].key;
}

const char *pm_lane_name(int lane, bool brief)
{
	return brief ? lanes[lane].brief : lanes[lane].words;
}

const json_t *pm_sets(const json_t *family, const char *role)
{
	const json_t *sets = json_object_get(tree_headline_case(family, tree_role(family, role)), "pm");

	return json_array_size(sets) > 0 ? sets : NULL;
}

/* ---- samples ---- */

/* How a set gives a curve; NULL if it does not. */
static const json_t *find_metric(const json_t *metrics, const json_t *set, const struct pm_curve *curve)
{
	for (size_t i = 0; i < json_array_size(metrics); i++) {
		const json_t *metric = json_array_get(metrics, i);

		if (strcmp(tree_text(metric, "key"), curve->key) == 0 && strcmp(tree_text(metric, "pass"), "pm") == 0 &&
			strcmp(tree_text(metric, "set"), tree_text(set, "set")) == 0)
			return metric;
	}
	return NULL;
}

static int pm_data_compare_samples(const void *a, const void *b)
{
	const struct value_sample *x = a, *y = b;

	return (x->start > y->start) - (x->start < y->start);
}

/* A sample of a set, [start, end, v0, v1 ...], and the names of the values. */
struct row {
	const json_t *names, *values;
};

/* For formula_evaluate(). */
static double row_value(void *user, const char *name, size_t length)
{
	const struct row *row = user;

	for (size_t i = 0; i < json_array_size(row->names); i++) {
		const char *known = json_string_value(json_array_get(row->names, i));
		const json_t *number = json_array_get(row->values, 2 + i);

		if (known && strlen(known) == length && memcmp(known, name, length) == 0)
			return json_is_number(number) ? json_number_value(number) : NAN;
	}
	return NAN;
}

/* Bytes in an interval of ns are GB/s when divided by its length. */
static bool read_sample(const json_t *metric, struct row *row, struct value_sample *sample)
{
	struct error ignored;

	sample->start = json_number_value(json_array_get(row->values, 0));
	sample->end = json_number_value(json_array_get(row->values, 1));
	if (!(sample->end > sample->start) ||
		formula_evaluate(tree_text(metric, "formula"), row_value, row, &sample->value, &ignored) < 0)
		return false;
	if (tree_text(metric, "unit")[0] != '%')
		sample->value /= sample->end - sample->start;
	return isfinite(sample->value);
}

size_t pm_samples(const json_t *metrics, const json_t *sets, const struct pm_curve *curve, struct value_sample **list)
{
	const json_t *set = NULL, *metric = NULL;
	size_t n = 0;

	for (size_t i = 0; i < json_array_size(sets) && !metric; i++) {
		set = json_array_get(sets, i);
		metric = find_metric(metrics, set, curve);
	}
	const json_t *rows = metric ? json_object_get(set, "samples") : NULL;
	*list = xcalloc(json_array_size(rows), sizeof(**list));
	for (size_t i = 0; i < json_array_size(rows); i++) {
		struct row row = {json_object_get(set, "metrics"), json_array_get(rows, i)};

		n += read_sample(metric, &row, &(*list)[n]);
	}
	qsort(*list, n, sizeof(**list), pm_data_compare_samples);
	return n;
}

double pm_duration(const json_t *sets)
{
	double longest = 0;

	for (size_t i = 0; i < json_array_size(sets); i++)
		longest = fmax(longest, tree_real(json_array_get(sets, i), "duration_ns"));
	return longest;
}

bool pm_are_steps(const json_t *sets)
{
	return tree_has(json_array_get(sets, 0), "step");
}

const json_t *pm_work(const json_t *sets)
{
	for (size_t i = 0; i < json_array_size(sets); i++) {
		const json_t *work = json_object_get(json_array_get(sets, i), "work");

		if (json_array_size(work) > 0)
			return work;
	}
	return NULL;
}

/* ---- places ---- */

static void pm_data_add_role(struct pm_layout *layout, const json_t *family, const char *role, unsigned color)
{
	struct pm_panel *panel = &layout->panel[layout->npanels];
	char time[FORMAT_SIZE];

	memset(panel, 0, sizeof(*panel));
	panel->sets = pm_sets(family, role);
	panel->color = color;
	if (!(pm_duration(panel->sets) > 0))
		return;
	format_time_ns(time, sizeof(time), pm_duration(panel->sets));
	if (strcmp(tree_text(family, "origin"), "programs") == 0)
		snprintf(panel->title, sizeof(panel->title), "%.150s, %.60s", tree_text(family, role), time);
	else
		snprintf(panel->title, sizeof(panel->title), "%s: %.150s, %.60s", role, tree_text(family, role), time);
	layout->steps |= pm_are_steps(panel->sets);
	for (int lane = 0; lane < PM_LANES; lane++)
		panel->lane[lane] = tree_find(pm_work(panel->sets), "class", lanes[lane].key) != NULL;
	layout->to = fmax(layout->to, 1.012 * pm_duration(panel->sets));
	layout->from = -layout->to / 100;
	layout->npanels++;
}

size_t pm_drawn(const struct pm_layout *layout, struct value_sample *list, size_t n)
{
	double mean[PM_BINS], bin = (layout->to - layout->from) / PM_BINS;
	size_t known = 0;

	if (n <= PM_BINS)
		return n;
	samples_mean(list, n, layout->from, layout->to, mean, PM_BINS);
	for (int i = 0; i < PM_BINS; i++)
		if (isfinite(mean[i]))
			list[known++] =
				(struct value_sample){layout->from + bin * i, layout->from + bin * (i + 1), mean[i]};
	return known;
}

/* Widens a graph's axis by what is drawn of one run. */
static void pm_data_widen(struct pm_layout *layout, int graph, const json_t *sets)
{
	for (int c = 0; c < PM_CURVES; c++) {
		struct value_sample *samples;
		size_t n = pm_samples(layout->metrics, sets, &graphs[graph].curve[c], &samples);
		double peak = samples_peak(samples, pm_drawn(layout, samples, n), layout->from, layout->to);
		free(samples);
		if (!isfinite(peak) || n < PM_LEAST_SAMPLES)
			continue;
		layout->graph[graph] = true;
		layout->top[graph] = fmax(layout->top[graph], peak);
	}
}

/* Percent has its natural end; other axes end at a round number, and not below 1 GB/s: next to nothing must not fill a
 * graph. */
static void scale_graphs(struct pm_layout *layout)
{
	for (int g = 0; g < PM_GRAPHS; g++) {
		for (int p = 0; p < layout->npanels; p++)
			pm_data_widen(layout, g, layout->panel[p].sets);
		double step = axis_step(layout->top[g], 4);
		layout->top[g] = strcmp(graphs[g].unit, "%") == 0 ? 100 : fmax(1, step * ceil(layout->top[g] / step));
	}
}

static double pm_data_place_panel(const struct pm_layout *layout, struct pm_panel *panel, double y)
{
	panel->title_y = y;
	y += PM_TITLE_PX;
	for (int lane = 0; lane < PM_LANES; lane++) {
		panel->lane_y[lane] = y;
		if (panel->lane[lane])
			y += PM_LANE_PX + PM_GAP_PX;
	}
	for (int g = 0; g < PM_GRAPHS; g++) {
		panel->graph_y[g] = y;
		if (layout->graph[g])
			y += PM_HEAD_PX + PM_GRAPH_PX;
	}
	return y;
}

bool pm_family(struct pm_layout *layout, const json_t *family)
{
	double y = 0;

	*layout = (struct pm_layout){.metrics = json_object_get(family, "metrics")};
	pm_data_add_role(layout, family, "single", COLOR_SINGLE);
	pm_data_add_role(layout, family, "double", COLOR_DOUBLE);
	if (layout->npanels == 0)
		return false;
	scale_graphs(layout);
	for (int p = 0; p < layout->npanels; p++)
		y = pm_data_place_panel(layout, &layout->panel[p], p > 0 ? y + PM_SPACE_PX : y);
	layout->bottom = (int)y + 6;
	layout->height = layout->bottom + CANVAS_AXIS_PX;
	return layout->graph[0] || layout->graph[1] || layout->graph[2];
}
