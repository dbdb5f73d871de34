/* kinds.c: see kinds.h. */
#include "model/family/programs/extent/kinds.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/analyze.h"
#include "analyze/thresholds.h"
#include "model/family/family-rows.h"
#include "model/family/programs/extent/extent.h"
#include "model/recording.h"
#include "store/store.h"
#include "util/alloc.h"

/* A kind of a side: sums over its traced runs. */
struct kind {
	const char *list, *name, *names; /* names: "" where the recording does not tell */
	double launches, steps, steady, later;
	double *means, ns; /* kernel time of a step: of each run that has some but for warm-up, owned; their median */
	size_t nmeans;
	double *hosts, host; /* the same of its host time; NaN where the recording does not tell */
	size_t nhosts;
	double time; /* either of the two, while sides are held against each other */
};

struct side_kinds {
	struct kind *kind; /* owned */
	size_t n;
	double steps; /* of all kinds and runs, also of those that are not kept */
	double later; /* of those kinds that are kept, but for warm-up */
};

static struct kind *kind_of_list(struct side_kinds *kinds, const char *list)
{
	for (size_t i = 0; i < kinds->n; i++)
		if (strcmp(kinds->kind[i].list, list) == 0)
			return &kinds->kind[i];
	return NULL;
}

/* What a step of a kind takes in one run. */
static void add_means_of_run(struct kind *kind, const struct rows *rows, size_t i)
{
	double later = row_real(rows, i, STEPKIND_later);

	if (!(later > 0))
		return;
	kind->means[kind->nmeans++] = row_real(rows, i, STEPKIND_ns) / later;
	if (!row_null(rows, i, STEPKIND_hostNs))
		kind->hosts[kind->nhosts++] = row_real(rows, i, STEPKIND_hostNs) / later;
}

/* By list, or by shape, which then stands in kind.list. */
static struct side_kinds side_kinds_of(const struct family_rows *f, const char *variant, bool by_shape)
{
	const char *const key[] = {f->name, variant};
	struct rows rows = rows_find(&f->model->table[TABLE_STEPKIND], 2, key);
	struct side_kinds out = {.kind = xcalloc(rows.count + 1, sizeof(*out.kind))};

	for (size_t i = 0; i < rows.count; i++) {
		const char *list = row_string(&rows, i, by_shape ? STEPKIND_shape : STEPKIND_list);
		struct kind *kind = kind_of_list(&out, list);

		if (row_null(&rows, i, STEPKIND_shape) == by_shape)
			continue;
		if (!kind) {
			kind = &out.kind[out.n++];
			kind->list = list;
			kind->name = row_string(&rows, i, STEPKIND_name);
			kind->names = row_string(&rows, i, STEPKIND_names);
			kind->launches = row_real(&rows, i, STEPKIND_launches);
			kind->means = xcalloc(rows.count, sizeof(*kind->means));
			kind->hosts = xcalloc(rows.count, sizeof(*kind->hosts));
		}
		kind->steps += row_real(&rows, i, STEPKIND_steps);
		kind->steady += row_real(&rows, i, STEPKIND_steady);
		kind->later += row_real(&rows, i, STEPKIND_later);
		out.later += row_real(&rows, i, STEPKIND_later);
		add_means_of_run(kind, &rows, i);
	}
	for (size_t k = 0; k < out.n; k++) {
		struct kind *kind = &out.kind[k];

		kind->ns = kind->nmeans ? median_of(kind->means, kind->nmeans) : NAN;
		kind->host = kind->nhosts ? median_of(kind->hosts, kind->nhosts) : NAN;
	}
	return out;
}

static void side_kinds_free(struct side_kinds *kinds)
{
	for (size_t i = 0; i < kinds->n; i++) {
		free(kinds->kind[i].means);
		free(kinds->kind[i].hosts);
	}
	free(kinds->kind);
}

/* Whether it is the first row of a run. */
static bool begins_run(const struct rows *rows, size_t i)
{
	return i == 0 || row_int(rows, i, STEPKIND_block) != row_int(rows, i - 1, STEPKIND_block) ||
	       row_int(rows, i, STEPKIND_position) != row_int(rows, i - 1, STEPKIND_position);
}

