/*
 * chunks.c: see chunks.h. No recording says how many chunks a point has, since sweeps are not traced. But some
 * parameter cuts the work into chunks, and the launches that were traced tell which: a chunk is as many kernels as any
 * other, so their number follows the number of chunks from case to case.
 */
#include "model/sweep/chunks.h"

#include <math.h>
#include <string.h>

#include "model/recording.h"
#include "model/sweep/grid.h"
#include "store/rowset.h"
#include "store/store.h"

/* Without a trace, the parameter of this name is taken for the size of a chunk. */
#define PARAM_CHUNK "chunk"

enum { MAX_PARAMS = 16, MAX_TRACED = 64 };

/* What a launch of the sweep's double enqueued in a case of the family. */
struct traced_launch {
	const char *label;
	double kernels, copies;
};

/* A way to count chunks: all of `whole`, `size` at a time. */
struct cut {
	const char *whole; /* a parameter; NULL: the results that a launch makes */
	const char *size;  /* a parameter */
	bool counted;      /* `size` is the number of chunks itself */
};

/* Everything that chunks are told from. */
struct cutting {
	const struct sweep *s;
	struct rows params; /* of the sweep's first point: at most MAX_PARAMS */
	struct traced_launch traced[MAX_TRACED];
	size_t ntraced;
};

/* ---- what was traced ---- */

static struct traced_launch *traced_case(struct cutting *c, const char *label)
{
	for (size_t i = 0; i < c->ntraced; i++) {
		if (strcmp(c->traced[i].label, label) == 0)
			return &c->traced[i];
	}
	if (c->ntraced == MAX_TRACED)
		return NULL;
	c->traced[c->ntraced] = (struct traced_launch){.label = label};
	return &c->traced[c->ntraced++];
}

/* A library's launches are lower bounds, and tell nothing. */
static void traced_read(struct cutting *c)
{
	const char *const key[] = {c->s->family, c->s->dbl};
	struct rows rows = rows_find(&c->s->model->table[TABLE_COUNT], 2, key);

	for (size_t i = 0; i < rows.count; i++) {
		const char *what = row_string(&rows, i, COUNT_what);
		double iterations = row_real(&rows, i, COUNT_iterations);
		struct traced_launch *launch = traced_case(c, row_string(&rows, i, COUNT_caseLabel));

		if (!launch || !(iterations > 0) || row_int(&rows, i, COUNT_lowerBound) != 0)
			continue;
		if (strcmp(what, "kernels") == 0)
			launch->kernels = row_real(&rows, i, COUNT_host) / iterations;
		if (strcmp(what, "copies") == 0)
			launch->copies = row_real(&rows, i, COUNT_host) / iterations;
	}
}

static bool launches_copy(const struct cutting *c)
{
	for (size_t i = 0; i < c->ntraced; i++) {
		if (c->traced[i].copies > 0)
			return true;
	}
	return c->ntraced == 0 && !c->s->kernel_bound;
}

/* ---- ways to count chunks ---- */

static double cut_results(const struct sweep *s, const char *label)
{
	const char *const key[] = {s->family};
	struct rows cases = rows_find(&s->model->table[TABLE_CASE], 1, key);

	for (size_t i = 0; i < cases.count; i++) {
		if (strcmp(row_string(&cases, i, CASE_label), label) == 0)
			return row_real(&cases, i, CASE_elements);
	}
	return NAN;
}

/* How many chunks a case has, counted this way; NaN if it cannot be told. */
static double cut_chunks(const struct sweep *s, const struct cut *cut, const char *label)
{
	double size = param_value(s, label, cut->size), whole;

	if (!(size > 0))
		return NAN;
	if (cut->counted)
		return size;
	whole = cut->whole ? param_value(s, label, cut->whole) : cut_results(s, label);
	return whole > 0 ? ceil(whole / size) : NAN;
}

/* Whether every traced launch has the same number of kernels for each chunk, and some launch has several chunks. If
 * all have the same number of chunks, that number of kernels must be 1: any other would fit as well. */
