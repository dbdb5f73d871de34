/* hold.c: holds a recording of a program that was played (play.c) against the simulator. usage: hold NAME RECORDING
 *
 * Each piece of work gets the time that it took in the recording, and each call what it cost the host: the time that it
 * took, without what it waited for. Threads begin when they did. Then the simulator must come to the same: the time of
 * all work within MOST_TIME, and on each engine the same order, but for work that starts within SAME_NS of each other.
 * Prints a line, and one with what two buffers would save of the loops with those times, from least to most, whichever
 * direction is slower while copies run in both; ends with 1 if something differs. */
#include <inttypes.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "change.h"
#include "programs.h"

#define MOST_TIME 0.05
enum { SAME_NS = 20 * US, BROKEN = 99, MOST_TIDS = MOST_THREADS + 1, ENGINES = 3 };

/* Work as it was recorded and as it was simulated. */
struct pair {
	struct span was, is;
	int engine;
	const struct call *call;
};

static struct {
	sqlite3 *db;
	struct program *p;
	struct pair *pairs;
	int npairs;
} held;

static void give_up(const char *what)
{
	fprintf(stderr, "hold: %s: %s\n", what, held.db ? sqlite3_errmsg(held.db) : "");
	exit(BROKEN);
}

static bool has_table(const char *name)
{
	sqlite3_stmt *query;
	bool has;

	if (sqlite3_prepare_v2(held.db, "SELECT 1 FROM sqlite_master WHERE name = ?", -1, &query, NULL) != SQLITE_OK)
		give_up("no recording");
	sqlite3_bind_text(query, 1, name, -1, SQLITE_STATIC);
	has = sqlite3_step(query) == SQLITE_ROW;
	sqlite3_finalize(query);
	return has;
}

/* Work with the call that asked for it, in one table. */
static void gather(void)
{
	static const char *const tables[] = {
		"CUPTI_ACTIVITY_KIND_KERNEL", "CUPTI_ACTIVITY_KIND_MEMCPY", "CUPTI_ACTIVITY_KIND_MEMSET"};
	char sql[512];

	sqlite3_exec(held.db,
		"CREATE TEMP TABLE work (tid INTEGER, id INTEGER, start INTEGER, end INTEGER, asked INTEGER, "
		"answered INTEGER)",
		NULL, NULL, NULL);
	for (int i = 0; i < 3; i++) {
		if (!has_table(tables[i]))
			continue;
		snprintf(sql, sizeof(sql),
			"INSERT INTO work SELECT r.globalTid, w.correlationId, w.start, w.end, r.start, r.end FROM %s "
			"w "
			"JOIN CUPTI_ACTIVITY_KIND_RUNTIME r ON r.correlationId = w.correlationId AND "
			"r.globalTid >> 24 = w.globalPid >> 24 AND r.eventClass = 0",
			tables[i]);
		if (sqlite3_exec(held.db, sql, NULL, NULL, NULL) != SQLITE_OK)
			give_up(tables[i]);
	}
}

/* The threads that asked for work, in the order in which they were made; the first is left out where it only made the
 * others. */
static int64_t tid_of(int thread)
{
	int64_t tids[MOST_TIDS];
	sqlite3_stmt *query;
	int n = 0;

	if (sqlite3_prepare_v2(held.db, "SELECT DISTINCT tid FROM work ORDER BY tid", -1, &query, NULL) != SQLITE_OK)
		give_up("threads");
	while (n < MOST_TIDS && sqlite3_step(query) == SQLITE_ROW)
		tids[n++] = sqlite3_column_int64(query, 0);
	sqlite3_finalize(query);
	if (n < held.p->nthreads)
		give_up("threads are missing");
	return tids[n - held.p->nthreads + thread];
}

static bool only_asks(const struct call *call)
{
	return call->op != OP_COPY || (!call->pageable && !call->synchronous);
}

/* A copy that the host waits for is staged: before it starts, and behind its end. */
static void measure_call(struct call *call, struct span host, struct span work, int64_t before)
{
	int64_t ready = host.start > before ? host.start : before;

	call->ns = work.end - work.start;
	call->cost = only_asks(call) ? host.end - host.start : 0;
	if (only_asks(call))
		return;
	call->latency = work.start > ready ? work.start - ready : 0;
	call->behind = host.end > work.end ? host.end - work.end : 0;
}

/* Gives the thread's calls the times of the recording. */
static void measure_thread(int thread)
{
	struct thread *t = &held.p->threads[thread];
	int64_t *done = calloc((size_t)held.p->nstreams + 1, sizeof(*done));
	sqlite3_stmt *query;

	if (!done)
		abort();
	if (sqlite3_prepare_v2(held.db, "SELECT start, end, asked, answered FROM work WHERE tid = ? ORDER BY id", -1,
		    &query, NULL) != SQLITE_OK)
		give_up("work");
	sqlite3_bind_int64(query, 1, tid_of(thread));
	for (int i = 0; i < t->n; i++) {
		struct call *call = &t->calls[i];
		struct span was, host;

		if (!is_work(call))
			continue;
		if (sqlite3_step(query) != SQLITE_ROW)
			give_up("work is missing");
		was = (struct span){sqlite3_column_int64(query, 0), sqlite3_column_int64(query, 1)};
		host = (struct span){sqlite3_column_int64(query, 2), sqlite3_column_int64(query, 3)};
		measure_call(call, host, was, done[call->stream]);
		done[call->stream] = was.end;
		held.pairs[held.npairs++] = (struct pair){.was = was, .call = call};
	}
	if (sqlite3_step(query) == SQLITE_ROW)
		give_up("there is more work than the program asks for");
	sqlite3_finalize(query);
	free(done);
}

