/* sweep-text.c: what a sweep found, in words. */
#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "analyze/analyze.h"
#include "model/sweep/sweep.h"
#include "tree/tree.h"
#include "util/format.h"

/* Text that grows up to its room. */
struct words {
	char *text;
	size_t size, used;
};

static void sweep_text_add(struct words *words, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void sweep_text_add(struct words *words, const char *format, ...)
{
	va_list args;
	int length;

	if (words->used + 1 >= words->size)
		return;
	va_start(args, format);
	length = vsnprintf(words->text + words->used, words->size - words->used, format, args);
	va_end(args);
	if (length > 0)
		words->used += (size_t)length;
}

static bool counts_buffers(const char *param)
{
	return strcmp(param, "buffers") == 0 || strcmp(param, "stages") == 0;
}

/* Whether two buffers are held against one: not where the number of buffers is what the sweep varies. */
static bool is_double(const struct sweep *s)
{
	return s->buffering && !counts_buffers(s->x) && !counts_buffers(s->y);
}

/* What pays or does not. */
static const char *subject(const struct sweep *s)
{
	return is_double(s) ? "double buffering" : s->dbl;
}

static void add_value(struct words *words, const char *param, double value)
{
	char count[FORMAT_SIZE];

	if (isinf(param_place(param, value)))
		sweep_text_add(words, "no limit");
	else
		sweep_text_add(words, "%s", format_count(count, sizeof(count), value));
}

/* ---- crossovers ---- */

static const char *turn(enum verdict before, enum verdict after)
{
	static const char *const turns[VERDICT_UNCLEAR][VERDICT_UNCLEAR] = {
		[VERDICT_FASTER][VERDICT_SAME] = "stops paying",
		[VERDICT_FASTER][VERDICT_SLOWER] = "turns from a gain into a loss",
		[VERDICT_SAME][VERDICT_FASTER] = "starts to pay",
		[VERDICT_SAME][VERDICT_SLOWER] = "starts to cost time",
		[VERDICT_SLOWER][VERDICT_SAME] = "stops costing time",
		[VERDICT_SLOWER][VERDICT_FASTER] = "turns from a loss into a gain",
	};

	return turns[before][after];
}

/* Three digits, in full: "131,000". */
static double rounded(double x)
{
	double unit = pow(10, floor(log10(x)) - 2);

	return unit > 1 ? unit * round(x / unit) : round(x);
}

void crossover_words(const struct sweep *s, const struct sweep_point *curve, const struct crossover *crossover,
	char *text, size_t size)
{
	const struct sweep_point *before = &curve[crossover->before], *after = &curve[crossover->after];
	struct words words = {text, size, 0};
	char count[FORMAT_SIZE];
	double about = rounded(crossover->x);

	*text = '\0';
	sweep_text_add(&words, "between %s = ", s->x);
	add_value(&words, s->x, before->x);
	sweep_text_add(&words, " and ");
	add_value(&words, s->x, after->x);
	if (about > before->x && about < after->x)
		sweep_text_add(&words, " (near %s)", format_count(count, sizeof(count), about));
	if (crossover->after > crossover->before + 1)
		sweep_text_add(&words, " (nothing clear in between)");
	sweep_text_add(&words, ", %s %s", subject(s), turn(before->verdict, after->verdict));
}

/* ---- the finding ---- */

/* How many points have each verdict, and the extremes. */
struct tally {
	size_t measured, count[VERDICT_UNCLEAR + 1];
	const struct sweep_point *best, *worst; /* of those that are faster, and slower; or NULL */
};

static void tally_points(const struct sweep *s, struct tally *tally)
{
	*tally = (struct tally){0};
	for (size_t i = 0; i < s->npoints; i++) {
		const struct sweep_point *p = &s->points[i];

		if (isnan(p->ratio.value))
			continue;
		tally->measured++;
		tally->count[p->verdict]++;
		if (p->verdict == VERDICT_FASTER && (!tally->best || p->ratio.value > tally->best->ratio.value))
			tally->best = p;
		if (p->verdict == VERDICT_SLOWER && (!tally->worst || p->ratio.value < tally->worst->ratio.value))
			tally->worst = p;
	}
}

static void add_place(struct words *words, const struct sweep *s, const struct sweep_point *p)
{
	sweep_text_add(words, "%s = ", s->x);
	add_value(words, s->x, p->x);
	if (*s->y) {
		sweep_text_add(words, ", %s = ", s->y);
		add_value(words, s->y, p->y);
	}
}

static void add_extreme(struct words *words, const struct sweep *s, const struct sweep_point *p, const char *what)
{
	char value[FORMAT_SIZE], interval[FORMAT_SIZE];

	if (!p)
		return;
	sweep_text_add(words, "; %s is %s (%s) at ", what,
		format_ratio_within(value, sizeof(value), p->ratio.value, p->ratio.low, p->ratio.high),
		format_ratios(interval, sizeof(interval), p->ratio.low, p->ratio.high));
	add_place(words, s, p);
}

/* "pays at 3 of 9 measured points, costs time at 2 and makes no difference at 4" */
static void sweep_text_add_counts(struct words *words, const struct tally *tally)
{
	static const char *const verbs[] = {
		[VERDICT_FASTER] = "pays",
		[VERDICT_SLOWER] = "costs time",
		[VERDICT_SAME] = "makes no difference",
		[VERDICT_UNCLEAR] = "gets no clear verdict",
	};
	bool first = true;
	size_t left = tally->measured;

	for (int v = 0; v <= VERDICT_UNCLEAR; v++) {
		if (tally->count[v] == 0)
			continue;
		if (first && tally->count[v] == tally->measured)
			sweep_text_add(words, " %s at %s", verbs[v],
				tally->measured == 1 ? "the only measured point" : "every measured point");
		else if (first)
			sweep_text_add(
				words, " %s at %zu of %zu measured points", verbs[v], tally->count[v], tally->measured);
		else
			sweep_text_add(words, "%s %s at %zu", left == tally->count[v] ? " and" : ",", verbs[v],
				tally->count[v]);
		left -= tally->count[v];
		first = false;
	}
}

/* One of them in full; how many more there are. */
static void sweep_text_add_crossovers(struct words *words, const struct sweep *s, const json_t *crossovers)
{
	const json_t *first = json_array_get(crossovers, 0);
	size_t n = json_array_size(crossovers);

	if (n == 0)
		return;
	sweep_text_add(words, "; ");
	if (*s->y) {
		sweep_text_add(words, "at %s = ", s->y);
		add_value(words, s->y, tree_real(first, "y"));
		sweep_text_add(words, ", ");
	}
	sweep_text_add(words, "%s", tree_text(first, "text"));
	if (n > 1)
		sweep_text_add(words, " (and %zu more crossover%s)", n - 1, n == 2 ? "" : "s");
}

void finding_words(const struct sweep *s, const json_t *tree, char *text, size_t size)
{
	struct words words = {text, size, 0};
	struct tally tally;

	*text = '\0';
	tally_points(s, &tally);
	if (tally.measured == 0) {
		sweep_text_add(&words, "No point of this sweep was measured");
		return;
	}
	sweep_text_add(&words, "%s", subject(s));
	if (is_double(s))
		*text = (char)toupper((unsigned char)*text);
	sweep_text_add_counts(&words, &tally);
	add_extreme(&words, s, tally.best, "the largest gain");
	add_extreme(&words, s, tally.worst, "the largest loss");
	sweep_text_add_crossovers(&words, s, json_object_get(tree, "crossovers"));
}