/* Each row of a run has the number of all its steps. */
static double steps_of_side(const struct family_rows *f, const char *variant)
{
	const char *const key[] = {f->name, variant};
	struct rows rows = rows_find(&f->model->table[TABLE_STEPKIND], 2, key);
	double steps = 0;

	for (size_t i = 0; i < rows.count; i++)
		steps += begins_run(&rows, i) ? row_real(&rows, i, STEPKIND_allSteps) : 0;
	return steps;
}

static double runs_with_kinds(const struct family_rows *f, const char *variant)
{
	const char *const key[] = {f->name, variant};
	struct rows rows = rows_find(&f->model->table[TABLE_STEPKIND], 2, key);
	double runs = 0;

	for (size_t i = 0; i < rows.count; i++)
		runs += begins_run(&rows, i);
	return runs;
}

static const struct kind *main_kind(const struct side_kinds *kinds)
{
	const struct kind *best = kinds->kind;

	for (size_t i = 1; i < kinds->n; i++)
		if (kinds->kind[i].steady > best->steady)
			best = &kinds->kind[i];
	return best;
}

static bool has_many(const struct side_kinds *kinds, const struct kind *kind)
{
	return kind->later > program_left_part * kinds->steps;
}

static size_t later_kinds(const struct side_kinds *kinds, const struct kind *main)
{
	size_t n = 0;

	for (size_t i = 0; i < kinds->n; i++)
		n += &kinds->kind[i] != main && has_many(kinds, &kinds->kind[i]);
	return n;
}

static double share_of_list(struct side_kinds *kinds, const char *list)
{
	const struct kind *kind = kind_of_list(kinds, list);

	return kind ? kind->steps / kinds->steps : 0;
}

/* Each kind counts as often as on average of both sides. */
static double mixed_ratio(struct side_kinds side[2], const char *main)
{
	double ns[2] = {0, 0};
	size_t others = 0;

	for (size_t i = 0; i < side[0].n; i++) {
		const struct kind *a = &side[0].kind[i], *b = kind_of_list(&side[1], a->list);
		bool is_main = strcmp(a->list, main) == 0;
		double often;

		if (!b || !(a->later > 0) || !(b->later > 0) ||
			!(is_main || has_many(&side[0], a) || has_many(&side[1], b)))
			continue;
		often = a->later / side[0].steps + b->later / side[1].steps;
		ns[0] += often * a->ns;
		ns[1] += often * b->ns;
		others += !is_main;
	}
	return others > 0 ? ns[0] / ns[1] : NAN;
}

/* Kernel time of a step of a side, over all its kinds but for warm-up; NaN without any. */
static double mean_of_kinds(const struct side_kinds *kinds)
{
	double ns = 0, steps = 0;

	for (size_t i = 0; i < kinds->n; i++) {
		if (!(kinds->kind[i].later > 0))
			continue;
		ns += kinds->kind[i].later * kinds->kind[i].ns;
		steps += kinds->kind[i].later;
	}
	return ns / steps;
}

/* Those that count. */
static double steady_steps_of(const struct side_kinds *kinds)
{
	double steady = 0;

	for (size_t i = 0; i < kinds->n; i++)
		steady += kinds->kind[i].steady;
	return steady;
}

/* Of its steps but for warm-up, the part that does not count. */
static double rest_of_kinds(const struct side_kinds *kinds)
{
	double later = 0;

	for (size_t i = 0; i < kinds->n; i++)
		later += kinds->kind[i].later;
	return 1 - steady_steps_of(kinds) / later;
}

enum { PARTS_OF_A_STEP = 10 }; /* kinds that are looked at: each has more than program_left_part of the steps */