/* When a thread had asked for its first work: the driver lets one thread at a time do so, whoever called first. */
static int64_t first_call(int thread)
{
	sqlite3_stmt *query;
	int64_t first;

	if (sqlite3_prepare_v2(held.db, "SELECT min(answered) FROM work WHERE tid = ?", -1, &query, NULL) != SQLITE_OK)
		give_up("calls");
	sqlite3_bind_int64(query, 1, tid_of(thread));
	if (sqlite3_step(query) != SQLITE_ROW)
		give_up("calls");
	first = sqlite3_column_int64(query, 0);
	sqlite3_finalize(query);
	return first;
}

/* A thread that began later than another does so in what is before its first work. */
static void delay_thread(int thread)
{
	struct thread *t = &held.p->threads[thread];
	int64_t own = first_call(thread), first = own;
	int i = 0;

	for (int other = 0; other < held.p->nthreads; other++)
		first = first_call(other) < first ? first_call(other) : first;
	while (i < t->n && !is_work(&t->calls[i]))
		i++;
	if (i > 0 && own > first)
		t->calls[i - 1].cost += own - first;
}

static void measure(void)
{
	int n = 0;

	for (int t = 0; t < held.p->nthreads; t++)
		n += held.p->threads[t].n;
	held.pairs = calloc((size_t)n + 1, sizeof(*held.pairs));
	if (!held.pairs)
		abort();
	gather();
	for (int t = 0; t < held.p->nthreads; t++)
		measure_thread(t);
	for (int t = 0; t < held.p->nthreads; t++)
		delay_thread(t);
}

/* Copies beside each other were recorded as slow as they were. */
static void simulate_again(void)
{
	struct run *run;
	int n = 0;

	held.p->machine.duplex_in = held.p->machine.duplex_out = 1;
	run = simulate(held.p);
	for (int t = 0; t < held.p->nthreads; t++) {
		for (int i = 0; i < held.p->threads[t].n; i++) {
			const struct call *call = &held.p->threads[t].calls[i];

			if (!is_work(call))
				continue;
			held.pairs[n].is = run->pieces[run->piece_of[t][i]].ran;
			held.pairs[n++].engine = held.p->streams[call->stream].device * ENGINES +
						 (call->op != OP_COPY ? 2 : call->way == WAY_OUT);
		}
	}
	run_free(run);
}

/* ---- what differs ---- */

static double span_ms(bool recorded)
{
	int64_t start = INT64_MAX, end = 0;

	for (int i = 0; i < held.npairs; i++) {
		const struct span *span = recorded ? &held.pairs[i].was : &held.pairs[i].is;

		if (held.pairs[i].call->loop == NONE)
			continue;
		start = span->start < start ? span->start : start;
		end = span->end > end ? span->end : end;
	}
	return end == 0 ? 0 : (double)(end - start) / MS;
}

/* Pairs of work on one engine that clearly ran in one order and were simulated in the other. */
static int count_swaps(void)
{
	int n = 0;

	for (int i = 0; i < held.npairs; i++)
		for (int k = 0; k < held.npairs; k++)
			n += held.pairs[i].engine == held.pairs[k].engine &&
			     held.pairs[i].was.start + SAME_NS < held.pairs[k].was.start &&
			     held.pairs[k].is.start + SAME_NS < held.pairs[i].is.start;
	return n;
}

/* Where a copy in and one out start at once, the one that ends first decides what runs next. Which one it is differs
 * between GPUs, and a run with one buffer does not tell. */
static void print_saving(const char *name)
{
	static const double rates[][2] = {{0.9, 0.9}, {0.9, 1}, {1, 0.9}};
	int64_t least = INT64_MAX, most = INT64_MIN, loops = 0;

	for (size_t i = 0; i < sizeof(rates) / sizeof(*rates); i++) {
		struct truth truth;

		held.p->machine.duplex_in = rates[i][0];
		held.p->machine.duplex_out = rates[i][1];
		truth = truth_of(held.p);
		least = truth.saving[2] < least ? truth.saving[2] : least;
		most = truth.saving[2] > most ? truth.saving[2] : most;
		loops = truth.loops;
	}
	printf("%-24s two buffers save %9.3f to %9.3f of %9.3f ms\n", name, (double)least / MS, (double)most / MS,
		(double)loops / MS);
}

int main(int argc, char **argv)
{
	double was, is;
	int swaps;
	bool alike;

	for (const struct recipe *recipe = named_programs; argc == 3 && recipe->class; recipe++)
		if (strcmp(recipe->name, argv[1]) == 0)
			held.p = recipe->make(recipe, 0);
	if (!held.p) {
		fprintf(stderr, "usage: hold NAME RECORDING\n");
		return BROKEN;
	}
	if (sqlite3_open_v2(argv[2], &held.db, SQLITE_OPEN_READONLY, NULL) != SQLITE_OK)
		give_up(argv[2]);
	measure();
	simulate_again();
	was = span_ms(true);
	is = span_ms(false);
	swaps = count_swaps();
	alike = is <= was * (1 + MOST_TIME) && is >= was * (1 - MOST_TIME) && swaps == 0;
	printf("%-24s recorded %9.3f ms, simulated %9.3f ms (%+.1f %%), %d in another order%s\n", argv[1], was, is,
		was > 0 ? 100 * (is - was) / was : 0, swaps, alike ? "" : "  DIFFERS");
	print_saving(argv[1]);
	sqlite3_close(held.db);
	program_free(held.p);
	free(held.pairs);
	return alike ? 0 : 1;
}
