/* curves-take.c: takes what the library in the program has told of one run. The program had the file: what does not fit
 * is left out. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/overlap.h"
#include "contrast/pm/curves-private.h"
#include "util/alloc.h"
#include "util/clock.h"

void told_curve_free(struct told_curve *told)
{
	free(told->times);
	free(told->samples);
	free(told->work);
	*told = (struct told_curve){0};
}

/* ---- names ---- */

static void take_kernel_name(struct curving *c, uint32_t number, const char *mangled)
{
	struct curves *out = c->out;

	if (number >= CURVE_NAMES)
		return;
	xgrow(&out->names, out->nnames, &out->names_room, sizeof(*out->names));
	out->names[out->nnames] = xstrdup(kernel_names_get(&c->kernels, mangled)->short_);
	c->functions[number] = out->names[out->nnames++];
}

/* ---- work and samples ---- */

/* The program may have written what it likes: no time is more than a day from the run (CLOCK_REALTIME, ns). */
static bool is_time_of_run(const struct curving *c, int64_t ns)
{
	static const int64_t day = INT64_C(86400000000000);

	return ns > c->out->start - day && ns < clock_realtime() + day;
}

static void take_curve_work(struct curving *c, const char *bytes, size_t size)
{
	size_t all = size / sizeof(struct count_piece), n = all < COUNT_PIECES_MOST ? all : COUNT_PIECES_MOST;

	free(c->told.work);
	c->told.work = xcalloc(n + 1, sizeof(*c->told.work));
	c->told.nwork = 0;
	for (size_t i = 0; i < n; i++) {
		struct count_piece piece;

		memcpy(&piece, bytes + i * sizeof(piece), sizeof(piece));
		if (piece.end < piece.start || piece.cls >= WORK_CLASSES || !is_time_of_run(c, piece.start) ||
			!is_time_of_run(c, piece.end))
			continue;
		c->told.work[c->told.nwork++] = (struct curve_piece){piece.start, piece.end, piece.stream, piece.cls,
			piece.function < CURVE_NAMES ? c->functions[piece.function] : NULL};
	}
}

static void take_curve_times(struct curving *c, size_t first, const char *bytes, size_t size)
{
	free(c->told.times);
	c->told.times = xmemdup(bytes, size + 1);
	c->told.ntimes = size / sizeof(*c->told.times);
	c->told.first = first;
}

static void take_curve_image(struct curving *c, size_t set, const char *bytes, size_t size)
{
	const struct pm_images images = {(const uint8_t *)bytes, size, c->told.times, c->told.first, c->told.ntimes};
	struct error why = {0};

	if (pm_samples_take(
		    c->out->plans.plans[set], &images, &c->told.samples, &c->told.nsamples, &c->told.room, &why) < 0)
		snprintf(c->out->sides[c->at].sets[set].reason, sizeof(c->out->sides[0].sets[0].reason), "%.250s",
			why.text);
	c->told.ntimes = 0;
}

/* ---- a set ---- */

static bool is_curve_of_run(const struct curving *c, const struct count_curve *sums)
{
	return sums->start <= sums->end && is_time_of_run(c, sums->start) && is_time_of_run(c, sums->end) &&
	       sums->step < UINT32_MAX;
}

/* Samples get the times of the run; those that get none are dropped. */
static void move_samples(const struct curving *c, struct curve *curve, int64_t offset)
{
	size_t kept = 0;

	for (size_t i = 0; i < curve->nsamples; i++) {
		struct pm_sample *sample = &curve->samples[i];

		if (!__builtin_add_overflow(sample->start, offset, &sample->start) &&
			!__builtin_add_overflow(sample->end, offset, &sample->end) &&
			is_time_of_run(c, sample->start) && is_time_of_run(c, sample->end))
			curve->samples[kept++] = *sample;
	}
	curve->nsamples = kept;
}

/* Of several processes the first one counts. */
static void take_curve(struct curving *c, size_t set, const char *bytes, size_t size)
{
	struct curve *curve = &c->out->sides[c->at].sets[set];
	struct count_curve sums;

	if (size != sizeof(sums) || curve->is_sampled || c->told.nsamples == 0)
		return;
	memcpy(&sums, bytes, sizeof(sums));
	if (!is_curve_of_run(c, &sums))
		return;
	*curve = (struct curve){.is_sampled = true,
		.start = sums.start,
		.end = sums.end,
		.step = sums.step,
		.overflow = sums.overflow != 0,
		.unnoted = sums.unnoted,
		.samples = c->told.samples,
		.nsamples = c->told.nsamples,
		.work = c->told.work,
		.nwork = c->told.nwork};
	move_samples(c, curve, sums.offset);
	c->told.samples = NULL;
	c->told.work = NULL;
	c->taken++;
}

static void take_answer_of_chip(struct curving *c, const struct count_record *head, const char *bytes)
{
	if (head->kind == COUNT_CHIP && !c->chip)
		c->chip = xstrdup(bytes);
	if (head->kind == COUNT_AVAILABLE && !c->availability && head->size == PROFILER_AVAILABILITY_SIZE)
		c->availability = xmemdup(bytes, (size_t)head->size);
}

static void take_group_record(struct curving *c, size_t set, const struct count_record *head, const char *bytes)
{
	size_t size = (size_t)head->size;

	if (head->kind == COUNT_MISSED)
		snprintf(c->out->sides[c->at].sets[set].reason, sizeof(c->out->sides[0].sets[0].reason), "%.250s",
			bytes);
	if (head->kind == COUNT_CURVE_WORK)
		take_curve_work(c, bytes, size);
	if (head->kind == COUNT_CURVE_TIMES)
		take_curve_times(c, head->launches, bytes, size);
	if (head->kind == COUNT_CURVE_IMAGE)
		take_curve_image(c, set, bytes, size);
	if (head->kind != COUNT_CURVE)
		return;
	take_curve(c, set, bytes, size);
	told_curve_free(&c->told);
}

void curves_take_record(void *user, const struct count_record *head, const char *bytes)
{
	struct curving *c = user;
	struct error *refusal = &c->out->sides[c->at].refusal;

	if (head->kind == COUNT_REFUSED && refusal->text[0] == '\0')
		error_set(refusal, "%s", *bytes == '\0' ? "its launches cannot be followed" : bytes);
	if (head->kind == COUNT_PIECE_NAME)
		take_kernel_name(c, head->group, bytes);
	take_answer_of_chip(c, head, bytes);
	if (head->group < c->nplanned)
		take_group_record(c, c->planned[head->group], head, bytes);
}
