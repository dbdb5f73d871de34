/*
 * parts.h: what the files of this folder share; private to them: which work is looked at, what the host did, when
 * kernels ran, all that a process did (a program), its loops (phases).
 */
#ifndef DBPROF_MODEL_TRACE_PAYS_PARTS_H
#define DBPROF_MODEL_TRACE_PAYS_PARTS_H

#include <jansson.h>
#include <math.h>

#include "analyze/analyze.h"
#include "analyze/pays.h"
#include "analyze/replay/replay.h"
#include "analyze/thresholds.h"
#include "model/recording.h"
#include "model/trace/trace.h"

/* Times beyond are cut to it, so that sums of two do not overflow. */
#define PAYS_TIME_LIMIT (INT64_C(1) << 60)

static inline int64_t within_limit(int64_t time)
{
	if (time > PAYS_TIME_LIMIT)
		return PAYS_TIME_LIMIT;
	return time < -PAYS_TIME_LIMIT ? -PAYS_TIME_LIMIT : time;
}

/* Whether the call that asked for the work is known and has a usable time. */
static inline bool call_known(const struct trace *trace, size_t i)
{
	int64_t called = work_called(trace, i);

	return work_thread(trace, i) != 0 && called > -PAYS_TIME_LIMIT && called < PAYS_TIME_LIMIT;
}

/* When the host asked for the piece of work, or its start. */
static inline int64_t pays_issue(const struct trace *trace, size_t i)
{
	return call_known(trace, i) ? trace->called[i] : trace->start[i];
}

/* ---- which work is looked at (sample.c) ---- */

/* Work that is looked at: pieces [first, first + count) of the trace, and the time that they and their calls take. */
struct pays_stretch {
	int64_t from, to;
	size_t first, count;
};

/* All work, or stretches of a large recording, equally long and evenly spaced. Owned. */
struct pays_sample {
	struct pays_stretch *stretch;
	size_t n;
	double scale; /* how many pieces of work each piece stands for */
};

/* Chooses it, for pays_sample_free(). */
void pays_sample_make(struct pays_sample *sample, const struct trace *trace);
void pays_sample_free(struct pays_sample *sample);

/* ---- what host threads called (host.c) ---- */

enum pays_host_kind {
	PAYS_CALL_OTHER, /* asks for work */
	PAYS_CALL_RECORD,
	PAYS_CALL_JOIN,
	PAYS_CALL_STREAM, /* waits for a stream ... */
	PAYS_CALL_EVENT,
	PAYS_CALL_DEVICE,
	PAYS_CALL_QUERY,  /* asks whether work is done, again and again */
	PAYS_CALL_MEMORY, /* allocates */
	PAYS_CALL_FREE    /* frees, which waits for the device */
};

struct pays_host_call {
	int64_t start, end, correlation;
	uint32_t thread; /* place in trace.threads */
	uint32_t name;   /* number of a text */
	uint8_t kind;    /* enum pays_host_kind */
};

/* Rows of the tables of synchronisations and events, which begin with their process and call; -1: not told. */
struct pays_sync_row {
	int64_t process, correlation, start, end, stream, event, sync;
	int type;
};

struct pays_event_row {
	int64_t process, correlation, event, sync, stream;
};

/* The calls that ask for work, wait for it or order it, in the stretches of a sample. Owned. */
struct pays_host {
	struct pays_host_call *call;  /* by thread and start; those of a thread do not overlap */
	struct pays_sync_row *sync;   /* by process, correlation */
	struct pays_event_row *event; /* likewise */
	size_t ncalls, nsyncs, nevents;
};

/* 0, or -1 with model->err; for pays_host_free() in both cases. */
int pays_host_load(struct pays_host *host, const struct model *model, const struct pays_sample *sample);
void pays_host_free(struct pays_host *host);

/* ---- the kernels of each GPU (kernels.c) ---- */

/* The kernels of each GPU that start in a stretch, whoever asked for them: what computes on a GPU hides a copy.
 * Communication does not. Owned. */
struct pays_kernels {
	struct kernel_times {
		struct interval *time; /* united */
		size_t n, room;
	} * gpu; /* by place in trace.gpus */
	size_t ngpus;
};