/* The number that a recording has for a list, which a redacted one does not show; false if it has none. */
static bool number_of_list(struct store *store, const char *list, uint64_t *out)
{
	enum { DIGITS = 16 };
	static const int columns[] = {STEPKIND_list};
	struct error err = {0};
	struct cursor *row = store_columns(store, TABLE_STEPKIND, columns, 1, &err);
	bool found = false;

	while (row && !found && cursor_next(row, &err) > 0) {
		const char *text = cursor_text_in_file(row, STEPKIND_list);

		if (cursor_null(row, STEPKIND_list) || strcmp(cursor_text(row, STEPKIND_list), list) != 0)
			continue;
		found = strlen(text) == DIGITS && strspn(text, "0123456789abcdef") == DIGITS;
		if (!found)
			break;
		*out = strtoull(text, NULL, 16);
	}
	if (row)
		cursor_close(row);
	return found;
}

/* How often a kind comes where the rarest of them comes once. */
static uint64_t times_of(const struct kind *kind, double rarest)
{
	return (uint64_t)llround(kind->later / rarest);
}

/* A kind that may be a part of a step, and the number of its list. */
struct part_of_step {
	const struct kind *kind;
	uint64_t list;
};

/* The steps that the kinds of a set, in bits, have together, if their list is the wanted one; else 0. Lists are sums
 * over the kernels of a step, so that of some steps together is the sum of theirs. */
static size_t steps_of_set(const struct part_of_step *parts, size_t n, unsigned int set, uint64_t wanted)
{
	double rarest = INFINITY;
	uint64_t list = 0;
	size_t steps = 0;

	for (size_t i = 0; i < n; i++)
		if (set & 1U << i)
			rarest = fmin(rarest, parts[i].kind->later);
	for (size_t i = 0; i < n; i++) {
		uint64_t times = set & 1U << i ? times_of(parts[i].kind, rarest) : 0;

		list += times * parts[i].list;
		steps += times;
	}
	return list == wanted ? steps : 0;
}

/* The main kind, and others that come often; returns how many, or 0. */
static size_t take_part_kinds(
	struct store *store, const struct side_kinds *cut, struct part_of_step parts[PARTS_OF_A_STEP])
{
	const struct kind *main = main_kind(cut);
	size_t n = 0;

	parts[0].kind = main;
	if (!(main->later > 0) || !number_of_list(store, main->list, &parts[n++].list))
		return 0;
	for (size_t i = 0; i < cut->n && n < PARTS_OF_A_STEP; i++) {
		parts[n].kind = &cut->kind[i];
		if (parts[n].kind != main && has_many(cut, parts[n].kind) &&
			number_of_list(store, parts[n].kind->list, &parts[n].list))
			n++;
	}
	return n;
}

/* How many steps of several kinds of `cut`, its main one among them, are one step of `whole`'s main kind; else 0. */
static size_t parts_of_step(struct store *store, const struct side_kinds *whole, const struct side_kinds *cut)
{
	struct part_of_step parts[PARTS_OF_A_STEP];
	uint64_t wanted;
	size_t n, steps = 0;

	if (!number_of_list(store, main_kind(whole)->list, &wanted))
		return 0;
	n = take_part_kinds(store, cut, parts);
	for (unsigned int set = 3; steps == 0 && set < 1U << n; set += 2)
		steps = steps_of_set(parts, n, set, wanted);
	return steps;
}

struct main_kinds main_kinds_of(const struct family_rows *f, const char *single, const char *other)
{
	const char *const name[] = {single, other};
	struct side_kinds side[2];
	struct main_kinds out = {.alike = true, .mixed = NAN};

