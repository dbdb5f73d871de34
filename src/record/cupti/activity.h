/* activity.h: CUPTI's activity records, which become rows of a spool. */
#ifndef DBPROF_RECORD_CUPTI_ACTIVITY_H
#define DBPROF_RECORD_CUPTI_ACTIVITY_H

#include <stdbool.h>
#include <stdint.h>

#include "record/cupti/cupti.h"
#include "record/cupti/names.h"
#include "record/cupti/tally.h"
#include "store/store.h"

enum { MAX_DOMAINS = 64, MAX_CONTEXTS = 64, GPU_UUID_TEXT = 48 };

/* "GPU-xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx", as NVML takes it: it tells the devices of several processes apart. */
void gpu_uuid_text(const CUuuid *uuid, char text[GPU_UUID_TEXT]);

/* An NVTX range or mark that is being put together from its records. */
struct marker {
	uint32_t id;
	uint32_t flags; /* flags of its records so far: start, end, instantaneous */
	int64_t start, end;
	bool untimed; /* a record of it has no time stamp */
	int64_t global_tid, end_global_tid;
	char *text; /* owned; NULL if memory was short, which is counted */
	int domain;
	bool has_data;
	uint32_t color, category;
	bool has_color;
	CUpti_MetricValueKind payload_kind;
	CUpti_MetricValue payload;
	bool settled; /* complete since a whole buffer or more: its attributes, if there are any, have come */
};

struct markers {
	struct marker *all;
	size_t n, room;
	uint32_t *places;           /* by id: index in `all` + 1, 0 for none */
	size_t nplaces;             /* a power of two */
	char *domains[MAX_DOMAINS]; /* names; domain 0 is NVTX's default domain and has no name */
	int ndomains;
};

/* Which device a context is on. Synchronisations name only the context. */
struct contexts {
	struct {
		uint32_t context, device;
	} all[MAX_CONTEXTS];
	int n;
};

/* The threads that have a row in ThreadNames. */
struct threads {
	uint32_t *all; /* sorted */
	size_t n, room;
	uint32_t last; /* the one that was looked up last */
};

/* What the rows lack. */
struct losses {
	size_t dropped; /* records that CUPTI had no room for */
	size_t damaged; /* buffers that could not be read to the end */
	size_t untimed; /* records that were not written: without time stamps, or they end before they begin */
	size_t unnoted; /* records that were dropped for want of memory */
	size_t unnamed; /* names of ranges and threads that were dropped for want of memory or of a descriptor */
};

/* Kinds of records: device work, its calls on the host, NVTX ranges, and where work runs. */
enum activity_group { ACTIVITY_WORK = 1, ACTIVITY_HOST = 2, ACTIVITY_RANGES = 4, ACTIVITY_PLACES = 8 };

/* One tracing session; CUPTI allows one in a process. The second half is filled while buffers are read. CUPTI may do
 * that in a thread of its own, so only the functions below touch it. */
struct activity {
	struct cupti cupti;
	unsigned groups; /* enum activity_group: the kinds of records that are recorded */
	struct spool *spool;
	void (*take)(
		void *user, enum table_id table, const struct value *row); /* takes the rows instead of the spool */
	void *user;
	bool discard;   /* rows go nowhere */
	bool untallied; /* work is not tallied, so that it takes no memory */
	bool foreign; /* a program that is not ours is traced: nothing is tallied, and rows are written as buffers come
		       */
	int device;   /* CUDA device number, for records that do not say */
	int64_t pid;
	int64_t offset; /* ns to add to CUPTI's time stamps for CLOCK_REALTIME */

	/* Gives a kernel's three names; NULL: only the mangled one is written. */
	const struct kernel_name *(*name_kernel)(struct kernel_names *names, const char *mangled);
	void (*forget_kernels)(struct kernel_names *names); /* frees them; NULL with name_kernel */
	struct kernel_names names;
	struct markers markers;
	struct contexts contexts;
	struct threads threads;
	struct tally tally;
	struct losses losses;
	size_t work;     /* rows of device work */
	struct error io; /* the first error of the spool */
};

