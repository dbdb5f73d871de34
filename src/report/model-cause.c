/* model-cause.c: why double is faster or not, in one sentence of measured numbers: a table of rules, the first that
 * holds speaks. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "report/model.h"
#include "util/format.h"

/* Overlap, duplex and idle time count as changed from this share of the copy time or the span on. */
static const double notable = 0.05;

/* Below this share of the time from launch to launch, starting the kernel counts as much as running it. */
static const double short_kernel_share = 0.75;

/* ---- facts: what a rule's sentence may name in braces ---- */

static char *time_of(const struct measured *m, char *text)
{
	return format_time_ns(text, FORMAT_SIZE, m->time.median);
}

static char *kernel_of(const struct measured *m, char *text)
{
	return format_time_ns(text, FORMAT_SIZE, (double)m->overlap.busy[WORK_KERNEL]);
}

static char *overlap_of(const struct measured *m, char *text)
{
	return format_percent(text, FORMAT_SIZE, m->overlap.overlap_ratio);
}

static char *exposed_of(const struct measured *m, char *text)
{
	return format_time_ns(text, FORMAT_SIZE, (double)m->overlap.exposed_copy);
}

static char *duplex_of(const struct measured *m, char *text)
{
	return format_time_ns(text, FORMAT_SIZE, (double)m->overlap.duplex);
}

static char *idle_of(const struct measured *m, char *text)
{
	return format_time_ns(text, FORMAT_SIZE, (double)m->overlap.idle);
}

static char *copies_of(const struct measured *m, char *text)
{
	return format_time_ns(text, FORMAT_SIZE, (double)(m->overlap.busy[WORK_H2D] + m->overlap.busy[WORK_D2H]));
}

static char *shared_of(const struct measured *m, char *text)
{
	return format_bytes(text, FORMAT_SIZE, (double)m->kernel.shared_bytes);
}

static char *registers_of(const struct measured *m, char *text)
{
	return format_count(text, FORMAT_SIZE, m->kernel.registers);
}

static char *occupancy_of(const struct measured *m, char *text)
{
	return format_percent(text, FORMAT_SIZE, m->occupancy.share);
}

static char *limiter_of(const struct measured *m, char *text)
{
	snprintf(text, FORMAT_SIZE, "%s", occupancy_limiter_name(m->occupancy.limiter));
	return text;
}

static char *name_of(const struct measured *m, char *text)
{
	snprintf(text, FORMAT_SIZE, "%s", m->variant);
	return text;
}

/* {time.a} is the fact of single, {time.b} of double. */
static const struct fact {
	const char *name;
	char *(*write)(const struct measured *m, char *text);
} facts[] = {
	{"time", time_of},
	{"kernel", kernel_of},
	{"overlap", overlap_of},
	{"exposed", exposed_of},
	{"duplex", duplex_of},
	{"idle", idle_of},
	{"copies", copies_of},
	{"shared", shared_of},
	{"registers", registers_of},
	{"occupancy", occupancy_of},
	{"limiter", limiter_of},
	{"name", name_of},
};

/* ---- conditions ---- */

static bool single_wrong(const struct contrast *c)
{
	return c->single->withheld;
}

static bool double_wrong(const struct contrast *c)
{
	return c->dbl->withheld;
}

static bool is_pipeline(const struct measured *m)
{
	return m->work.n && m->overlap.busy_copy > 0 && m->overlap.busy[WORK_KERNEL] > 0;
}

static bool pipelines(const struct contrast *c)
{
	return is_pipeline(c->single) && is_pipeline(c->dbl);
}

static bool overlap_rose(const struct contrast *c)
{
	return pipelines(c) && c->dbl->overlap.overlap_ratio - c->single->overlap.overlap_ratio >= notable;
}

static bool overlap_pays(const struct contrast *c)
{
	return overlap_rose(c) && c->verdict == VERDICT_FASTER &&
	       c->dbl->overlap.exposed_copy < c->single->overlap.exposed_copy;
}

static bool duplex_rose(const struct contrast *c)
{
	const struct overlap *a = &c->single->overlap, *b = &c->dbl->overlap;

	return pipelines(c) && (double)(b->duplex - a->duplex) >= notable * (double)a->busy_copy;
}

static bool idle_changed(const struct contrast *c)
{
	const struct overlap *a = &c->single->overlap, *b = &c->dbl->overlap;

	return pipelines(c) && fabs((double)(b->idle - a->idle)) >= notable * (double)a->span;
}

static bool kernel_is_short(const struct measured *m)
{
	return m->work.n && m->time.n && m->overlap.busy_copy == 0 &&
	       (double)m->overlap.busy[WORK_KERNEL] < short_kernel_share * m->time.median;
}

static bool short_kernels(const struct contrast *c)
{
	return kernel_is_short(c->single) && kernel_is_short(c->dbl);
}

static bool kernels(const struct contrast *c)
{
	return c->single->has_resources && c->dbl->has_resources;
}

static bool shared_changed(const struct contrast *c)
{
	return kernels(c) && c->single->kernel.shared_bytes != c->dbl->kernel.shared_bytes;
}

static bool registers_changed(const struct contrast *c)
{
	return kernels(c) && c->single->kernel.registers != c->dbl->kernel.registers;
}

static bool occupancy_known(const struct contrast *c)
{
	return c->single->has_occupancy && c->dbl->has_occupancy;
}

static bool occupancy_changed(const struct contrast *c)
{
	return occupancy_known(c) && c->single->occupancy.warps != c->dbl->occupancy.warps;
}

