/* launches.h: which calls asked for device work: a few bits per correlation id. */
#ifndef DBPROF_EXPORT_LAUNCHES_H
#define DBPROF_EXPORT_LAUNCHES_H

#include <stdbool.h>
#include <stdint.h>

struct launches;

struct launches *launches_new(void);
void launches_free(struct launches *launches); /* NULL is allowed */

/* Device work has this id. */
void launches_add(struct launches *launches, int64_t process, int64_t correlation);
/* Whether several pieces of work have it, as those of a graph. */
bool launches_has_several(const struct launches *launches, int64_t process, int64_t correlation);
/* A call has this id, and whether one has that work has too: for those who look at all calls beforehand. */
void launches_note_call(struct launches *launches, int64_t process, int64_t correlation);
bool launches_has_call(const struct launches *launches, int64_t process, int64_t correlation);
bool launches_has(const struct launches *launches, int64_t process, int64_t correlation);

/* True for the first call that asks for an id which work has: a driver's call inside a runtime's has the same one. */
bool launches_take(struct launches *launches, int64_t process, int64_t correlation);
/* Whether a call took it. */
bool launches_taken(const struct launches *launches, int64_t process, int64_t correlation);

#endif
