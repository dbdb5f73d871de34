/* activity.h: CUPTI's activity records, and how they become rows of a spool. */
#ifndef DBPROF_RECORD_ACTIVITY_H
#define DBPROF_RECORD_ACTIVITY_H

#include <stdbool.h>
#include <stdint.h>

#include "record/cupti.h"
#include "record/names.h"
#include "record/tally.h"
#include "store/store.h"

enum { MAX_DOMAINS = 64 };

/* An NVTX range or mark that is being put together from its records. */
struct marker {
	uint32_t id;
	uint32_t flags; /* of its records so far: start, end, instantaneous */
	int64_t start, end;
	int64_t global_tid, end_global_tid;
	char *text; /* owned; NULL if memory was short */
	int domain;
	bool has_data;
	uint32_t color, category;
	bool has_color;
	CUpti_MetricValueKind payload_kind;
	CUpti_MetricValue payload;
};

struct markers {
	struct marker *all;
	size_t n, room;
	char *domains[MAX_DOMAINS]; /* names; domain 0 is NVTX's default one and has none */
	int ndomains;
};

/* What is missing from the rows. */
struct losses {
	size_t dropped; /* records that CUPTI had no room for */
	size_t damaged; /* buffers that could not be read to their end */
	size_t untimed; /* device records without time stamps: not written */
	size_t unnoted; /* records that there was no memory for */
};

/* One tracing session; CUPTI allows one in a process. The second half is filled while buffers are read, which CUPTI may
 * do in a thread of its own: only the functions below touch it. */
struct activity {
	struct cupti cupti;
	unsigned groups; /* of kinds of records that are taken, see activity.c */
	struct spool *spool;
	void (*take)(
		void *user, enum table_id table, const struct value *row); /* takes the rows instead of the spool */
	void *user;
	bool discard; /* rows go nowhere */
	int device;   /* CUDA device number, for records that do not say */
	int64_t pid;
	int64_t offset; /* ns to add to CUPTI's time stamps to get CLOCK_REALTIME */

	struct kernel_names names;
	struct markers markers;
	struct tally tally;
	struct losses losses;
	struct error io; /* the first error of the spool */
};

/* Loads CUPTI, makes it NVTX's listener unless another is named in the environment, and begins to record. Call it
 * before the first CUDA and NVTX call. NULL with `err` if CUPTI is missing or refuses. */
struct activity *activity_start(struct spool *spool, int device, struct error *err);

/* The same for device work alone (kernels, copies, memsets), whose rows go to `take` instead of a spool. CUPTI may call
 * it in a thread of its own, one row at a time; after activity_flush() it has had all of them. */
struct activity *activity_start_work(void (*take)(void *user, enum table_id table, const struct value *row), void *user,
	int device, struct error *err);

/* From now on rows go nowhere, or to the spool again; between activity_flush() and activity_flush(). Recording itself
 * goes on as it was. */
void activity_discard(struct activity *a, bool discard);

/* Stops recording device work and API calls for a while; NVTX ranges go on. */
void activity_pause(struct activity *a);
int activity_resume(struct activity *a, struct error *err);

/* Waits for every record and turns it into rows. The device must be idle. */
int activity_flush(struct activity *a, struct error *err);

/* Takes the tally and the losses since the last call; the tally is the caller's to clear. */
void activity_take(struct activity *a, struct tally *tally, struct losses *losses);

/* CUPTI's clock, made CLOCK_REALTIME. */
int64_t activity_now(const struct activity *a);

/* Ends it and frees; CUPTI stays loaded. Rows of records that were not flushed are lost. NULL is allowed. */
void activity_stop(struct activity *a);

/* ---- inside ---- */

/* Writes one row, remembering the first error. */
void activity_row(struct activity *a, enum table_id table, const struct value *row);

/* Turns one record into a row (activity-rows.c) or part of one (activity-markers.c). */
void activity_record(struct activity *a, const CUpti_Activity *record);
void markers_record(struct activity *a, const CUpti_ActivityMarker2 *record);
void markers_data(struct activity *a, const CUpti_ActivityMarkerData *record);

/* Writes the ranges that are complete. */
void markers_write(struct activity *a);
void markers_free(struct markers *markers);

#endif