static bool shared_and_occupancy_changed(const struct contrast *c)
{
	return shared_changed(c) && occupancy_changed(c);
}

static bool shared_changed_alone(const struct contrast *c)
{
	return shared_changed(c) && occupancy_known(c);
}

static bool registers_and_occupancy_changed(const struct contrast *c)
{
	return registers_changed(c) && occupancy_changed(c);
}

static bool registers_changed_alone(const struct contrast *c)
{
	return registers_changed(c) && occupancy_known(c);
}

static bool same_resources(const struct contrast *c)
{
	return kernels(c) && !shared_changed(c) && !registers_changed(c);
}

static bool timed(const struct contrast *c)
{
	return c->single->n && c->dbl->n;
}

static bool always(const struct contrast *c)
{
	(void)c;
	return true;
}

/* ---- rules ---- */

#define TAKES "{time.b} per launch against {time.a}"

static const struct rule {
	bool (*holds)(const struct contrast *contrast);
	const char *sentence;
} rules[] = {
	{single_wrong, "{name.a} came out wrong, so its time is not reported"},
	{double_wrong, "{name.b} came out wrong, so its time is not reported"},
	{overlap_pays,
		"copies and kernels overlap {overlap.b} of the copy time instead of {overlap.a}, so exposed copy falls "
		"from {exposed.a} to {exposed.b}"},
	{overlap_rose,
		"copies and kernels overlap {overlap.b} of the copy time instead of {overlap.a}, but the copies take "
		"{copies.b} instead of {copies.a}: " TAKES},
	{duplex_rose, "both copy directions run at once for {duplex.b} instead of {duplex.a}, while kernels overlap "
		      "{overlap.b} of the copy time ({overlap.a} in single)"},
	{idle_changed,
		"kernels overlap {overlap.b} of the copy time ({overlap.a} in single); what changes is the GPU's idle "
		"time, {idle.b} instead of {idle.a}"},
	{pipelines,
		"kernels overlap {overlap.b} of the copy time ({overlap.a} in single), and exposed copy is {exposed.b} "
		"({exposed.a} in single)"},
	{short_kernels, "a launch takes {time.b} ({time.a} in single), of which the kernel itself runs {kernel.b} "
			"({kernel.a}): "
			"starting kernels weighs as much as the work; a larger problem tells more"},
	{shared_and_occupancy_changed,
		TAKES "; shared memory per block goes from {shared.a} to {shared.b} and occupancy "
		      "from {occupancy.a} to {occupancy.b}, limited by {limiter.b}"},
	{registers_and_occupancy_changed,
		TAKES "; registers per thread go from {registers.a} to {registers.b} and occupancy "
		      "from {occupancy.a} to {occupancy.b}, limited by {limiter.b}"},
	{shared_changed_alone,
		TAKES "; shared memory per block goes from {shared.a} to {shared.b}, and occupancy stays at "
		      "{occupancy.b}"},
	{registers_changed_alone,
		TAKES "; registers per thread go from {registers.a} to {registers.b}, and occupancy stays "
		      "at {occupancy.b}"},
	{shared_changed, TAKES "; shared memory per block goes from {shared.a} to {shared.b}"},
	{registers_changed, TAKES "; registers per thread go from {registers.a} to {registers.b}"},
	{same_resources, TAKES " with the same registers and the same shared memory"},
	{timed, TAKES "; why is measured by passes that this recording lacks"},
	{always, "the recording has no times of both"},
};

/* What the verdict says before the rule does. */
static const char *opening(const struct contrast *contrast)
{
	if (!timed(contrast))
		return "";
	switch (contrast->verdict) {
	case VERDICT_SLOWER:
	case VERDICT_SAME:
		return "no gain: ";
	case VERDICT_UNCLEAR:
		return "no clear result: ";
	default:
		return "";
	}
}

static const struct fact *find_fact(const char *name, size_t length)
{
	for (size_t i = 0; i < sizeof(facts) / sizeof(facts[0]); i++) {
		if (strlen(facts[i].name) == length && strncmp(facts[i].name, name, length) == 0)
			return &facts[i];
	}
	return NULL;
}

/* The value of "{name.a}" at `brace`, or NULL if the rule names no such fact. */
static const char *fact_value(const struct contrast *contrast, const char *brace, char *text)
{
	const char *dot = strchr(brace, '.');
	const struct fact *fact = dot ? find_fact(brace + 1, (size_t)(dot - brace - 1)) : NULL;

	if (!fact)
		return NULL;
	return fact->write(dot[1] == 'a' ? contrast->single : contrast->dbl, text);
}

static void fill_in(const struct contrast *contrast, const char *sentence, char *text, size_t size)
{
	size_t used = 0;

	while (*sentence && used + 1 < size) {
		char value[FORMAT_SIZE];
		const char *known = *sentence == '{' ? fact_value(contrast, sentence, value) : NULL;

		if (known) {
			snprintf(text + used, size - used, "%s", known);
			used += strlen(text + used);
			sentence = strchr(sentence, '}') + 1;
		} else {
			text[used++] = *sentence++;
		}
	}
	text[used] = '\0';
}

void cause_words(const struct contrast *contrast, char *text, size_t size)
{
	size_t i = 0, used;

	while (!rules[i].holds(contrast))
		i++;
	snprintf(text, size, "%s", opening(contrast));
	used = strlen(text);
	fill_in(contrast, rules[i].sentence, text + used, size - used);
}
