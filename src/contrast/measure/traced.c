/* traced.c: traced runs. A program that does not go well in them is traced less, or not. */
#include "contrast/measure/measure-private.h"

#include <stdio.h>
#include <stdlib.h>

#include "util/alloc.h"
#include "util/clock.h"

/* The side of the last run goes well when it is not traced, or traced once more, so it has not failed. */
static void forgive_last_run(const struct measuring *m)
{
	struct measured_run *run = &m->out->runs[m->out->nruns - 1];

	*m->err = (struct error){0};
	m->out->failed = -1;
	m->out->sides[run->side].status = 0;
	m->out->sides[run->side].ended = NULL;
	run->block = run->position = -1;
}

/* How often the side's traced runs fail, unless all of them do. */
static void tell_how_often(const struct measured_side *side, char *text, size_t size)
{
	*text = '\0';
	if (side->broken < side->traced)
		snprintf(text, size, " (%zu of its %zu traced runs failed)", side->broken, side->traced);
}

/* The last run was traced and broke. The one before the traced ones went well: m->err says so. */
static void blame_tracing(const struct measuring *m)
{
	struct error what = *m->err;
	char often[80];

	tell_how_often(&m->out->sides[m->out->runs[m->out->nruns - 1].side], often, sizeof(often));
	error_set(m->err, "it went well as it is, but where dbprof traced it, %s%s", what.text, often);
}

/* Notes why all sides are traced less; `where` "": it is not that the program ends otherwise. */
static void trace_less(const struct measuring *m, enum tracing tracing, const char *where)
{
	const struct measured_side *side = &m->out->sides[m->out->runs[m->out->nruns - 1].side];
	char often[80] = "";

	if (*where)
		tell_how_often(side, often, sizeof(often));
	error_set(&m->out->untraced, "%s%s%s", where, m->err->text, often);
	m->out->blamed = m->out->runs[m->out->nruns - 1].side;
	m->out->tracing = tracing;
	for (size_t i = 0; i < m->out->nsides; i++)
		m->out->sides[i].traced_well = false;
	forgive_last_run(m);
}

/* What was traced until now would be of some sides or some blocks alone: it does not count. */
static void drop_traced(const struct measuring *m)
{
	for (size_t i = 0; i < m->out->nruns; i++) {
		struct measured_run *run = &m->out->runs[i];

		if (run->kind != SIDE_TRACED)
			continue;
		run->block = run->position = -1;
		if (run->launches)
			launches_release(run->launches);
		free(run->launches);
		run->launches = NULL;
	}
	kept_free(&m->out->kept);
}

static int trace_once(const struct measuring *m, size_t side, int block, int position)
{
	struct measured_side *traced = &m->out->sides[side];
	int64_t begun = clock_monotonic();
	int code = measure_once(m, side, SIDE_TRACED, block, position, "/dev/null");

	traced->traced++;
	traced->traced_well |= code == 0;
	if (code == RUN_BROKE) {
		traced->broken++;
		m->out->lost_ns += clock_monotonic() - begun;
	}
	return code;
}

/* Whether another run is worth its time. One that was ended by us, after its time or for what it printed, took what it
 * could. */
static bool ended_by_itself(const struct measurement *out)
{
	const struct side_run *run = &out->runs[out->nruns - 1].run;

	return run->not_started == 0 && !run->timed_out;
}

/* Tells how the last run ended, and keeps that for the report. */
static void tell_repeated(const struct measuring *m, size_t side)
{
	struct error note;

	m->out->runs[m->out->nruns - 1].repeated = xstrdup(m->err->text);
	error_set(&note, "%s: one of %zu traced runs, which is repeated", m->err->text, m->out->sides[side].traced);
	m->options->note(m->options->user, note.text);
}

/* Where a run of the side went well that was traced like this, a broken one may be chance: then there is a second. */
static int trace_or_repeat(const struct measuring *m, size_t side, int block, int position)
{
	int code = trace_once(m, side, block, position);

	if (code != RUN_BROKE || !m->out->sides[side].traced_well || !ended_by_itself(m->out))
		return code;
	tell_repeated(m, side);
	forgive_last_run(m);
	return trace_once(m, side, block, position);
}

/* A program with a subscriber of its own may go well if CUPTI's callbacks are left to it. One that does not go on: its
 * profiler may have all of CUPTI. */
int measure_traced(const struct measuring *m, size_t side, int block, int position)
{
	int code;

	if (m->out->tracing == TRACING_NOTHING)
		return 0;
	code = trace_or_repeat(m, side, block, position);
	if (code == RUN_BROKE && m->out->tracing == TRACING_ALL && ended_by_itself(m->out)) {
		trace_less(m, TRACING_RECORDS, "where dbprof had CUPTI's callbacks, ");
		code = trace_once(m, side, block, position);
		/* If there is nothing to measure now, it comes from tracing. */
		code = code == RUN_FAILED ? RUN_HIDDEN : code;
	}
	if (code == RUN_BROKE && m->options->nsides == 1)
		blame_tracing(m);
	if (code <= RUN_UNCHOSEN || m->options->nsides == 1)
		return code;
	trace_less(m, TRACING_NOTHING, code == RUN_BROKE ? "where dbprof traced it, " : "");
	drop_traced(m);
	return 0;
}

bool measure_allows_more(const struct measurement *measured, bool any, struct error *why)
{
	if (measured->failed >= 0 || !any)
		error_set(why, "there is no whole block of runs that went well");
	else if (measured->tracing == TRACING_NOTHING)
		error_set(why, "there are no kernel times");
	else if (measured->tracing == TRACING_RECORDS)
		error_set(why, "the program fails where dbprof has CUPTI's callbacks");
	else
		return true;
	return false;
}