/* Loads CUPTI, makes it NVTX's listener unless the environment names another one, and begins to record. Call it before
 * the first CUDA and NVTX call. NULL with `err` if CUPTI is missing or refuses. */
struct activity *activity_start(struct spool *spool, int device, struct error *err);

/* The same for device work alone (kernels, copies, memsets). Its rows go to `take` instead of a spool. CUPTI may call
 * `take` in a thread of its own, one row at a time; after activity_flush() it has had all rows. */
struct activity *activity_start_work(void (*take)(void *user, enum table_id table, const struct value *row), void *user,
	int device, struct error *err);

/* The same in a program that is not ours: kernels have only their mangled name, and nothing is tallied. */
struct activity *activity_start_inside(
	void (*take)(void *user, enum table_id table, const struct value *row), void *user, struct error *err);

/* For a program that is not ours, from its first CUDA or NVTX call on. Takes all kinds of records, also those of
 * contexts, streams, events and devices; kernels have only their mangled name. Memory for buffers is bounded: if
 * records come faster than they can be written, the program waits. */
struct activity *activity_start_program(struct spool *spool, struct error *err);

/* In such a program: writes the records of the buffers that CUPTI has handed over so far. Returns the number of
 * records, or -1. */
int activity_write(struct activity *a, struct error *err);

/* Makes CUPTI hand over all work that has ended, and writes it. The `last` time, when the program has stopped, it also
 * writes ranges that are still open. Frequent calls slow a busy program down. */
int activity_drain(struct activity *a, bool last, struct error *err);

/* Call it when such a program has stopped. CUPTI's own exit handlers take it apart, so threads that the program leaves
 * behind must not come past it any more. */
void activity_end(struct activity *a);

/* Gives CUPTI our callbacks and settings: at the start, and after another client has ended CUPTI. */
CUptiResult activity_attach(struct activity *a);

/* In such a program: activity_suspend() takes the records that there are and stops recording, activity_continue()
 * starts it again. Records of work that has not ended are lost, and counted. */
void activity_suspend(struct activity *a);
int activity_continue(struct activity *a, struct error *err);

/* Lets somebody else answer CUPTI's requests for buffers and take the buffers back. The callbacks return true if they
 * did that. */
typedef bool lend_request_func(uint8_t **buffer, size_t *size, size_t *max_records);
typedef bool lend_complete_func(CUcontext context, uint32_t stream, uint8_t *buffer, size_t size, size_t valid);
void activity_lend_buffers(lend_request_func *request, lend_complete_func *complete);

/* In the child of a fork(): CUPTI's records, locks and threads are the parent's, so nothing is ever traced here. */
void activity_forget(void);

/* From now on rows are dropped, or go to the spool again. Call it when all is flushed. Recording itself goes on. */
void activity_discard(struct activity *a, bool discard);

/* Stops recording device work and API calls for a while; NVTX ranges go on. */
void activity_pause(struct activity *a);
int activity_resume(struct activity *a, struct error *err);

/* Waits for every record and turns it into rows. The device must be idle. */
int activity_flush(struct activity *a, struct error *err);

/* Takes the tally and the losses since the last call. The caller clears the tally. */
void activity_take(struct activity *a, struct tally *tally, struct losses *losses);

/* How many buffers CUPTI has handed over and how many were written, added. Who waits for the end sees whether this
 * grows. */
unsigned activity_progress(void);

/* What was lost so far. Records may still come in a thread of CUPTI's. */
void activity_losses(const struct activity *a, struct losses *losses);

/* CUPTI's clock, converted to CLOCK_REALTIME. */
int64_t activity_now(const struct activity *a);

/* Ends the session and frees it; CUPTI stays loaded. Records that were not flushed are lost. NULL is allowed. */
void activity_stop(struct activity *a);

/* Writes a row of somebody else between the session's own; an error counts as one of the session's. */
void activity_note(struct activity *a, enum table_id table, const struct value *row);

/* Remembers the error if it is the first. From then on activity_write() and all others that write return it. */
void activity_problem(struct activity *a, const struct error *err);

#endif