void pays_kernels_make(struct pays_kernels *kernels, const struct trace *trace, const struct pays_stretch *stretch);
void pays_kernels_free(struct pays_kernels *kernels);

/* Those of `n` GPUs, by their numbers; they are borrowed, the array is for free(). */
struct pays_computing *pays_computing_make(
	const struct pays_kernels *kernels, const struct trace *trace, const int *device, size_t n);

/* ---- all that a process did in a stretch (build.c) ---- */

/* A migration of managed memory. No call asks for it: it belongs to the launch of the kernel that runs when it starts,
 * else of the next kernel on its GPU. */
struct pays_migration {
	uint32_t work; /* its number in the trace */
	uint32_t call; /* of the program; REPLAY_NONE: no kernel comes after it */
};

/* Owned. */
struct pays_program {
	int64_t process;
	struct replay_program program;
	uint32_t *work;                   /* by piece: its number in the trace */
	uint16_t *reasons;                /* by piece: see pays_reasons() */
	int *device;                      /* by device of the program: as the GPU is numbered */
	uint32_t *thread;                 /* by thread of the program: place in trace.threads */
	struct pays_computing *computing; /* by device of the program */
	const struct pays_host *host;
	const struct pays_stretch *stretch;
	bool rate_measured;
	struct pays_migration *migration; /* that are not among its pieces, by start */
	size_t nmigrations;
};

/* What the recording does not tell, of all programs that were made. */
struct pays_lacks {
	bool no_calls;       /* nor when the host asked for work */
	size_t joins, waits; /* waits of streams and of the host whose event or stream had to be found by the times */
};

/* What a program of a stretch is made of. Borrowed. */
struct pays_source {
	const struct model *model;
	const struct pays_host *host;
	const struct pays_stretch *stretch;
	const struct pays_kernels *kernels;
	const uint32_t *work; /* of the process in the stretch, by start */
	size_t nwork;
};

/* Makes it of the work of a process, for pays_program_free(). */
void pays_program_make(
	struct pays_program *out, const struct pays_source *source, int64_t process, struct pays_lacks *lacks);
void pays_program_free(struct pays_program *program);

/* Finds the calls of a program's migrations (managed.c). */
void pays_find_migration_calls(struct pays_program *program, const struct trace *trace);

/* How each of the streams of a process on a GPU, by their sorted ids, keeps order with the default stream (streams.c);
 * for free(). */
enum pays_stream *pays_stream_kinds(
	const struct model *model, int64_t process, int device, const int64_t *id, size_t n);

/* ---- the host is late (late.c) ---- */

/* What the host did: a call, its own code in an NVTX range, or outside of all. */
enum pays_late_kind { PAYS_LATE_CALL, PAYS_LATE_RANGE, PAYS_LATE_OWN };

struct pays_late_part {
	int64_t time;
	uint32_t name; /* number of a text; 0 for PAYS_LATE_OWN */
	size_t number; /* among those of the loop, in the order in which they were met */
	enum pays_late_kind kind;
};

/* Time (ns) in which a GPU has nothing to do because the host has asked for nothing. Owned. */
struct pays_late {
	bool known;
	int64_t time;
	struct pays_late_part *part; /* the longest first */
	size_t n;
	int depth, workers; /* as in struct prefetch */
	double hidden;
};

/* Adds what is known of the same loop at another time; its parts are freed. */
void late_join(struct pays_late *into, const struct pays_late *more);

/* ---- loops (phase.c), and their entries (entry.c) ---- */

enum { PAYS_BUFFERS_LEAST = 2, PAYS_BUFFERS_MOST = 8 };

/* A group of copies of a loop. Times in ns. */
struct pays_group {
	uint32_t example; /* its middle copy: a number of the trace */
	unsigned reasons;
	size_t count;
	int64_t bytes, time, lost;
	double gain;
	bool replayed;   /* what they gain is known */
	bool one_stream; /* all are in the stream of the example */
};

/* Migrations of managed memory that belong to a loop, and that the replay does not know. Times in ns. */
struct pays_managed {
	size_t count;
	int64_t bytes, time, lost; /* sums; the time in which no kernel runs */
	double most;               /* what would be saved if all that could ran beside kernels */
	double rest;               /* what all else could save at most while their time stays */
};

