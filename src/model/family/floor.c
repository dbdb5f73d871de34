/* floor.c: how fast a pipeline could be: what its copies alone take both ways, or its kernels alone if longer. */
#include "model/family/floor.h"

#include <math.h>
#include <string.h>

#include "analyze/analyze.h"
#include "model/family/measured.h"
#include "model/family/ratio.h"
#include "model/recording.h"
#include "model/trace/trace.h"
#include "store/rowset.h"
#include "store/store.h"
#include "tree/json.h"

static bool is_kind(const struct measured *m, const char *kind)
{
	return m->kind && strcmp(m->kind, kind) == 0;
}

/* Whether it is compared with the floor: candidates that are not meant to be wrong. Parts of the work are not. */
static bool competes(const struct measured *m)
{
	return is_kind(m, "candidate") && m->n > 0 && !m->on_purpose;
}

/* The one of a kind with the shortest median, or NULL. */
static const struct measured *shortest(const struct rivals *rivals, const char *kind)
{
	const struct measured *best = NULL;

	for (size_t i = 0; i < rivals->n; i++) {
		const struct measured *m = rivals->list[i];

		if (is_kind(m, kind) && m->n > 0 && (!best || m->time.median < best->time.median))
			best = m;
	}
	return best;
}

static void take_nearest(const struct model *model, const struct rivals *rivals, struct floor *out)
{
	for (size_t i = 0; i < rivals->n; i++) {
		struct ratio share;

		if (!competes(rivals->list[i]))
			continue;
		ratio_of(model, out->source, rivals->list[i], &share);
		if (isnan(share.value) || (out->nearest && share.value <= out->share.value))
			continue;
		out->nearest = rivals->list[i];
		out->share = share;
	}
}

void floor_of(const struct model *model, const struct rivals *rivals, struct floor *out)
{
	*out = (struct floor){
		.schedule = shortest(rivals, "floor"),
		.kernels = shortest(rivals, "compute"),
		.loads = shortest(rivals, "loads"),
		.stores = shortest(rivals, "stores"),
		.share = {.value = NAN, .low = NAN, .high = NAN},
	};
	if (!out->schedule)
		return;
	out->source = out->schedule;
	if (out->kernels && out->kernels->time.median > out->schedule->time.median)
		out->source = out->kernels;
	take_nearest(model, rivals, out);
}

/* ---- what stands beside it ---- */

/* A constant of the machine, or NaN. */
static double machine_constant(const struct model *model, const char *family, const char *name)
{
	struct rows rows = rows_find(&model->table[TABLE_MACHINE], 1, &family);

	for (size_t i = 0; i < rows.count; i++)
		if (strcmp(row_string(&rows, i, MACHINE_key), name) == 0)
			return row_real(&rows, i, MACHINE_value);
	return NAN;
}

/* Bytes that an iteration of the first traced variant copies in one direction; NaN if none was traced. */
static double bytes_copied(const struct trace *trace, const struct rivals *rivals, enum work_class cls)
{
	for (size_t i = 0; i < rivals->n; i++) {
		const struct work_list *work = &rivals->list[i]->work;
		double bytes = 0;

		if (!competes(rivals->list[i]) || work->n == 0)
			continue;
		for (size_t k = 0; k < work->n; k++) {
			if (work_lane(trace, work->item[k])->cls == cls)
				bytes += (double)work_copy(trace, work->item[k])->bytes;
		}
		return bytes;
	}
	return NAN;
}

/* Bytes per second: of the part that moves so many bytes if it was timed, else the machine's constant. */
static double floor_rate_of(const struct measured *part, double bytes, double constant)
{
	return part ? bytes / part->time.median * 1e9 : constant;
}

/* How long one direction takes alone (ns). */
static double alone(const struct measured *part, double bytes, double constant)
{
	return part ? part->time.median : bytes / constant * 1e9;
}

/* NaN if either is. */
static double longer(double a, double b)
{
	return isnan(a) || isnan(b) ? NAN : fmax(a, b);
}

