/* names.h: words for classes, memory kinds and directions. */
#ifndef DBPROF_MODEL_NAMES_H
#define DBPROF_MODEL_NAMES_H

#include <stddef.h>

#include "analyze/analyze.h"

struct activity;
struct model;

const char *class_key(enum work_class cls); /* "h2d" ... */

const char *class_words(enum work_class cls); /* "host to device" ... */

/* Lower-case words for a memory kind ("" where the file has none) and for the direction of a copy. */
void memory_words(const struct model *model, int kind, char *text, size_t size);

void direction_words(const struct model *model, const struct activity *copy, char *text, size_t size);

/* Memory kind of the host's side of a copy; of its source, if no side is the host's. */
int copy_memory(const struct activity *copy);

/* "4.00 MiB host to device, pinned"; a kernel's short name. */
void activity_words(const struct model *model, const struct activity *work, char *text, size_t size);

#endif
