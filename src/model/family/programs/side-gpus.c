/* side-gpus.c: see side-gpus.h. */
#include "model/family/programs/side-gpus.h"

#include <string.h>

#include "model/family/family-rows.h"
#include "model/family/programs/runs.h"
#include "model/recording.h"
#include "model/rows-json.h"
#include "store/store.h"
#include "tree/json.h"

/* Numbers of GPUs are below this: one bit of a set for each. */
enum { GPU_NUMBERS = 64 };

/* Only traced runs tell it. */
static uint64_t gpus_of_runs(const struct rows *runs)
{
	uint64_t set = 0;

	for (size_t i = 0; i < runs->count; i++) {
		int64_t gpu = row_int(runs, i, BLOCK_gpu);

		if (strcmp(row_string(runs, i, BLOCK_kind), "traced") == 0 && !row_null(runs, i, BLOCK_gpu) &&
			gpu >= 0 && gpu < GPU_NUMBERS)
			set |= UINT64_C(1) << gpu;
	}
	return set;
}

static struct rows gpu_numbered(const struct family_rows *f, int64_t number)
{
	struct rows rows = rows_all(&f->model->table[TABLE_GPU]);

	for (size_t i = 0; i < rows.count; i++)
		if (row_int(&rows, i, GPU_id) == number)
			return (struct rows){rows.set, rows.first + i, 1};
	return (struct rows){rows.set, 0, 0};
}

static bool is_of_one_kind(const struct rows *a, const struct rows *b)
{
	return strcmp(row_string(a, 0, GPU_name), row_string(b, 0, GPU_name)) == 0 &&
	       row_int(a, 0, GPU_smCount) == row_int(b, 0, GPU_smCount);
}

/* All of a set are held against the first one of it. */
static enum pair_gpus kinds_of_set(const struct family_rows *f, uint64_t set)
{
	struct rows first = gpu_numbered(f, __builtin_ctzll(set));
	enum pair_gpus kinds = PAIR_GPUS_CARDS;

	for (int number = 0; number < GPU_NUMBERS; number++) {
		struct rows gpu = gpu_numbered(f, number);

		if (!(set >> number & 1))
			continue;
		if (first.count == 0 || gpu.count == 0)
			return PAIR_GPUS_UNKNOWN;
		if (!is_of_one_kind(&first, &gpu))
			kinds = PAIR_GPUS_KINDS;
	}
	return kinds;
}

enum pair_gpus pair_gpus(const struct family_rows *f, const struct rows *a, const struct rows *b)
{
	uint64_t of_a = gpus_of_runs(a), of_b = gpus_of_runs(b), both = of_a | of_b;

	if (of_a == 0 || of_b == 0)
		return PAIR_GPUS_UNKNOWN;
	return (both & (both - 1)) == 0 ? PAIR_GPUS_ONE : kinds_of_set(f, both);
}

const char *pair_gpus_word(enum pair_gpus gpus)
{
	static const char *const words[] = {
		[PAIR_GPUS_ONE] = "one", [PAIR_GPUS_CARDS] = "cards", [PAIR_GPUS_KINDS] = "kinds"};

	return words[gpus];
}

static json_t *gpus_json(const struct family_rows *f, uint64_t set)
{
	json_t *list = json_array();

	for (int number = 0; number < GPU_NUMBERS; number++) {
		struct rows gpu = gpu_numbered(f, number);
		json_t *object;

		if (!(set >> number & 1))
			continue;
		object = json_object();
		put_json(object, "device", json_integer(number));
		put_json(object, "name", gpu.count ? row_json(&gpu, 0, GPU_name) : json_null());
		append_json(list, object);
	}
	return list;
}

static json_t *gpus_at_once_json(const struct rows *runs)
{
	int64_t most = 0;

	for (size_t i = 0; i < runs->count; i++)
		if (!row_null(runs, i, BLOCK_gpus) && row_int(runs, i, BLOCK_gpus) > most)
			most = row_int(runs, i, BLOCK_gpus);
	return most > 0 ? json_integer(most) : json_null();
}

void side_gpus_put(json_t *object, const struct family_rows *f, const struct rows *first, const struct rows *runs)
{
	put_json(object, "gpus", gpus_json(f, gpus_of_runs(runs)));
	put_json(object, "gpus_at_once", gpus_at_once_json(runs));
	put_json(object, "gpus_against", text_json(pair_gpus_word(pair_gpus(f, first, runs))));
}
