/* roofline.c: what the variants of a family do per second and per byte, against what the machine was measured to
 * reach: see reach.h. */
#include "model/family/reach/reach.h"

#include <math.h>
#include <string.h>

#include "analyze/thresholds.h"
#include "model/family/family-rows.h"
#include "model/family/measured.h"
#include "model/family/predicted.h"
#include "store/store.h"
#include "tree/counter-keys.h"
#include "tree/json.h"
#include "tree/tree.h"

/* A row of shared memory's banks: what one wavefront takes of an SM's cycle, whether it is full or not. */
enum { WAVEFRONT_BYTES = 128, WORD_BYTES = 4, FMA_FLOPS = 2 };

/* A memory, and the counter that says how much of it a launch takes. */
struct level {
	const char *id, *title, *key;
	double bytes_each; /* of what is counted */
	double bytes_s;    /* as measured; NaN if it was not */
};

enum { LEVELS = 3 };

struct roofs {
	bool flops;     /* operations are the family's own; else instructions are counted */
	double work;    /* operations of a launch; NaN: each variant's own */
	double ceiling; /* operations per second */
	struct level level[LEVELS];
};

static double roofline_constant(const json_t *machine, const char *key)
{
	return tree_real(tree_find(machine, "key", key), "value");
}

static struct roofs roofs_of(const struct family_rows *f)
{
	json_t *machine = machine_json(f->model, f->name);
	double sm_hz = roofline_constant(machine, "sms") * roofline_constant(machine, "clock_hz");
	double flops = row_real(&f->cases, 0, CASE_flops);
	struct roofs roofs = {
		.flops = flops > 0,
		.work = flops > 0 ? flops : NAN,
		.ceiling = sm_hz * (flops > 0 ? FMA_FLOPS * roofline_constant(machine, "fma_lanes")
					      : roofline_constant(machine, "issue")),
		.level = {{"shared", "shared memory", "smem_wavefronts", WAVEFRONT_BYTES,
				  WORD_BYTES * sm_hz * roofline_constant(machine, "shared_words")},
			{"l2", "L2", "l2_bytes", 1, roofline_constant(machine, "l2_bytes_s")},
			{"dram", "DRAM", KEY_DRAM_BYTES, 1, roofline_constant(machine, "dram_bytes_s")}},
	};

	json_decref(machine);
	return roofs;
}

/* Counters tell of one kernel, and times of a launch: they belong together where a launch is that kernel. */
static bool is_one_kernel(const struct measured *m)
{
	return m->n > 0 && !m->on_purpose && !is_part(m->kind) && m->work.n == 1 && m->overlap.busy_copy == 0;
}

static json_t *roofline_place_json(
	const struct roofs *roofs, const struct level *level, const struct measured *m, double work)
{
	double bytes = level->bytes_each * counter_value(m, level->key), intensity = work / bytes;
	double reach = fmin(roofs->ceiling, intensity * level->bytes_s);
	json_t *object;

	if (!(bytes > 0 && level->bytes_s > 0 && reach > 0) || !isfinite(intensity))
		return NULL;
	object = json_object();
	put_json(object, "level", json_string(level->id));
	put_json(object, "intensity", real_json(intensity));
	put_json(object, "share", real_json(work / m->time.median * 1e9 / reach));
	return object;
}

/* NULL if nothing but its time is known. */
static json_t *point_json(const struct roofs *roofs, const struct measured *m)
{
	double work = isnan(roofs->work) ? counter_value(m, KEY_INSTRUCTIONS) : roofs->work;
	json_t *object, *places = json_array();

	for (size_t i = 0; i < LEVELS; i++) {
		json_t *place = roofline_place_json(roofs, &roofs->level[i], m, work);

		if (place)
			append_json(places, place);
	}
	if (json_array_size(places) == 0 || !(m->time.median > 0)) {
		json_decref(places);
		return NULL;
	}
	object = json_object();
	put_json(object, "variant", text_json(m->variant));
	put_json(object, "kind", text_json(m->kind));
	put_json(object, "buffers", json_integer(m->buffers));
	put_json(object, "per_s", real_json(work / m->time.median * 1e9));
	put_json(object, "places", places);
	return object;
}

static json_t *points_json(const struct family_rows *f, const struct roofs *roofs)
{
	struct rivals rivals = rivals_of(f, 0);
	json_t *points = json_array();

	for (size_t i = 0; i < rivals.n; i++) {
		json_t *point = is_one_kernel(rivals.list[i]) ? point_json(roofs, rivals.list[i]) : NULL;

		if (point)
			append_json(points, point);
	}
	return points;
}

/* Whether a variant has more operations a second than FMA has: other units do them, such as tensor cores, whose rate
 * was not measured. */
static bool passes_ceiling(const json_t *points, const struct roofs *roofs)
{
	for (size_t i = 0; i < json_array_size(points) && roofs->flops; i++)
		if (tree_real(json_array_get(points, i), "per_s") > roof_passed * roofs->ceiling)
			return true;
	return false;
}

static json_t *levels_json(const struct roofs *roofs)
{
	json_t *levels = json_array();

	for (size_t i = 0; i < LEVELS; i++) {
		json_t *level = json_object();

		put_json(level, "id", json_string(roofs->level[i].id));
		put_json(level, "title", json_string(roofs->level[i].title));
		put_json(level, "bytes_s", real_json(roofs->level[i].bytes_s));
		append_json(levels, level);
	}
	return levels;
}

json_t *roofline_json(const struct family_rows *f)
{
	json_t *object, *points;
	struct roofs roofs;

	if (f->cases.count == 0)
		return json_null();
	roofs = roofs_of(f);
	points = points_json(f, &roofs);
	if (!(roofs.ceiling > 0) || json_array_size(points) == 0 || passes_ceiling(points, &roofs)) {
		json_decref(points);
		return json_null();
	}
	object = json_object();
	put_json(object, "case", text_json(row_text(&f->cases, 0, CASE_label)));
	put_json(object, "operation", json_string(roofs.flops ? "flop" : "instruction"));
	put_json(object, "unit", json_string(roofs.flops ? "FLOP" : "instructions"));
	put_json(object, "ceiling", json_string(roofs.flops ? "FMA" : "issue"));
	put_json(object, "ceiling_per_s", real_json(roofs.ceiling));
	put_json(object, "levels", levels_json(&roofs));
	put_json(object, "points", points);
	return object;
}