	for (int i = 0; i < 2; i++) {
		side[i] = side_kinds_of(f, name[i], false);
		side[i].steps = steps_of_side(f, name[i]);
	}
	for (int i = 0; i < 2 && side[0].n > 0 && side[1].n > 0; i++) {
		const struct kind *main = main_kind(&side[i]);

		out.of[i] = (struct main_kind){main->name, main->launches,
			{share_of_list(&side[0], main->list), share_of_list(&side[1], main->list)}};
		out.later[i] = later_kinds(&side[i], main);
		out.alike = i == 0 || strcmp(main->list, main_kind(&side[0])->list) == 0;
	}
	if (out.of[0].name && out.alike)
		out.mixed = mixed_ratio(side, main_kind(&side[0])->list);
	/* With as many steps as the other side it has less to do. */
	for (int i = 0; i < 2 && out.of[0].name && !out.alike && out.parts == 0; i++)
		if (side[1 - i].steps > (1 + program_left_part) * side[i].steps)
			out.parts = parts_of_step(f->model->store, &side[i], &side[1 - i]);
	out.all = mean_of_kinds(&side[0]) / mean_of_kinds(&side[1]);
	out.rest = fmax(rest_of_kinds(&side[0]), rest_of_kinds(&side[1]));
	side_kinds_free(&side[0]);
	side_kinds_free(&side[1]);
	return out;
}

/* ---- kinds that one side alone has ---- */

/* The kind of the other side that it is held against, or NULL. Those that count belong together. One that is rare
 * beside this one, or warm-up, does not stand for it. */
static const struct kind *counterpart(struct side_kinds side[2], int i, const struct kind *kind)
{
	const struct kind *main[] = {main_kind(&side[0]), main_kind(&side[1])};
	const struct kind *match = kind == main[i] ? main[1 - i] : kind_of_list(&side[1 - i], kind->list);

	if (!match || (match == main[1 - i]) != (kind == main[i]))
		return NULL;
	return match->later / side[1 - i].later >= program_lone_rare * kind->later / side[i].later ? match : NULL;
}

/* Sums over the kinds of a side: shares of its steps, and time of a step. */
struct kind_sums {
	double lone_steps, lone_time;   /* without a counterpart */
	double time;                    /* of all */
	double both, both_time;         /* of those that both sides have, as often as on average */
	double other_steps, other_time; /* that are not of the kind that counts */
};

static struct kind_sums sums_of_kinds(struct side_kinds side[2], int i)
{
	struct kind_sums out = {.time = 0};

	for (size_t k = 0; k < side[i].n; k++) {
		const struct kind *kind = &side[i].kind[k], *match = counterpart(side, i, kind);
		double share = kind->later / side[i].later;
		double both = match ? (share + match->later / side[1 - i].later) / 2 : 0;

		if (!(kind->later > 0))
			continue;
		out.time += share * kind->time;
		out.lone_steps += match ? 0 : share;
		out.lone_time += match ? 0 : share * kind->time;
		out.both += both;
		out.both_time += both * kind->time;
		out.other_steps += kind == main_kind(&side[i]) ? 0 : share;
		out.other_time += kind == main_kind(&side[i]) ? 0 : share * kind->time;
	}
	return out;
}

/* A step of a side: kinds that both have, as often as on average, and its own ones as they come. */
static double mean_of_sums(const struct kind_sums *sums)
{
	double both = sums->both > 0 ? (1 - sums->lone_steps) * sums->both_time / sums->both : 0;

	return both + sums->lone_time;
}

/* Frees both. */
static struct lone_kinds hold_kinds(struct side_kinds side[2])
{
	struct lone_kinds out = {.all = NAN};

	if (side[0].n > 0 && side[1].n > 0) {
		const struct kind_sums sums[] = {sums_of_kinds(side, 0), sums_of_kinds(side, 1)};

		out.all = mean_of_sums(&sums[0]) / mean_of_sums(&sums[1]);
		for (int i = 0; i < 2; i++) {
			out.steps[i] = sums[i].lone_steps;
			out.time[i] = sums[i].lone_time / sums[i].time;
			out.others = fmax(out.others, sums[i].other_steps);
			out.others_time = fmax(out.others_time, sums[i].other_time / sums[i].time);
		}
	}
	side_kinds_free(&side[0]);
	side_kinds_free(&side[1]);
	return out;
}

struct lone_kinds lone_kinds_of(const struct family_rows *f, const char *single, const char *other)
{
	struct side_kinds side[] = {side_kinds_of(f, single, false), side_kinds_of(f, other, false)};

