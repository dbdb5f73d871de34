/* stalls.c: the "stalls" of a variant's case: what PC sampling found its warps waiting for, by reason, by source
 * line and by SASS instruction. */
#include "model/family/stalls.h"

#include <stdlib.h>
#include <string.h>

#include "analyze/thresholds.h"
#include "model/family/measured.h"
#include "model/recording.h"
#include "model/rows-json.h"
#include "store/rowset.h"
#include "store/store.h"
#include "tree/json.h"
#include "util/alloc.h"
#include "util/number.h"

/* A row cannot hold more samples: sums of a stranger's numbers must not overflow. */
static const int64_t most_samples = INT64_C(1) << 38;

/* Samples of one reason at one place. */
struct tally {
	const char *symbol, *file, *reason; /* "" where unknown; borrowed */
	int64_t offset, line, samples, not_issued;
};

/* A slice of tallies: those of one place. */
struct spot {
	const struct tally *tally;
	size_t n, at;
	int64_t samples;
};

/* All tallies of a case, and room to merge and group them in. */
struct tallies {
	struct tally *all, *merged;
	struct spot *spots;
	size_t n;
	int64_t samples, others; /* in `all`; in other kernels of the launch */
};

typedef int tally_order(const struct tally *a, const struct tally *b);
typedef int qsort_order(const void *left, const void *right);

static int by_reason(const struct tally *a, const struct tally *b)
{
	return strcmp(a->reason, b->reason);
}

static int by_line(const struct tally *a, const struct tally *b)
{
	int order = strcmp(a->file, b->file);

	return order ? order : int64_order(a->line, b->line);
}

static int by_offset(const struct tally *a, const struct tally *b)
{
	int order = strcmp(a->symbol, b->symbol);

	return order ? order : int64_order(a->offset, b->offset);
}

static int sort_by_reason(const void *left, const void *right)
{
	return by_reason(left, right);
}

static int sort_by_line(const void *left, const void *right)
{
	int order = by_line(left, right);

	return order ? order : by_reason(left, right);
}

static int sort_by_offset(const void *left, const void *right)
{
	int order = by_offset(left, right);

	return order ? order : by_reason(left, right);
}

/* Most samples first; of as many, by name. */
static int sort_by_samples(const void *left, const void *right)
{
	const struct tally *a = left, *b = right;
	int order = int64_order(b->samples, a->samples);

	return order ? order : by_reason(a, b);
}

static int spots_by_samples(const void *left, const void *right)
{
	const struct spot *a = left, *b = right;
	int order = int64_order(b->samples, a->samples);

	return order ? order : (a->at > b->at) - (a->at < b->at);
}

static int64_t samples_in(const struct rows *rows, size_t i, int column)
{
	int64_t samples = row_int(rows, i, column);

	return samples < 0 ? 0 : samples > most_samples ? most_samples : samples;
}

/* Takes the samples of the variant's own kernel, if `own` names it, else all. */
static void tallies_take(struct tallies *t, const struct rows *rows, const char *own)
{
	t->all = xcalloc(rows->count, sizeof(*t->all));
	t->merged = xcalloc(rows->count, sizeof(*t->merged));
	t->spots = xcalloc(rows->count, sizeof(*t->spots));
	for (size_t i = 0; i < rows->count; i++) {
		if (own && strcmp(row_string(rows, i, STALL_symbol), own) != 0) {
			t->others += samples_in(rows, i, STALL_samples);
			continue;
		}
		t->all[t->n] = (struct tally){
			.symbol = row_string(rows, i, STALL_symbol),
			.file = row_string(rows, i, STALL_file),
			.reason = row_string(rows, i, STALL_reason),
			.offset = row_int(rows, i, STALL_offset),
			.line = row_int(rows, i, STALL_line),
			.samples = samples_in(rows, i, STALL_samples),
			.not_issued = samples_in(rows, i, STALL_notIssued),
		};
		t->samples += t->all[t->n++].samples;
	}
}

static void tallies_free(struct tallies *t)
{
	free(t->all);
	free(t->merged);
	free(t->spots);
}

/* Fills `merged`: a tally for each reason at each place. */
static size_t stalls_merge(struct tallies *t, qsort_order *sort)
{
	size_t n = 0;

	qsort(t->all, t->n, sizeof(*t->all), sort);
	for (size_t i = 0; i < t->n; i++) {
		if (n > 0 && sort(&t->merged[n - 1], &t->all[i]) == 0) {
			t->merged[n - 1].samples += t->all[i].samples;
			t->merged[n - 1].not_issued += t->all[i].not_issued;
		} else {
			t->merged[n++] = t->all[i];
		}
	}
	return n;
}

/* Fills `spots`, those with most samples first, each with its reasons in the same order. */
static size_t group(struct tallies *t, qsort_order *sort, tally_order *place)
{
	size_t n = stalls_merge(t, sort), count = 0;

	for (size_t i = 0, end; i < n; i = end) {
		struct spot spot = {.tally = t->merged + i, .at = i};

		for (end = i; end < n && place(&t->merged[i], &t->merged[end]) == 0; end++)
			spot.samples += t->merged[end].samples;
		spot.n = end - i;
		qsort(t->merged + i, spot.n, sizeof(*t->merged), sort_by_samples);
		t->spots[count++] = spot;
	}
	qsort(t->spots, count, sizeof(*t->spots), spots_by_samples);
	return count;
}

static json_t *stalls_share_json(int64_t part, int64_t whole)
{
	return whole > 0 ? real_json((double)part / (double)whole) : json_null();
}