static void put_bandwidths(
	json_t *object, const struct model *model, const struct rivals *rivals, const struct floor *floor)
{
	const char *family = floor->source->family;
	double in = bytes_copied(&model->trace, rivals, WORK_H2D), out = bytes_copied(&model->trace, rivals, WORK_D2H);
	double in_rate = machine_constant(model, family, "in_bytes_s");
	double out_rate = machine_constant(model, family, "out_bytes_s");

	put_json(object, "bytes_in", real_json(in));
	put_json(object, "bytes_out", real_json(out));
	put_json(object, "in_bytes_s", real_json(floor_rate_of(floor->loads, in, in_rate)));
	put_json(object, "out_bytes_s", real_json(floor_rate_of(floor->stores, out, out_rate)));
	put_json(object, "one_way_ns",
		real_json(longer(alone(floor->loads, in, in_rate), alone(floor->stores, out, out_rate))));
	put_json(object, "two_way_bytes_s", real_json((in + out) / floor->schedule->time.median * 1e9));
	put_json(object, "launch_ns", real_json(1e9 * machine_constant(model, family, "launch_s")));
}

/* ---- JSON ---- */

static json_t *part_json(const struct measured *m)
{
	json_t *object;

	if (!m)
		return json_null();
	object = json_object();
	put_json(object, "variant", text_json(m->variant));
	put_json(object, "median_ns", real_json(m->time.median));
	put_json(object, "low_ns", real_json(m->low));
	put_json(object, "high_ns", real_json(m->high));
	return object;
}

static json_t *schedules_json(const struct rivals *rivals)
{
	json_t *list = json_array();

	for (size_t i = 0; i < rivals->n; i++) {
		if (is_kind(rivals->list[i], "floor") && rivals->list[i]->n > 0)
			append_json(list, part_json(rivals->list[i]));
	}
	return list;
}

/* What a traced iteration leaves exposed, and how much of single's hideable time is hidden. */
static void put_overlap(json_t *object, const struct measured *m, const struct measured *single)
{
	const struct overlap *overlap = &m->overlap;
	bool traced = m->work.n > 0, both = traced && single && single->work.n > 0;

	put_json(object, "exposed_h2d_ns", traced ? json_integer(overlap->exposed_h2d) : json_null());
	put_json(object, "exposed_d2h_ns", traced ? json_integer(overlap->exposed_d2h) : json_null());
	put_json(object, "duplex_ns", traced ? json_integer(overlap->duplex) : json_null());
	put_json(object, "hidden_share", real_json(both ? hidden_share(&single->overlap, overlap) : NAN));
}

static json_t *rival_json(
	const struct model *model, const struct floor *floor, const struct measured *m, const struct measured *single)
{
	json_t *object = json_object();
	struct ratio share;

	ratio_of(model, floor->source, m, &share);
	put_json(object, "variant", text_json(m->variant));
	put_json(object, "buffers", json_integer(m->buffers));
	put_json(object, "median_ns", real_json(m->time.median));
	put_json(object, "low_ns", real_json(m->low));
	put_json(object, "high_ns", real_json(m->high));
	put_json(object, "efficiency", ratio_json(&share));
	put_overlap(object, m, m == single ? NULL : single);
	return object;
}

static json_t *rivals_json(const struct model *model, const struct rivals *rivals, const struct floor *floor,
	const struct measured *single)
{
	json_t *list = json_array();

	for (size_t i = 0; i < rivals->n; i++) {
		if (competes(rivals->list[i]))
			append_json(list, rival_json(model, floor, rivals->list[i], single));
	}
	return list;
}

json_t *floor_json(const struct model *model, const struct rivals *rivals, const struct floor *floor,
	const struct measured *single)
{
	const struct measured *source = floor->source;
	json_t *object;

	if (!source)
		return json_null();
	object = json_object();
	put_json(object, "case", text_json(source->label));
	put_json(object, "headline", json_boolean(source->headline));
	put_json(object, "schedules", schedules_json(rivals));
	put_json(object, "shortest", text_json(floor->schedule->variant));
	put_json(object, "kernels", part_json(floor->kernels));
	put_json(object, "loads", part_json(floor->loads));
	put_json(object, "stores", part_json(floor->stores));
	put_json(object, "floor", part_json(source));
	put_json(object, "bound_by", json_string(source == floor->schedule ? "copies" : "kernels"));
	put_bandwidths(object, model, rivals, floor);
	put_json(object, "nearest", text_json(floor->nearest ? floor->nearest->variant : NULL));
	put_json(object, "nearest_share", floor->nearest ? ratio_json(&floor->share) : json_null());
	put_json(object, "variants", rivals_json(model, rivals, floor, single));
	return object;
}
