/* names.h: names of classes of device work, of single pieces, and of the function that a symbol stands for. */
#ifndef DBPROF_MODEL_NAMES_H
#define DBPROF_MODEL_NAMES_H

#include <stddef.h>

#include "analyze/analyze.h"

struct activity;

const char *class_key(enum work_class cls); /* "h2d" ... */

const char *class_words(enum work_class cls); /* "host to device" ... */

/* Memory kind of the host's side of a copy; of its source, if no side is the host's. */
int copy_memory(const struct activity *copy);

/* "4.00 MiB host to device, pinned"; a kernel's short name. */
void activity_words(const struct activity *work, char *text, size_t size);

/* The identifier of a function in its symbol, of *length bytes: the last one of a nested name of the Itanium C++ ABI,
 * without arguments of templates. All of a symbol that is not mangled; NULL if it is no such name. Borrowed. */
const char *function_identifier(const char *symbol, size_t *length);

#endif
