/* after.h: what became of the place where double buffering would pay, in a second recording of the program. */
#ifndef DBPROF_MODEL_TRACE_AFTER_H
#define DBPROF_MODEL_TRACE_AFTER_H

#include <jansson.h>

/* Of two recordings, the first with a place where double buffering would pay: puts "after" into its first place, Y of
 * docs/report-json.md. Null where the second has no such range, or `recordings` are not two. */
void trace_put_after(const json_t *recordings);

#endif
