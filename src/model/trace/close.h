/* close.h: close-ups of the places where double buffering would pay. */
#ifndef DBPROF_MODEL_TRACE_CLOSE_H
#define DBPROF_MODEL_TRACE_CLOSE_H

#include <jansson.h>

struct model;

/* Puts "close_up" into each Y of a list: a timeline of a typical stretch, or null for all but the first ones. */
void close_ups(const struct model *model, json_t *pays);

#endif
