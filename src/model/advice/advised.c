/* advised.c: the program that was advised, as a whole: what was run, and what its kernels could save together. */
#include "model/advice/advice-parts.h"

#include <math.h>
#include <string.h>

#include "analyze/analyze.h"
#include "analyze/thresholds.h"
#include "model/family/family-rows.h"
#include "model/family/predicted.h"
#include "model/recording.h"
#include "model/rows-json.h"
#include "store/store.h"
#include "tree/json.h"
#include "tree/tree.h"

struct rows advice_rows_of_family(const struct family_rows *f)
{
	const char *const key[] = {f->name};

	return rows_find(&f->model->table[TABLE_ADVICE], 1, key);
}

/* ---- kernels ---- */

/* GPU time of all kernels in a step (ns). */
static double kernels_ns(const struct family_rows *f)
{
	const char *const key[] = {f->name, f->single};
	struct rows rows = rows_find(&f->model->table[TABLE_MATCH], 2, key);
	double sum = 0;

	for (size_t i = 0; i < rows.count; i++)
		sum += row_real(&rows, i, MATCH_ns);
	return sum;
}

static size_t kernels_of_program(const struct family_rows *f)
{
	const char *const key[] = {f->name, f->single};

	return rows_find(&f->model->table[TABLE_MATCH], 2, key).count;
}

static double saved_by(const json_t *kernel, const char *end)
{
	double gain = tree_real(json_object_get(kernel, "best"), end);

	return gain > -1 ? tree_real(kernel, "share") * (1 - 1 / (1 + gain)) : 0;
}

/* Parts of the time of all kernels. Ends of the intervals add up: an interval that is too wide rather than too narrow.
 */
static json_t *saved_json(const json_t *advice)
{
	static const char *const ends[] = {"low", "mid", "high"};
	json_t *saved = json_object();

	for (size_t e = 0; e < sizeof(ends) / sizeof(ends[0]); e++) {
		double sum = 0;

		for (size_t i = 0; i < json_array_size(advice); i++) {
			const json_t *kernel = json_array_get(advice, i);

			if (strcmp(tree_text(kernel, "verdict"), "pays") == 0)
				sum += saved_by(kernel, ends[e]);
		}
		put_json(saved, ends[e], real_json(sum));
	}
	return saved;
}

static json_t *verdict_counts_json(const json_t *advice)
{
	static const char *const verdicts[] = {"pays", "does-not", "too-close", "unknown"};
	json_t *object = json_object();

	for (size_t v = 0; v < sizeof(verdicts) / sizeof(verdicts[0]); v++) {
		json_int_t n = 0;

		for (size_t i = 0; i < json_array_size(advice); i++)
			n += strcmp(tree_text(json_array_get(advice, i), "verdict"), verdicts[v]) == 0;
		put_json(object, verdicts[v], json_integer(n));
	}
	return object;
}

static double share_looked_at(const json_t *advice)
{
	double share = 0;

	for (size_t i = 0; i < json_array_size(advice); i++)
		share += fmax(tree_real(json_array_get(advice, i), "share"), 0);
	return share;
}

/* ---- runs ---- */

static json_t *runs_of_program(const struct family_rows *f)
{
	const char *const key[] = {f->name, f->single};
	struct rows rows = rows_find(&f->model->table[TABLE_BLOCK], 2, key);
	json_t *list = json_array();

	for (size_t i = 0; i < rows.count; i++) {
		json_t *run = json_object();

		put_json(run, "kind", row_json(&rows, i, BLOCK_kind));
		put_json(run, "ns", real_json(row_real(&rows, i, BLOCK_end) - row_real(&rows, i, BLOCK_start)));
		append_json(list, run);
	}
	return list;
}

/* ---- what a check of the advice takes ---- */

/* How long the longest run took (s); NaN without any. */
static double longest_run_s(const struct rows *runs)
{
	double longest = NAN;

	for (size_t i = 0; i < runs->count; i++)
		longest = fmax(longest, (row_real(runs, i, BLOCK_end) - row_real(runs, i, BLOCK_start)) / 1e9);
	return longest;
}

/* What a run of the kind costs (s), NaN if there is none. Behind it dbprof reads what it left, as a contrast does: that
 * counts where the next run is a traced one, since nothing else lies between them. */
