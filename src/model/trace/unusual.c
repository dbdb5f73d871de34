/* unusual.c: see unusual.h. */
#include "model/trace/unusual.h"

#include <stdlib.h>

#include "analyze/thresholds.h"
#include "analyze/unusual.h"
#include "tree/json.h"
#include "tree/tree.h"
#include "util/alloc.h"

/* The times that are looked at. Where two are as unusual, the first is told. */
static const char *const looked_at[] = {"span_ns", "idle_ns", "busy_ns", "overlap_ns"};
enum { LOOKED_AT = sizeof(looked_at) / sizeof(looked_at[0]) };

static double time_of(const json_t *gpu, const char *key)
{
	const json_t *value = json_object_get(gpu, key);

	return json_is_object(value) ? tree_real(value, "all") : json_number_value(value);
}

static void fill_times(const json_t *gpus, const char *key, double *ns)
{
	for (size_t g = 0; g < json_array_size(gpus); g++)
		ns[g] = time_of(json_array_get(gpus, g), key);
}

static void mark_by(json_t *gpu, const char *key, double median, double score)
{
	const json_t *before = json_object_get(gpu, "unusual");

	if (score < unusual_score || (before && tree_real(before, "score") >= score))
		return;
	put_json(gpu, "unusual",
		json_pack("{s:s, s:I, s:f, s:f}", "by", key, "value_ns", (json_int_t)time_of(gpu, key), "median_ns",
			median, "score", score));
}

void gpus_mark_unusual(json_t *gpus)
{
	size_t n = json_array_size(gpus);
	double *ns, *score, least;

	if (n < UNUSUAL_AMONG)
		return;
	ns = xcalloc(n, sizeof(*ns));
	score = xcalloc(n, sizeof(*score));
	fill_times(gpus, "span_ns", ns);
	least = unusual_least * unusual_scores(ns, n, 1, score);
	for (size_t i = 0; i < LOOKED_AT && least > 0; i++) {
		double median;

		fill_times(gpus, looked_at[i], ns);
		median = unusual_scores(ns, n, least, score);
		for (size_t g = 0; g < n; g++)
			mark_by(json_array_get(gpus, g), looked_at[i], median, score[g]);
	}
	free(score);
	free(ns);
}

double gpu_unusual(const json_t *gpus, int64_t device)
{
	for (size_t g = 0; g < json_array_size(gpus); g++) {
		const json_t *gpu = json_array_get(gpus, g);

		if (json_integer_value(json_object_get(gpu, "device")) == device)
			return tree_has(gpu, "unusual") ? tree_real(json_object_get(gpu, "unusual"), "score") : 0;
	}
	return 0;
}