/* Memory that loops make and free in their rounds. */
enum { PAYS_MEMORY_CALLS = 8 };

struct pays_memory {
	struct {
		uint32_t name; /* number of a text */
		size_t count;
	} call[PAYS_MEMORY_CALLS];
	size_t n;    /* names of calls; 0: fewer than half of the rounds make or free memory */
	double gain; /* what of the gain with memory_buffers() counts that it is made once, before the loop (ns) */
};

/* Loops of a process that run at the same time. Times in ns. Owned. */
struct pays_phase {
	int64_t process;
	int device;
	uint64_t signature;             /* equal for the same loops; another one each time the recording is read */
	size_t number;                  /* among those that were found, in the order of the recording */
	uint32_t range, domain, within; /* numbers of texts, 0: none */
	size_t entered;                 /* how often the range; 0 without one */
	size_t rounds, threads;
	bool turns;      /* rounds take turns with streams */
	size_t replayed; /* of the rounds, as a measure of what the gains are taken from */
	bool can_gain;   /* something in it could run at once */
	size_t kernels;  /* on the GPU, in `rounds` rounds */
	int64_t span, floor, lost, duplex, computing;
	struct pays_late late;
	struct pays_managed managed;
	struct pays_memory memory;
	double unused; /* share of the loop in which the GPU's busiest engine does nothing for any process; 1: no other
			  one uses the GPU */
	double loop;   /* as recorded */
	double replay; /* as replayed */
	double gain[PAYS_BUFFERS_MOST + 1], gain_high, gain_both;
	struct pays_duplex rate;
	bool rate_measured;
	double rest; /* of gain[2]: what belongs to no group */
	struct pays_group *group;
	size_t ngroups;
};

/* Work that belongs to no loop. */
struct pays_outside {
	size_t copies, kernels;
	int64_t bytes, copy_time, kernel_time; /* sums (ns) */
};

/* Whether the replay of a loop as it was does not reproduce it. */
static inline bool phase_unlike(const struct pays_phase *phase)
{
	return fabs(phase->replay - phase->loop) > replay_tolerance * phase->loop;
}

/* Whether a round has several kernels. In streams by turns two such rounds fall into step: the first kernel of one
 * takes the GPU before the second one of the other, and then both copy and both compute. */
static inline bool phase_has_kernels(const struct pays_phase *phase)
{
	return (double)phase->kernels > several_kernels * (double)phase->rounds;
}

struct pays_phases {
	struct pays_phase *item;
	size_t n, room;
	size_t calls_most;    /* that are replayed of a phase, more or less */
	bool sampled;         /* they come from several stretches */
	size_t loops;         /* that were replayed */
	size_t unlike;        /* of these, those that the replay did not reproduce */
	size_t pageable_kept; /* copies in them whose time from pinned memory is not known */
	struct pays_outside outside;
};

/* The loops of a program, before they are replayed. */
struct pays_findings;

/* Finds the loops; what is given is borrowed. For pays_findings_free(). */
struct pays_findings *pays_find_loops(
	const struct pays_phases *phases, const struct model *model, const struct pays_program *program);
void pays_findings_free(struct pays_findings *findings);

/* Replays the loops of `n` programs and adds the phases, as if one came after the other; in as many threads. */
void pays_take_findings(struct pays_phases *phases, struct pays_findings *const *findings, size_t n, size_t threads);
void pays_phases_free(struct pays_phases *phases);

/* Of two buffers, or the most where two are too few: what the gain of struct pays_memory is of (memory.c). */
int memory_buffers(const struct pays_phase *phase);
/* Whether a good part of the gain counts that memory is made once. */
bool memory_matters(const struct pays_phase *phase);

/* Y of a phase, with its copies if it is one to gain at; `scale`: how many rounds each round stands for. */
json_t *phase_entry(const struct model *model, const struct pays_phase *phase, double scale, bool gains);

/* O of what runs outside of loops. */
json_t *outside_json(const struct pays_outside *outside, double scale);

/* Reasons that nothing can be done about. */
#define PAYS_HOPELESS (1U << PAYS_ALONE | 1U << PAYS_NONE)

#endif
