/* program.h: a CUDA program as a value: what its host threads call, in order, on which streams. It can be simulated
 * (simulate.h), changed to use several buffers (change.h) and written down as a recording (export.h). */
#ifndef DBPROF_CUDA_SIM_PROGRAM_H
#define DBPROF_CUDA_SIM_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum operation {
	OP_KERNEL,
	OP_MEMSET,
	OP_COPY,
	OP_RECORD,      /* cudaEventRecord */
	OP_STREAM_WAIT, /* cudaStreamWaitEvent */
	OP_EVENT_SYNC,
	OP_EVENT_QUERY,
	OP_STREAM_SYNC,
	OP_DEVICE_SYNC,
	OP_WAIT_FOR, /* of a changed program: the host waits for the calls in `after` */
	OP_HOST,     /* the host's own work, between calls */
	OP_MALLOC,
	OP_FREE,
	OP_GRAPH, /* cudaGraphLaunch; its nodes follow, as calls with `node` */
	OP_POST,  /* the host's own: a thread lets another one go on */
	OP_TAKE,  /* and this one waits for that */
	OP_PUSH,  /* an NVTX range begins, and ends */
	OP_POP
};

enum way { WAY_IN, WAY_OUT, WAY_ON_DEVICE, WAY_PEER };

enum stream_kind {
	STREAM_LEGACY, /* the legacy default stream of its device */
	STREAM_BLOCKING,
	STREAM_PER_THREAD,
	STREAM_NON_BLOCKING
};

/* What a program has in place of a loop, round, event, stream or call where it has none. */
enum { NONE = -1 };

struct call {
	enum operation op;
	int stream, event; /* of OP_POST and OP_TAKE the semaphore is in `event` */
	int64_t ns;        /* how long the device works, or the host (OP_HOST) */
	int64_t cost;      /* how long the call takes the host at least (ns); 0: as the machine has it */
	int64_t latency;   /* from the call to the work's earliest start (ns); 0: as the machine has it */
	int64_t behind;    /* what the call takes behind what it waited for (ns) */
	int64_t bytes;     /* of a copy or memset */
	int64_t pinned_ns; /* of a pageable copy: what it takes from pinned memory, where that is known; 0: as `ns` */
	enum way way;
	int back; /* of a stream's wait for another thread's event: how many rounds lie between, 0 or 1 */
	bool pageable, synchronous;
	bool node;    /* of the graph whose launch is before it: no call of its own */
	double share; /* of the GPU that a kernel takes */
	int meeting;  /* of collectives: none goes on before all with this number have begun; 0: waits for no other */
	double luck;  /* factor of what the call costs the host, and of its work's latency and gap; 0: 1 */
	const char *name; /* of a kernel or range; a constant */
	int loop, round;
	int *after,
		nafter; /* calls of the same thread, earlier ones, that the work or the host waits for as well; owned */
};

struct thread {
	struct call *calls;
	int n, room;
	int process;
};

struct stream {
	enum stream_kind kind;
	int device, process;
};

/* The machine (times in ns). */
struct machine {
	int engines;                  /* for copies, of a GPU: 1 or 2 (asyncEngines) */
	double duplex_in, duplex_out; /* of a copy's speed, while copies run in both directions */
	int64_t latency;              /* from the start of a call to the earliest start of its work */
	int64_t gap;                  /* from the end of a piece of work to the start of one that waited for it */
	int64_t wake;                 /* from the end of what the host waits for to its call's return */
	int64_t between;              /* from the end of a call to the start of the next */
	int64_t early; /* so long before its end the call of a pageable copy in returns: its last part is staged */
	int depth;     /* how much a stream's queue holds: pieces of work and events */
};

/* Of how an export leaves things out. */
struct shape {
	bool no_event_sync_id, no_events, no_syncs, no_stream_info, no_calls;
	bool sync_as_nsys; /* waits for a stream have type 2 and no event, waits for a device no row (nsys 2025.3) */
	bool ranges;
};

enum { MOST_THREADS = 8, MOST_STREAMS = 1024, MOST_LOOPS = 64, MOST_SEMAPHORES = 16 };

struct program {
	const char *name, *class;
	uint64_t seed, random; /* what it was made from, and the generator's state */
	struct machine machine;
	struct shape shape;
	struct thread threads[MOST_THREADS];
	struct stream streams[MOST_STREAMS];
	int nthreads, nstreams, nevents, nloops, devices;
	int meetings;                            /* their largest number */
	int posts[MOST_SEMAPHORES], nsemaphores; /* how many may take each semaphore before the first post */
	int thread, loop, round;                 /* of the calls that are added */
};

/* A program with one thread, one GPU and no streams. program_free() ends it. */
struct program *program_new(const char *class, const char *name, uint64_t seed);
void program_free(struct program *p);

/* A number from 0 up to, and without, 1; one of `least` to `most`; one around `middle`, at most `spread` (0.1: 10 %)
 * away. */
double program_random(struct program *p);
int64_t program_between(struct program *p, int64_t least, int64_t most);
int64_t program_noise(struct program *p, int64_t middle, double spread);

int program_stream(struct program *p, enum stream_kind kind, int device);
int program_event(struct program *p);
int program_semaphore(struct program *p, int posts);
/* A thread of its own; calls are added to it from here on. */
int program_thread(struct program *p);
/* The same in a process of its own: streams that are made from here on are its streams. */
int program_process(struct program *p);

/* Calls that are added belong to the loop's next round, or to a new loop, or to none. */
int program_loop(struct program *p);
void program_round(struct program *p, int loop, int round);
void program_outside(struct program *p);

/* Each adds a call and returns it, for what its arguments do not say; the pointer holds until the next is added. */
struct call *program_call(struct program *p, enum operation op, int stream);
struct call *program_kernel(struct program *p, int stream, const char *name, int64_t ns);
struct call *program_memset(struct program *p, int stream, int64_t ns);
struct call *program_copy(struct program *p, int stream, enum way way, int64_t ns);
struct call *program_on_event(struct program *p, enum operation op, int stream, int event);
void program_host(struct program *p, int64_t ns);
void program_range(struct program *p, const char *name);
void program_end_range(struct program *p);

/* Gives each call its luck: most lie within 30 % of the usual, one in 200 takes ten times as long. */
void program_luck(struct program *p);

/* Adds a call to a thread as it is; takes over `after`. Its place in the thread. */
int program_append(struct program *p, int thread, struct call call);

/* A call by its thread and its place there, as one number. */
int number_of_call(int thread, int call);
int thread_of_number(int number);
int call_of_number(int number);

/* Whether a call asks for work of the device that takes time. */
bool is_work(const struct call *call);

#endif