	for (int i = 0; i < 2; i++)
		for (size_t k = 0; k < side[i].n; k++)
			side[i].kind[k].time = side[i].kind[k].ns;
	return hold_kinds(side);
}

/* Steps that launch nothing are a kind, too. There is room for one more. */
static void add_empty_kind(const struct family_rows *f, const char *variant, struct side_kinds *kinds)
{
	struct side_extent extent = side_extent_of(f, variant);
	struct kind empty = {.list = "", .later = extent.empty_steps * runs_with_kinds(f, variant)};

	if (!(empty.later > 0))
		return;
	empty.time = extent.empty_host_ns;
	kinds->later += empty.later;
	kinds->kind[kinds->n++] = empty;
}

struct lone_kinds host_of_kinds(
	const struct family_rows *f, const char *single, const char *other, const double period_ns[2])
{
	const char *const name[] = {single, other};
	struct side_kinds side[] = {side_kinds_of(f, single, false), side_kinds_of(f, other, false)};

	for (int i = 0; i < 2; i++) {
		const struct kind *main = main_kind(&side[i]);

		for (size_t k = 0; k < side[i].n; k++) {
			struct kind *kind = &side[i].kind[k];

			kind->time = period_ns && kind == main ? period_ns[i] : kind->host;
		}
		if (side[i].n > 0)
			add_empty_kind(f, name[i], &side[i]);
	}
	return hold_kinds(side);
}

/* Whether both launch kernels of the same names, so that they differ in their numbers alone. */
static bool has_the_same_names(const struct kind *a, const struct kind *b)
{
	return *a->names != '\0' && strcmp(a->names, b->names) == 0;
}

struct step_launches step_launches_of(const struct family_rows *f, const char *variant)
{
	struct side_kinds kinds = side_kinds_of(f, variant, false);
	const struct kind *main = main_kind(&kinds);
	struct step_launches out = {NAN, NAN};

	for (size_t i = 0; i < kinds.n; i++) {
		const struct kind *kind = &kinds.kind[i];

		if (kind->later == 0 || !has_the_same_names(kind, main))
			continue;
		out.fewest = fmin(out.fewest, kind->launches);
		out.most = fmax(out.most, kind->launches);
	}
	side_kinds_free(&kinds);
	return out;
}

/* ---- shapes ---- */

/* What the shapes of both sides have. */
struct common_shapes {
	double share[2]; /* of a side's steps that count */
	double apart;    /* how far the shares of one shape are apart, at most */
	double ns[2];    /* of a step, if each is as often on both sides */
};

static void add_common_shape(
	const struct kind *a, const struct kind *b, const double steady[2], struct common_shapes *out)
{
	const double share[] = {a->steady / steady[0], b->steady / steady[1]};

	for (int i = 0; i < 2; i++)
		out->share[i] += share[i];
	out->apart = fmax(out->apart, fabs(share[0] - share[1]));
	out->ns[0] += (share[0] + share[1]) * a->ns;
	out->ns[1] += (share[0] + share[1]) * b->ns;
}

double shapes_ratio(const struct family_rows *f, const char *single, const char *other)
{
	struct side_kinds lists[] = {side_kinds_of(f, single, false), side_kinds_of(f, other, false)};
	struct side_kinds shapes[] = {side_kinds_of(f, single, true), side_kinds_of(f, other, true)};
	const double steady[] = {steady_steps_of(&lists[0]), steady_steps_of(&lists[1])};
	struct common_shapes common = {.ns = {0, 0}};
	bool all;

	for (size_t i = 0; i < shapes[0].n; i++) {
		const struct kind *a = &shapes[0].kind[i], *b = kind_of_list(&shapes[1], a->list);

		if (b && a->steady > 0 && b->steady > 0)
			add_common_shape(a, b, steady, &common);
	}
	all = fmin(common.share[0], common.share[1]) >= 1 - program_left_part;
	for (int i = 0; i < 2; i++) {
		side_kinds_free(&lists[i]);
		side_kinds_free(&shapes[i]);
	}
	return all && common.apart > program_shares_apart ? common.ns[0] / common.ns[1] : NAN;
}
