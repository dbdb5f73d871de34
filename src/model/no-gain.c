/* no-gain.c: see no-gain.h. */
#include "model/no-gain.h"

#include <math.h>

#include "analyze/thresholds.h"
#include "tree/json.h"
#include "tree/tree.h"

/* Sums over all GPUs, in ns. */
struct gpu_sums {
	double span, copy, kernel, exposed, overlap;
};

static struct gpu_sums sum_gpus(const json_t *gpus)
{
	struct gpu_sums sums = {0};

	for (size_t i = 0; i < json_array_size(gpus); i++) {
		const json_t *gpu = json_array_get(gpus, i), *busy = json_object_get(gpu, "busy_ns");

		sums.span += tree_real(gpu, "span_ns");
		sums.copy += tree_real(busy, "copy");
		sums.kernel += tree_real(busy, "kernel");
		sums.exposed += tree_real(gpu, "exposed_copy_ns");
		sums.overlap += tree_real(gpu, "overlap_ns");
	}
	return sums;
}

static json_t *reason_json(const char *id, double share)
{
	json_t *object = json_object();

	put_json(object, "id", json_string(id));
	put_json(object, "share", real_json(share));
	return object;
}

/* Whether some loop has migrations of managed memory that may hide a gain. */
static bool managed_matters(const json_t *program)
{
	const json_t *loops = json_object_get(program, "other_loops");

	for (size_t i = 0; i < json_array_size(loops); i++) {
		if (tree_true(json_object_get(json_array_get(loops, i), "managed"), "matters"))
			return true;
	}
	return false;
}

json_t *no_gain_json(const json_t *gpus, const json_t *program, const struct no_gain_lacks *lacks)
{
	const json_t *pays = json_object_get(program, "pays");
	const struct gpu_sums sums = sum_gpus(gpus);

	if (!json_is_array(pays) || json_array_size(pays) > 0)
		return json_null();
	if (lacks->others > 0)
		return reason_json("other-threads", lacks->others);
	if (!(sums.span > 0))
		return reason_json("no-work", NAN);
	if (lacks->graphs && !(sums.copy > 0 && sums.kernel > 0))
		return reason_json("graphs", NAN);
	if (!(sums.copy > 0))
		return reason_json("no-copies", NAN);
	if (!(sums.kernel > 0))
		return reason_json("no-kernels", NAN);
	if (sums.exposed < exposed_least * sums.span)
		return reason_json("little-exposed", sums.exposed / sums.span);
	if (sums.overlap > hidden_enough * sums.copy)
		return reason_json("hidden-already", sums.overlap / sums.copy);
	if (managed_matters(program))
		return reason_json("managed", sums.exposed / sums.span);
	if (!(tree_real(program, "loops") > 0))
		return reason_json("no-loop", sums.exposed / sums.span);
	return reason_json("small", sums.exposed / sums.span);
}
