/* building.h: a program while it is made; private to build.c and build-calls.c. */
#ifndef DBPROF_MODEL_TRACE_PAYS_BUILDING_H
#define DBPROF_MODEL_TRACE_PAYS_BUILDING_H

#include "model/trace/pays/parts.h"

struct building_piece {
	uint32_t work; /* a number of the trace */
	uint32_t call;
};

/* Copies of one device and direction with sizes that are alike have the same number. */
struct building_size {
	int64_t group, bytes;
	uint32_t number;
};

struct building {
	const struct model *model;
	const struct trace *trace;
	const struct pays_host *host;
	const struct pays_stretch *stretch;
	int64_t process;
	bool no_calls;
	struct pays_program *out;
	struct pays_lacks *lacks;
	struct building_piece *piece; /* first by start, then by call */
	size_t npieces, migrations_room;
	size_t first_thread, end_thread; /* the process's: places in trace->threads */
	int64_t *stream_id;              /* by stream */
	size_t *first_stream;            /* by device of the program; behind the last one: the number of streams */
	struct building_size *size;
	size_t nsizes;
	uint32_t kind[64]; /* names of kernels */
	uint16_t nkinds;
};

/* The stream of an id, on this device of the program if it has one; -1 if no work is in such a stream. */
int32_t building_stream(const struct building *building, int64_t id, int device);

/* Tokens (replay_call.token): of an NVTX range, by its name without digits; of a call that asks for `count` pieces of
 * work, of which this is the first; of a wait, by what it is for. */
uint32_t building_mark_token(const struct building *building, const struct range *range);
uint32_t building_work_token(const struct building *building, size_t work, size_t count);
uint32_t building_wait_token(int kind);

/* Fills the calls and threads of building->out, and sorts building->piece. */
void building_make_calls(struct building *building);

#endif
