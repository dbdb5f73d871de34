/*
 * parts.h: what the files of this folder share; private to them: what the host did, which work is looked at, all work
 * of one process on one GPU (a lane), all that a process did (a program), its loops (phases).
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

/* ---- what the host did (calls.c) ---- */

/* The host waited. */
struct pays_host_wait {
	int64_t process, start, end;
	int64_t thread; /* 0: not known */
};

/* A stream was told to wait for an event of another one. */
struct event_join {
	int64_t process, recorded, waited, from, to;
};

/* Owned. */
struct pays_calls {
	struct pays_host_wait *wait; /* by process, start */
	struct event_join *join;     /* by process, waited */
	size_t nwaits, njoins;
};

/* 0, or -1 with model->err; for pays_calls_free() in both cases. */
int pays_calls_load(struct pays_calls *calls, const struct model *model);
void pays_calls_free(struct pays_calls *calls);

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
	PAYS_CALL_QUERY, /* asks whether work is done, again and again */
	PAYS_CALL_MEMORY /* allocates or frees */
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

/* ---- all work of one process on one GPU (lane.c) ---- */

/* Owned. Arrays by item have lane.n entries, in the order of lane.item. */
struct pays_work {
	const struct trace *trace;
	int64_t process;
	int device;
	struct pays_lane lane;
	uint32_t *work;     /* by item: its piece of work */
	uint16_t *reasons;  /* by item: bits of enum pays_reason; 0 for a copy that is wholly hidden, and for other work
			     */
	double duplex_rate; /* NaN: no copies to tell it from */
};

/* When the host asked for the piece of work, or its start. */
int64_t pays_issue(const struct trace *trace, size_t i);

/* What is known of a copy's call; NULL if nothing is, and for other work. */
static inline const struct work_copy *call_of_item(const struct pays_work *work, size_t i)
{
	const struct work_copy *copy = work_copy(work->trace, work->work[i]);

	return copy && copy->call ? copy : NULL;
}

/* Makes the lane of pieces of work of one process on one GPU, for pays_work_free(). */
void pays_work_make(struct pays_work *work, const struct model *model, const struct pays_calls *calls,
	const struct pays_stretch *stretch, const uint32_t *items, size_t n);
void pays_work_free(struct pays_work *work);

/* ---- a lane while it is made: streams, waits and events (order.c) ---- */

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

/* A table of distinct numbers, sorted. */
struct ids {
	int64_t *id;
	size_t n;
};

/* Its place, or -1. */
int32_t ids_find(const struct ids *ids, int64_t id);

struct making {
	const struct model *model;
	const struct trace *trace;
	const struct pays_stretch *stretch;
	const struct pays_calls *calls;
	struct pays_work *work;
	struct ids streams, threads;
	int pageable; /* the number of that memory kind, or -1 */
};

/* Fill these members of making->work->lane, after its items. */
void make_streams(struct making *making);
void make_waits(struct making *making);
void make_joins(struct making *making);

/* ---- all that a process did in a stretch (build.c) ---- */

/* Owned. */
struct pays_program {
	struct replay_program program;
	uint32_t *work;   /* by piece: its number in the trace */
	int *device;      /* by device of the program: as the GPU is numbered */
	uint32_t *thread; /* by thread of the program: place in trace.threads */
	const struct pays_host *host;
	double high_rate; /* what program.rate may be at most */
	bool rate_measured;
};

/* What the recording does not tell, of all programs that were made. */
struct pays_lacks {
	bool no_calls;       /* nor when the host asked for work */
	size_t joins, waits; /* waits of streams and of the host whose event or stream had to be found by the times */
};

/* Makes it of the work of a process in a stretch, for pays_program_free(). */
void pays_program_make(struct pays_program *out, const struct model *model, const struct pays_host *host,
	const struct pays_stretch *stretch, int64_t process, struct pays_lacks *lacks);
void pays_program_free(struct pays_program *program);

/* How each of the streams of a device, sorted by id, keeps order with the default stream; for free(). */
enum pays_stream *pays_stream_kinds(const struct model *model, int64_t process, int device, const struct ids *streams);

/* ---- the host is late (late.c) ---- */

/* What the host did: a call, its own code in an NVTX range, or outside of all. */
enum pays_late_kind { PAYS_LATE_CALL, PAYS_LATE_RANGE, PAYS_LATE_OWN };

struct pays_late_part {
	int64_t time;
	uint32_t name; /* number of a text; 0 for PAYS_LATE_OWN */
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
	bool one_stream; /* all are in the stream of the example */
};

/* Loops of a process that run at the same time. Times in ns. Owned. */
struct pays_phase {
	int64_t process;
	int device;
	uint64_t signature;             /* equal for the same loops */
	uint32_t range, domain, within; /* numbers of texts, 0: none */
	size_t entered;                 /* how often the range; 0 without one */
	size_t rounds, threads;
	bool turns;      /* rounds take turns with streams */
	size_t replayed; /* of the rounds, as a measure of what the gains are taken from */
	bool can_gain;   /* something in it could run at once */
	int64_t span, floor, lost, duplex;
	struct pays_late late;
	double loop;   /* as recorded */
	double replay; /* as replayed */
	double gain[PAYS_BUFFERS_MOST + 1], gain_high, gain_both;
	double rate;
	bool rate_measured;
	double rest; /* of gain[2]: what belongs to no group */
	struct pays_group *group;
	size_t ngroups;
};

/* Work that no loop asks for. */
struct pays_outside {
	size_t copies, kernels;
	int64_t bytes, copy_time, kernel_time; /* sums (ns) */
};

/* Whether the replay of a loop as it was does not reproduce it. */
static inline bool phase_unlike(const struct pays_phase *phase)
{
	return fabs(phase->replay - phase->loop) > replay_tolerance * phase->loop;
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
struct pays_findings *pays_find_loops(const struct pays_phases *phases, const struct model *model,
	const struct pays_program *program, const struct pays_work *work, size_t nworks);
void pays_findings_free(struct pays_findings *findings);

/* Replays the loops of `n` programs and adds the phases, as if one came after the other; in as many threads. */
void pays_take_findings(struct pays_phases *phases, struct pays_findings *const *findings, size_t n, size_t threads);
void pays_phases_free(struct pays_phases *phases);

/* Y of a phase, with its copies if it is one to gain at; `scale`: how many rounds each round stands for. */
json_t *phase_entry(const struct model *model, const struct pays_phase *phase, double scale, bool gains);

/* O of what runs outside of loops. */
json_t *outside_json(const struct pays_outside *outside, double scale);

/* Reasons that nothing can be done about. */
#define PAYS_HOPELESS (1U << PAYS_ALONE | 1U << PAYS_NONE)

#endif
