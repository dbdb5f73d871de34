/* records.c: see records.h. */
#include "model/family/programs/records.h"

#include <string.h>

#include "model/family/family-rows.h"
#include "model/family/programs/runs.h"
#include "model/recording.h"
#include "store/lack.h"
#include "store/store.h"
#include "tree/json.h"

/* What runs lack: numbers of runs. */
struct lacking {
	size_t runs, doubtful; /* with missing records; those whose kernel times may be too low */
	size_t perhaps;        /* of all: it is not known whether they lack any */
	bool has_range;
};

/* Traced runs of blocks, or of traces: a warm-up gives no sample. */
static bool run_is_traced(const struct rows *runs, size_t i)
{
	return strcmp(row_string(runs, i, BLOCK_kind), "traced") == 0;
}

static int64_t lack_of_row(const struct rows *runs, size_t i)
{
	return row_null(runs, i, BLOCK_incomplete) ? LACK_NOTHING : row_int(runs, i, BLOCK_incomplete);
}

/* Without a range the time of a run is the sum of all its kernels, and one that is missing makes it less. With one,
 * steps that lack a kernel are no steady ones, unless all of them may. */
static bool run_is_in_doubt(const struct rows *runs, size_t i)
{
	int64_t lack = lack_of_row(runs, i);

	return lack == LACK_OF_EACH_STEP || (lack != LACK_NOTHING && row_null(runs, i, BLOCK_stepNs));
}

static void add_lacking(const struct rows *runs, struct lacking *out)
{
	for (size_t i = 0; i < runs->count; i++) {
		int64_t lack = lack_of_row(runs, i);

		if (!run_is_traced(runs, i) || lack == LACK_NOTHING)
			continue;
		out->runs++;
		out->doubtful += run_is_in_doubt(runs, i);
		out->perhaps += lack == LACK_PERHAPS;
		out->has_range = !row_null(runs, i, BLOCK_stepNs);
	}
}

static struct lacking records_lacking(const struct judging *j)
{
	struct lacking lacking = {.runs = 0};

	add_lacking(&j->side[0].runs, &lacking);
	add_lacking(&j->side[1].runs, &lacking);
	return lacking;
}

bool records_are_in_doubt(const struct judging *j)
{
	return records_lacking(j).doubtful > 0;
}

/* Whether no traced run of a side tells all that it launches. */
static bool side_is_in_doubt(const struct family_rows *f, const char *side)
{
	struct rows runs = side_runs(f, side);
	size_t doubtful = 0;

	for (size_t i = 0; i < runs.count; i++)
		doubtful += run_is_traced(&runs, i) && run_is_in_doubt(&runs, i);
	return doubtful > 0 && doubtful == runs_of_kind(&runs, "traced");
}

bool records_leave_open(const struct family_rows *f, const char *side)
{
	for (size_t v = 0; v < f->variants.count; v++) {
		const char *other = row_string(&f->variants, v, VARIANT_name);

		if (strcmp(other, side) != 0 && side_is_in_doubt(f, other))
			return true;
	}
	return false;
}

void check_missing_records(const struct judging *j, struct finding *out)
{
	struct lacking lacking = records_lacking(j);

	if (j->measures == MEASURES_PROGRAM || lacking.runs == 0) {
		out->ok = CHECK_DOES_NOT_APPLY;
		return;
	}
	out->figure = (double)lacking.doubtful;
	out->limit = 0;
	out->ok = lacking.doubtful == 0;
	put_json(out->facts, "runs", json_integer((json_int_t)lacking.runs));
	put_json(out->facts, "perhaps", json_boolean(lacking.perhaps == lacking.runs));
	put_json(out->facts, "range", json_boolean(lacking.has_range));
}
