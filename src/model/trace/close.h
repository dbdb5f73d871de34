/* close.h: typical stretches as timelines. */
#ifndef DBPROF_MODEL_TRACE_CLOSE_H
#define DBPROF_MODEL_TRACE_CLOSE_H

#include <jansson.h>

struct model;

/* Puts "close_up" into each Y of a list: of the first ones a typical stretch as a timeline (model-close.c). */
int close_ups(const struct model *model, json_t *pays);

#endif
