/* nearest.h: the names that somebody may have meant by one that does not exist. */
#ifndef DBPROF_UTIL_TEXT_NEAREST_H
#define DBPROF_UTIL_TEXT_NEAREST_H

#include <stddef.h>

enum { NEAREST_MOST = 3, NEAREST_NAME = 160, NEAREST_TEXT = 3 * NEAREST_NAME + 40 };

/* Begins with the name that is wanted, and zeros. */
struct nearest {
	const char *wanted;
	int n;
	struct {
		char name[NEAREST_NAME];
		size_t distance;
	} found[NEAREST_MOST]; /* the nearest first */
};

/* Keeps the candidate if it is near: a part of it is the wanted name, or few letters have to change. */
void nearest_try(struct nearest *nearest, const char *candidate);

/* "did you mean A, B or C? " in `text`, with the blank; "" if no candidate was near. Returns it. */
const char *nearest_question(const struct nearest *nearest, char *text, size_t size);

#endif
