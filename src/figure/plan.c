/* plan.c: which figures a model has, in the order of the page. */
#include "figure/figure.h"

#include <math.h>

#include "tree/tree.h"

/* Widens [*low, *high] by the speed-ups of a family's headline contrast. */
static void plan_widen(const json_t *family, double *low, double *high)
{
	const json_t *contrast = tree_find_true(json_object_get(family, "contrasts"), "headline");
	const json_t *speedup = json_object_get(contrast, "speedup");

	*low = fmin(*low, fmin(tree_real(speedup, "value"), tree_real(speedup, "low")));
	*high = fmax(*high, fmax(tree_real(speedup, "value"), tree_real(speedup, "high")));
}

static double plan_strongest(const json_t *family)
{
	const json_t *sweeps = json_object_get(family, "sweeps");
	double most = 0;

	for (size_t i = 0; i < json_array_size(sweeps); i++)
		most = fmax(most, heat_strongest(json_array_get(sweeps, i)));
	return most;
}

static void plan_family(const struct figure_family *in)
{
	static void (*const kinds[])(const struct figure_family *in) = {figure_whisker, figure_timeline, figure_steps,
		figure_stalls, figure_inside, figure_wait, figure_pm, figure_durations, figure_heat, figure_curve,
		figure_values, figure_time, figure_waterfall, figure_roofline, figure_ladder, figure_frames,
		figure_explains, figure_latency};

	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		kinds[i](in);
}

static void plan_advice(struct figures *figures, size_t r, const json_t *advice)
{
	for (size_t i = 0; i < json_array_size(advice); i++)
		figure_gains(figures, r, json_array_get(advice, i), i + 1);
}

static void plan_recording(struct figures *figures, size_t r, const json_t *recording)
{
	const json_t *families = json_object_get(recording, "families");
	struct figure_family in = {.figures = figures, .recording = r, .low = 1, .high = 1};

	for (size_t i = 0; i < json_array_size(families); i++) {
		plan_widen(json_array_get(families, i), &in.low, &in.high);
		in.strongest = fmax(in.strongest, plan_strongest(json_array_get(families, i)));
	}
	double margin = fmax(0.04, 0.06 * (in.high - in.low));
	in.low -= margin;
	in.high += margin;
	for (size_t i = 0; i < json_array_size(families); i++) {
		in.family = json_array_get(families, i);
		plan_family(&in);
	}
	plan_advice(figures, r, json_object_get(recording, "advice"));
	figure_program(figures, r, json_object_get(recording, "program"));
}

struct figures figures_plan(const json_t *model)
{
	const json_t *recordings = json_object_get(model, "recordings");
	struct figures figures = {0};

	for (size_t r = 0; r < json_array_size(recordings); r++)
		if (tree_is_detailed(json_array_get(recordings, r)))
			plan_recording(&figures, r, json_array_get(recordings, r));
	return figures;
}
