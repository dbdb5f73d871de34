/* interned.h: numbers for texts, from 1, each kind of its own. */
#ifndef DBPROF_EXPORT_TRACE_INTERNED_H
#define DBPROF_EXPORT_TRACE_INTERNED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Begins as {0}. */
struct interned {
	struct interned_text *texts;
	size_t n, room;   /* room is a power of two */
	size_t bytes;     /* of all texts */
	uint64_t numbers; /* given so far */
};

/* The number of a text of a kind; *is_new where it had none. */
uint64_t interned_number(struct interned *interned, int64_t kind, const char *text, bool *is_new);

/* Whether it holds so much that it had better be emptied. */
bool interned_is_full(const struct interned *interned);

/* Empties it. Numbers begin anew. */
void interned_clear(struct interned *interned);

#endif