static bool cut_fits(const struct cutting *c, const struct cut *cut)
{
	double each = NAN, fewest = INFINITY, most = 0;

	for (size_t i = 0; i < c->ntraced; i++) {
		const struct traced_launch *launch = &c->traced[i];
		double chunks = cut_chunks(c->s, cut, launch->label);

		if (!(launch->kernels > 0))
			continue;
		if (!(chunks > 0) || fmod(launch->kernels, chunks) != 0 ||
			(!isnan(each) && launch->kernels / chunks != each))
			return false;
		each = launch->kernels / chunks;
		fewest = fmin(fewest, chunks);
		most = fmax(most, chunks);
	}
	return most > 1 && (fewest < most || each == 1);
}

/* ---- all ways ---- */

/* The ways whose size is parameter `size`: parameters in the same unit first, then the results, then `size` as a number
 * of chunks. Returns how many there are. */
static size_t cuts_of(const struct cutting *c, size_t size, struct cut *out)
{
	const char *name = row_string(&c->params, size, PARAM_name), *unit = row_string(&c->params, size, PARAM_unit);
	size_t n = 0;

	for (size_t i = 0; i < c->params.count; i++) {
		if (i != size && strcmp(row_string(&c->params, i, PARAM_unit), unit) == 0)
			out[n++] = (struct cut){.whole = row_string(&c->params, i, PARAM_name), .size = name};
	}
	out[n++] = (struct cut){.size = name};
	out[n++] = (struct cut){.size = name, .counted = true};
	return n;
}

/* Takes a way for the points: the first one fills them in, and the others must agree. False if they do not. */
static bool cut_take(struct sweep *s, const struct cut *cut, bool first)
{
	for (size_t i = 0; i < s->npoints; i++) {
		double chunks = cut_chunks(s, cut, s->points[i].label);

		if (first)
			s->points[i].chunks = chunks;
		else if (chunks != s->points[i].chunks && !(isnan(chunks) && isnan(s->points[i].chunks)))
			return false;
	}
	return true;
}

static void chunks_forget(struct sweep *s)
{
	for (size_t i = 0; i < s->npoints; i++)
		s->points[i].chunks = NAN;
}

static bool is_chunk(const struct cutting *c, size_t param)
{
	return strcmp(row_string(&c->params, param, PARAM_name), PARAM_CHUNK) == 0;
}

/* All ways that fit the trace must agree. `named`: only those by the parameter that is called so. Returns whether any
 * fits. */
static bool chunks_from_trace(struct sweep *s, const struct cutting *c, bool named)
{
	struct cut cuts[MAX_PARAMS + 2];
	bool any = false, agree = true;

	for (size_t param = 0; param < c->params.count; param++) {
		size_t n = named && !is_chunk(c, param) ? 0 : cuts_of(c, param, cuts);

		for (size_t i = 0; i < n && agree; i++) {
			if (!cut_fits(c, &cuts[i]))
				continue;
			agree = cut_take(s, &cuts[i], !any);
			any = true;
		}
	}
	if (!agree)
		chunks_forget(s);
	return any;
}

/* Without a trace: the parameter in the unit of the chunk, or else the results, in pieces of a chunk. */
static void chunks_from_name(struct sweep *s, const struct cutting *c)
{
	struct cut cuts[MAX_PARAMS + 2];

	for (size_t param = 0; param < c->params.count; param++) {
		if (is_chunk(c, param) && cuts_of(c, param, cuts) <= 3)
			cut_take(s, &cuts[0], true);
	}
}

void chunks_find(struct sweep *s)
{
	struct cutting c = {.s = s};

	chunks_forget(s);
	if (s->npoints == 0)
		return;
	c.params = rows_find(&s->model->table[TABLE_PARAM], 2, (const char *const[]){s->family, s->points[0].label});
	if (c.params.count > MAX_PARAMS)
		c.params.count = MAX_PARAMS;
	traced_read(&c);
	if (!launches_copy(&c))
		return;
	if (c.ntraced == 0)
		chunks_from_name(s, &c);
	else if (!chunks_from_trace(s, &c, true))
		chunks_from_trace(s, &c, false);
}
