/* csv-model.c: see csv-model.h. */
#include "export/csv-model.h"

#include "export/cells.h"
#include "tree/tree.h"

/* ---- gpus ---- */

static void csv_reals(struct export *ex, const json_t *object, const char *const *keys)
{
	for (; *keys; keys++)
		csv_real(ex, tree_real(object, *keys));
}

void csv_gpus(struct export *ex, const json_t *recording)
{
	static const char *const whole[] = {"span_ns", "idle_ns", NULL};
	static const char *const busy[] = {"h2d", "d2h", "kernel", "other", "copy", "all", NULL};
	static const char *const rest[] = {"overlap_ns", "exposed_copy_ns", "exposed_h2d_ns", "exposed_d2h_ns",
		"duplex_ns", "serial_ns", "hideable_ns", "overlap_ratio", "concurrency", NULL};
	const json_t *gpus = json_object_get(recording, "gpus");

	csv_header(ex, "device,name,span_ns,idle_ns,busy_h2d_ns,busy_d2h_ns,busy_kernel_ns,busy_other_ns,busy_copy_ns,"
		       "busy_all_ns,overlap_ns,exposed_copy_ns,exposed_h2d_ns,exposed_d2h_ns,duplex_ns,serial_ns,"
		       "hideable_ns,overlap_ratio,concurrency");
	for (size_t i = 0; i < json_array_size(gpus); i++) {
		const json_t *gpu = json_array_get(gpus, i);

		csv_int(ex, json_integer_value(json_object_get(gpu, "device")));
		csv_text(ex, tree_text(gpu, "name"));
		csv_reals(ex, gpu, whole);
		csv_reals(ex, json_object_get(gpu, "busy_ns"), busy);
		csv_reals(ex, gpu, rest);
		csv_end(ex);
	}
}

/* ---- families ---- */

static void contrast_row(struct export *ex, const json_t *family, const json_t *contrast)
{
	static const char *const times[] = {"single_ns", "double_ns", NULL};
	static const char *const ratio[] = {"value", "low", "high", NULL};

	csv_text(ex, tree_text(family, "name"));
	csv_text(ex, tree_text(contrast, "case"));
	csv_text(ex, tree_true(contrast, "headline") ? "yes" : "no");
	csv_text(ex, tree_text(family, "single"));
	csv_text(ex, tree_text(family, "double"));
	csv_reals(ex, contrast, times);
	csv_reals(ex, json_object_get(contrast, "speedup"), ratio);
	csv_text(ex, tree_text(contrast, "verdict"));
	/* As page and terminal say it: the sentence in `cause` tells the same cause by other numbers. */
	csv_text(ex, tree_text(contrast, tree_has(contrast, "because") ? "because" : "cause"));
	csv_end(ex);
}

void csv_families(struct export *ex, const json_t *recording)
{
	const json_t *families = json_object_get(recording, "families");

	csv_header(ex, "family,case,headline,single,double,single_ns,double_ns,speedup,speedup_low,speedup_high,"
		       "verdict,cause");
	for (size_t i = 0; i < json_array_size(families); i++) {
		const json_t *family = json_array_get(families, i), *contrasts = json_object_get(family, "contrasts");

		for (size_t k = 0; k < json_array_size(contrasts); k++)
			contrast_row(ex, family, json_array_get(contrasts, k));
	}
}

/* ---- points of sweeps ---- */

static void csv_point_row(struct export *ex, const json_t *family, const json_t *sweep, const json_t *point)
{
	static const char *const axes[] = {"x", "y"}, *const numbers[] = {"single_ns", "double_ns", NULL};
	static const char *const ratio[] = {"value", "low", "high", NULL};

	csv_text(ex, tree_text(family, "name"));
	csv_text(ex, tree_text(sweep, "name"));
	csv_text(ex, tree_text(point, "case"));
	for (size_t i = 0; i < sizeof(axes) / sizeof(axes[0]); i++) {
		csv_text(ex, tree_text(json_object_get(sweep, axes[i]), "param"));
		csv_real(ex, tree_real(point, axes[i]));
	}
	csv_text(ex, tree_text(sweep, "single"));
	csv_text(ex, tree_text(sweep, "double"));
	csv_reals(ex, point, numbers);
	csv_reals(ex, json_object_get(point, "speedup"), ratio);
	csv_text(ex, tree_text(point, "verdict"));
	csv_text(ex, tree_text(point, "reason"));
	csv_end(ex);
}

void csv_points(struct export *ex, const json_t *recording)
{
	const json_t *family, *sweep, *point;
	size_t i, k, p;

	csv_header(ex, "family,sweep,case,x_param,x,y_param,y,single,double,single_ns,double_ns,speedup,speedup_low,"
		       "speedup_high,verdict,reason");
	json_array_foreach(json_object_get(recording, "families"), i, family)
	{
		json_array_foreach(json_object_get(family, "sweeps"), k, sweep)
		{
			json_array_foreach(json_object_get(sweep, "points"), p, point)
				csv_point_row(ex, family, sweep, point);
		}
	}
}
