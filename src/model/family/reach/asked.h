/* asked.h: whether a library ran the kernel that it was asked to. */
#ifndef DBPROF_MODEL_FAMILY_REACH_ASKED_H
#define DBPROF_MODEL_FAMILY_REACH_ASKED_H

struct family_rows;

/* Fills ->longest and ->as_asked of all that was measured, from the trace: DBPROF_VARIANT.kernelName says what must
 * stand in the name of a reference's kernel. A redacted recording is judged by the names that its file has. */
void asked_check(struct family_rows *f);

#endif
