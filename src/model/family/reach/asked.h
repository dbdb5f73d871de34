/* asked.h: whether a library ran the kernel that it was asked to. */
#ifndef DBPROF_MODEL_FAMILY_REACH_ASKED_H
#define DBPROF_MODEL_FAMILY_REACH_ASKED_H

struct measured;
struct model;

/* Fills measured->longest and ->as_asked from the trace, where measured->asked says what its kernel has to be called.
 */
void asked_check(const struct model *model, struct measured *measured);

#endif
