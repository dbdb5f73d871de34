/* balance.c: the balance of compute to load per tile: what the tutorial's formula says, and what was measured. */
#include "model/sweep/balance.h"

#include <math.h>

#include "analyze/sweep.h"
#include "tree/json.h"
#include "tree/tree.h"

/* What of the machine the formula needs. */
struct rates {
	double fma_per_s, bytes_per_s;
};

static double constant(const json_t *machine, const char *key)
{
	return tree_real(tree_find(machine, "key", key), "value");
}

static struct rates rates_of(const json_t *machine)
{
	return (struct rates){
		constant(machine, "sms") * constant(machine, "fma_lanes") * constant(machine, "clock_hz"),
		constant(machine, "dram_bytes_s"),
	};
}

/* A point with both parts, and its tile. */
struct tiled {
	const json_t *sweep, *point;
	double tile, tiles, fmas; /* tiles of a launch; FMAs per tile */
};

/* A tile's product takes tile^3 FMAs, `intensity` times if the case has such a parameter. */
static bool tiled_from(const json_t *sweep, const json_t *point, struct tiled *out)
{
	const json_t *parts = json_object_get(point, "parts"), *params = json_object_get(point, "params");
	double times = tree_real(tree_find(params, "name", "intensity"), "value");
	double flops = tree_real(json_object_get(point, "work"), "flops");

	*out = (struct tiled){
		.sweep = sweep, .point = point, .tile = tree_real(tree_find(params, "name", "tile"), "value")};
	out->fmas = out->tile * out->tile * out->tile * (isnan(times) ? 1 : times);
	out->tiles = flops / 2 / out->fmas;
	return out->tile > 0 && out->tiles > 0 && isfinite(out->tiles) && tree_has(parts, "loads_ns") &&
	       tree_has(parts, "compute_ns");
}

/* How far a point's work per tile is from that of the tutorial's product, tile^3. */
static double balance_distance(const struct tiled *t)
{
	return fabs(log(t->fmas / (t->tile * t->tile * t->tile)));
}

static json_t *balance_side_json(double compute_ns, double load_ns)
{
	json_t *object = json_object();

	put_json(object, "compute_ns", real_json(compute_ns));
	put_json(object, "load_ns", real_json(load_ns));
	put_json(object, "ratio", real_json(compute_ns / load_ns));
	return object;
}

static json_t *predicted_side(const struct tiled *t, double fmas, const struct rates *rates)
{
	struct tile_balance balance;

	tile_balance(t->tile, fmas, rates->fma_per_s, rates->bytes_per_s, &balance);
	return balance_side_json(1e9 * balance.compute_s, 1e9 * balance.load_s);
}

static json_t *row_json_of(const struct tiled *t, const struct rates *rates)
{
	const json_t *parts = json_object_get(t->point, "parts");
	json_t *object = json_object();

	put_json(object, "sweep", json_string(tree_text(t->sweep, "name")));
	put_json(object, "case", json_string(tree_text(t->point, "case")));
	put_json(object, "tile", real_json(t->tile));
	put_json(object, "tiles", real_json(t->tiles));
	put_json(object, "fmas", real_json(t->fmas));
	put_json(object, "formula", predicted_side(t, t->tile * t->tile * t->tile, rates));
	put_json(object, "predicted", predicted_side(t, t->fmas, rates));
	put_json(object, "measured",
		balance_side_json(tree_real(parts, "compute_ns") / t->tiles, tree_real(parts, "loads_ns") / t->tiles));
	put_json(object, "speedup", json_deep_copy(json_object_get(t->point, "speedup")));
	put_json(object, "verdict", json_deep_copy(json_object_get(t->point, "verdict")));
	put_json(object, "size", json_deep_copy(json_object_get(t->point, "size")));
	return object;
}

/* The point with this tile whose work per tile is nearest to the tutorial's. False if there is none. */
static bool nearest(const json_t *sweeps, double tile, struct tiled *best)
{
	bool found = false;

	for (size_t s = 0; s < json_array_size(sweeps); s++) {
		const json_t *sweep = json_array_get(sweeps, s), *points = json_object_get(sweep, "points");

		for (size_t i = 0; i < json_array_size(points); i++) {
			struct tiled t;

			if (!tiled_from(sweep, json_array_get(points, i), &t) || t.tile != tile)
				continue;
			if (!found || balance_distance(&t) < balance_distance(best))
				*best = t;
			found = true;
		}
	}
	return found;
}

/* The smallest tile above `tile`; infinity if there is none. */
static double next_tile(const json_t *sweeps, double tile)
{
	double next = INFINITY;

	for (size_t s = 0; s < json_array_size(sweeps); s++) {
		const json_t *sweep = json_array_get(sweeps, s), *points = json_object_get(sweep, "points");

		for (size_t i = 0; i < json_array_size(points); i++) {
			struct tiled t;

			if (tiled_from(sweep, json_array_get(points, i), &t) && t.tile > tile)
				next = fmin(next, t.tile);
		}
	}
	return next;
}

json_t *balance_json(const json_t *sweeps, const json_t *machine)
{
	const struct rates rates = rates_of(machine);
	json_t *list = json_array();
	struct tiled best;

	/* NOLINTNEXTLINE(cert-flp30-c): from tile to larger tile of the sweep, not by steps. */
	for (double tile = next_tile(sweeps, 0); isfinite(tile); tile = next_tile(sweeps, tile)) {
		if (nearest(sweeps, tile, &best))
			append_json(list, row_json_of(&best, &rates));
	}
	return list;
}
