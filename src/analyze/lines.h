/* lines.h: puts two files side by side: which line of one belongs to which line of the other. */
#ifndef DBPROF_ANALYZE_LINES_H
#define DBPROF_ANALYZE_LINES_H

#include <stdbool.h>

/* The longest common subsequence matches lines that are the same; white space at their ends does not count. Between two
 * matches, the other lines are paired one by one in order, so that a changed line stands beside its old self. Each
 * entry of `out` holds line numbers from 0, or -1 where one side has no counterpart. Two numbers whose lines have
 * different text are a changed line. `out` must have room for na + nb; *nout is set. Returns -1 if na * nb is more than
 * 64 Mi, else 0. */
struct line_pair {
	int a, b;
};
int lines_align(const char *const *a, int na, const char *const *b, int nb, struct line_pair *out, int *nout);

/* Whether two lines are the same for lines_align(). */
bool lines_alike(const char *a, const char *b);

#endif
