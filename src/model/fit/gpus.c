/* gpus.c: entries that have work on many GPUs each. */
#include "model/fit/lists.h"

#include <string.h>

#include "model/trace/unusual.h"
#include "tree/json.h"
#include "tree/tree.h"

double fit_busy(const json_t *entry)
{
	const json_t *gpus = json_object_get(entry, "gpus"), *others = json_object_get(entry, "others");
	double busy = 0;

	for (size_t i = 0; i < json_array_size(gpus); i++)
		busy += tree_real(json_object_get(json_array_get(gpus, i), "busy_ns"), "all");
	if (json_is_object(others))
		busy += tree_real(json_object_get(others, "busy_ns"), "all");
	return busy;
}

static double worth_of_gpu(const json_t *gpu, const json_t *recording)
{
	enum { UNUSUAL_FIRST = 1 << 30 };
	double unusual =
		gpu_unusual(json_object_get(recording, "gpus"), json_integer_value(json_object_get(gpu, "device")));

	/* No busy time is as long as a score weighs. */
	return unusual * UNUSUAL_FIRST * UNUSUAL_FIRST + tree_real(json_object_get(gpu, "busy_ns"), "all");
}

/* Adds the times of G. Its ratios cannot be added. */
static void add_times(json_t *sum, const json_t *gpu)
{
	const char *key;
	json_t *value;

	json_object_foreach((json_t *)gpu, key, value)
	{
		if (json_is_object(value) && strcmp(key, "busy_ns") == 0) {
			if (!json_object_get(sum, key))
				put_json(sum, key, json_object());
			add_times(json_object_get(sum, key), value);
		} else if (json_is_integer(value) && strcmp(key, "device") != 0) {
			fit_count(sum, key, json_integer_value(value));
		}
	}
}

static void add_gpu(json_t *sum, const json_t *gpu)
{
	fit_count(sum, "gpus", 1);
	add_times(sum, gpu);
}

static void fit_cut_entry(json_t *entry, size_t room, size_t depth, const json_t *recording)
{
	json_t *gpus = json_object_get(entry, "gpus"), *others;

	if (json_array_size(gpus) < 3)
		return;
	others = json_object();
	fit_keep_best(gpus, room, depth, recording, worth_of_gpu, others, add_gpu);
	if (json_object_size(others) > 0)
		put_json(entry, "others", json_incref(others));
	json_decref(others);
}

void fit_cut_gpus(json_t *list, size_t room, size_t depth, const json_t *recording, size_t few)
{
	size_t n = json_array_size(list), wanted = n < few ? n : few, gpus = 0, size = fit_size(list, depth), other,
	       each;

	if (n == 0 || size <= room)
		return;
	for (size_t i = 0; i < n; i++)
		gpus += fit_size(json_object_get(json_array_get(list, i), "gpus"), depth + 2);
	/* What an entry has beside its GPUs, with the sum of the others. */
	other = (size - gpus) / n + 700;
	each = room / wanted > other ? room / wanted - other : 0;
	for (size_t i = 0; i < n; i++)
		fit_cut_entry(json_array_get(list, i), each, depth + 2, recording);
}
