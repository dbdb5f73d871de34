/* activity-private.h: what the files of the activity records share. */
#ifndef DBPROF_RECORD_CUPTI_ACTIVITY_PRIVATE_H
#define DBPROF_RECORD_CUPTI_ACTIVITY_PRIVATE_H

#include "record/cupti/activity.h"

/* Writes one row, and remembers the first error. */
void activity_row(struct activity *a, enum table_id table, const struct value *row);

/* Switch the records of some groups on and off (activity-kinds.c). If a kind cannot be switched off, there are needless
 * rows, and no other harm. */
int activity_enable(struct activity *a, unsigned groups, struct error *err);
void activity_disable(struct activity *a, unsigned groups);

/* CLOCK_REALTIME less CUPTI's clock (ns); 0 where they agree (activity-time.c). */
int64_t activity_clock_offset(const struct activity *a);

/* Starts a session that is set up like `how`. */
struct activity *activity_begin(const struct activity *how, struct error *err);

/* Turns one record into a row (activity-rows.c) or part of one (activity-markers.c). */
void activity_record(struct activity *a, const CUpti_Activity *record);
void markers_record(struct activity *a, const CUpti_ActivityMarker2 *record);
void markers_data(struct activity *a, const CUpti_ActivityMarkerData *record);

/* Takes a record of a device, a context or a stream; does nothing with others (activity-places.c). */
void place_record(struct activity *a, const CUpti_Activity *record);
/* The device of a context; the session's own where that is not known. */
int place_of_context(const struct activity *a, uint32_t context);
/* Gives a thread of this process its row in ThreadNames when it is seen for the first time. */
void place_thread(struct activity *a, uint32_t thread);

/* Writes ranges. MARKERS_SETTLED: only those that are complete and whose attributes have come for sure. MARKERS_ALL:
 * also open ones, which get no end. */
enum markers_which { MARKERS_COMPLETE, MARKERS_SETTLED, MARKERS_ALL };
void markers_write(struct activity *a, enum markers_which which);
void markers_free(struct markers *markers);

#endif