/* Each tally with its share of `whole`. */
static json_t *tally_list(const struct tally *tally, size_t n, int64_t whole)
{
	json_t *list = json_array();

	for (size_t i = 0; i < n; i++) {
		json_t *object = json_object();

		put_json(object, "reason", text_json(tally[i].reason));
		put_json(object, "samples", json_integer(tally[i].samples));
		put_json(object, "not_issued", json_integer(tally[i].not_issued));
		put_json(object, "share", stalls_share_json(tally[i].samples, whole));
		append_json(list, object);
	}
	return list;
}

static json_t *reasons_json(struct tallies *t)
{
	size_t n = stalls_merge(t, sort_by_reason);

	json_t *list, *object;
	size_t i;

	qsort(t->merged, n, sizeof(*t->merged), sort_by_samples);
	list = tally_list(t->merged, n, t->samples);
	json_array_foreach(list, i, object)
		put_json(object, "state", text_json(warp_state_name(warp_state_of(t->merged[i].reason))));
	return list;
}

static void stalls_put_place(json_t *object, const struct spot *spot)
{
	bool known = spot->tally->file[0] && spot->tally->line > 0;

	put_json(object, "file", known ? text_json(spot->tally->file) : json_null());
	put_json(object, "line", known ? json_integer(spot->tally->line) : json_null());
	put_json(object, "samples", json_integer(spot->samples));
	put_json(object, "reason", text_json(spot->tally->reason));
}

static json_t *line_json(const struct tallies *t, const struct spot *spot)
{
	json_t *object = json_object();

	stalls_put_place(object, spot);
	put_json(object, "share", stalls_share_json(spot->samples, t->samples));
	put_json(object, "reason_share", stalls_share_json(spot->tally->samples, spot->samples));
	put_json(object, "reasons", tally_list(spot->tally, spot->n, spot->samples));
	return object;
}

static json_t *stalls_lines_json(struct tallies *t)
{
	size_t n = group(t, sort_by_line, by_line);
	json_t *list = json_array();

	for (size_t i = 0; i < n; i++) {
		if (t->spots[i].tally->file[0] && t->spots[i].tally->line > 0)
			append_json(list, line_json(t, &t->spots[i]));
	}
	return list;
}

static json_t *offset_json(const struct spot *spot)
{
	json_t *object = json_object();

	put_json(object, "symbol", text_json(spot->tally->symbol));
	put_json(object, "offset", json_integer(spot->tally->offset));
	stalls_put_place(object, spot);
	return object;
}

static json_t *offsets_json(struct tallies *t)
{
	size_t n = group(t, sort_by_offset, by_offset);
	json_t *list = json_array();

	for (size_t i = 0; i < n; i++) {
		if ((double)t->spots[i].samples >= instruction_share * (double)t->samples)
			append_json(list, offset_json(&t->spots[i]));
	}
	return list;
}

static int64_t not_issued(const struct tallies *t)
{
	int64_t sum = 0;

	for (size_t i = 0; i < t->n; i++)
		sum += t->all[i].not_issued;
	return sum;
}

static json_t *tallies_json(struct tallies *t, const struct rows *run)
{
	static const struct field fields[] = {
		{"launches", STALLRUN_launches},
		{"period", STALLRUN_period},
		{"total", STALLRUN_total},
		{"dropped", STALLRUN_dropped},
		{"foreign", STALLRUN_foreign},
		{"reason", STALLRUN_reason},
	};
	json_t *object = json_object();

	put_fields(object, run, 0, fields, sizeof(fields) / sizeof(fields[0]));
	put_json(object, "samples", json_integer(t->samples));
	put_json(object, "other_kernels", json_integer(t->others));
	put_json(object, "not_issued", json_integer(not_issued(t)));
	put_json(object, "reasons", reasons_json(t));
	put_json(object, "lines", stalls_lines_json(t));
	put_json(object, "offsets", offsets_json(t));
	return object;
}

json_t *stalls_json(const struct model *model, const struct measured *m)
{
	const char *const key[] = {m->family, m->variant, m->label};
	struct rows run = rows_find(&model->table[TABLE_STALLRUN], 3, key);
	struct rows rows = rows_find(&model->table[TABLE_STALL], 3, key);
	struct tallies tallies = {0};
	json_t *object;

	if (run.count == 0)
		return json_null();
	tallies_take(&tallies, &rows, measured_symbol(m));
	object = tallies_json(&tallies, &run);
	tallies_free(&tallies);
	return object;
}

/* Leaves the samples of one state that have a line. */
static void tallies_keep(struct tallies *t, enum warp_state state)
{
	size_t kept = 0;

	for (size_t i = 0; i < t->n; i++) {
		const struct tally *tally = &t->all[i];

		if (tally->file[0] && tally->line > 0 && tally->samples > 0 && warp_state_of(tally->reason) == state)
			t->all[kept++] = *tally;
	}
	t->n = kept;
}

bool stalls_line_of(
	const struct model *model, const struct measured *m, enum warp_state state, const char **file, int64_t *line)
{
	const char *const key[] = {m->family, m->variant, m->label};
	struct rows rows = rows_find(&model->table[TABLE_STALL], 3, key);
	struct tallies tallies = {0};
	bool found;

	tallies_take(&tallies, &rows, measured_symbol(m));
	tallies_keep(&tallies, state);
	found = group(&tallies, sort_by_line, by_line) > 0;
	if (found) {
		*file = tallies.spots[0].tally->file;
		*line = tallies.spots[0].tally->line;
	}
	tallies_free(&tallies);
	return found;
}
