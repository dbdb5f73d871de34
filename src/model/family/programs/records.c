/* records.c: see records.h. */
#include "model/family/programs/records.h"

#include <string.h>

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

/* Traced runs of blocks, or of traces: a warm-up gives no sample. Without a range the time of a run is the sum of all
 * its kernels, and one that is missing makes it less. With one, steps that lack a kernel are no steady ones, unless all
 * of them may. */
static void add_lacking(const struct rows *runs, struct lacking *out)
{
	for (size_t i = 0; i < runs->count; i++) {
		int64_t lack = row_null(runs, i, BLOCK_incomplete) ? LACK_NOTHING : row_int(runs, i, BLOCK_incomplete);

		if (strcmp(row_string(runs, i, BLOCK_kind), "traced") != 0 || lack == LACK_NOTHING)
			continue;
		out->runs++;
		out->doubtful += row_null(runs, i, BLOCK_stepNs) || lack == LACK_OF_EACH_STEP;
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