static double run_cost_s(const struct rows *runs, const char *kind)
{
	double cost = NAN;

	for (size_t i = 0; i < runs->count; i++) {
		bool is_next = i + 1 < runs->count && strcmp(row_string(runs, i + 1, BLOCK_kind), "traced") == 0;
		double begin = row_real(runs, i, BLOCK_start), end = row_real(runs, i, BLOCK_end);

		if (strcmp(row_string(runs, i, BLOCK_kind), kind) != 0)
			continue;
		if (is_next)
			end = fmax(end, row_real(runs, i + 1, BLOCK_start));
		cost = fmax(cost, (end - begin) / 1e9);
	}
	return cost;
}

/* The budget in which a contrast of two numbers of stages comes to a verdict (s). A block has each side twice in each
 * kind. Before the blocks each side runs once, and the first one is traced. */
static double check_budget_s(const struct rows *runs)
{
	enum { SIDES = 2, TIMES = 2 };
	double plain = run_cost_s(runs, "plain"), traced = run_cost_s(runs, "traced");
	double block = SIDES * TIMES * (plain + traced);

	return SIDES * plain + traced + (1 + program_budget_reserve) * PROGRAM_BLOCKS_NEEDED * block;
}

/* Rounded up; null where it is not known, or the contrast's own does. */
static json_t *if_more_than(double own_s, double needed_s)
{
	enum { ROUND_S = 10 };

	return needed_s > own_s ? real_json(ROUND_S * ceil(needed_s / ROUND_S)) : json_null();
}

static void put_check_options(json_t *object, const struct family_rows *f)
{
	const char *const key[] = {f->name, f->single};
	struct rows runs = rows_find(&f->model->table[TABLE_BLOCK], 2, key);

	put_json(object, "check_budget_s", if_more_than(CONTRAST_BUDGET_S, check_budget_s(&runs)));
	put_json(object, "check_timeout_s", if_more_than(CONTRAST_TIMEOUT_S, 2 * longest_run_s(&runs)));
}

/* Of passes that are not done, why. */
static json_t *missing_passes_json(const struct family_rows *f)
{
	static const struct field fields[] = {{"pass", PASS_pass}, {"status", PASS_status}, {"reason", PASS_reason}};
	struct rows rows = rows_all(&f->model->table[TABLE_PASS]);
	json_t *list = json_array();

	for (size_t i = 0; i < rows.count; i++) {
		json_t *pass;

		if (strcmp(row_string(&rows, i, PASS_status), "done") == 0)
			continue;
		pass = json_object();
		put_fields(pass, &rows, i, fields, sizeof(fields) / sizeof(fields[0]));
		append_json(list, pass);
	}
	return list;
}

static void put_command(json_t *object, const struct family_rows *f)
{
	static const struct field fields[] = {{"command", SIDE_command}, {"environment", SIDE_environment}};
	const char *const key[] = {f->name, f->single};
	struct rows rows = rows_find(&f->model->table[TABLE_SIDE], 2, key);

	for (size_t i = 0; i < sizeof(fields) / sizeof(fields[0]); i++)
		put_json(object, fields[i].key, rows.count > 0 ? row_json(&rows, 0, fields[i].column) : json_null());
}

json_t *advised_json(const struct family_rows *f, const json_t *advice)
{
	json_t *object = json_object();

	put_json(object, "title", row_json(&f->family, 0, FAMILY_title));
	put_command(object, f);
	put_json(object, "range", text_json(store_meta(f->model->store, "range")));
	put_json(object, "pattern", text_json(store_meta(f->model->store, "kernel")));
	put_json(object, "kernels", json_integer((json_int_t)kernels_of_program(f)));
	put_json(object, "kernels_ns", real_json(kernels_ns(f)));
	put_json(object, "looked_at", real_json(share_looked_at(advice)));
	put_json(object, "verdicts", verdict_counts_json(advice));
	put_json(object, "saved", saved_json(advice));
	put_json(object, "runs", runs_of_program(f));
	put_check_options(object, f);
	put_json(object, "missing", missing_passes_json(f));
	put_json(object, "machine", machine_json(f->model, f->name));
	return object;
}
