/* lines.h: two files side by side: which line of one belongs to which line of the other. */
#ifndef DBPROF_ANALYZE_LINES_H
#define DBPROF_ANALYZE_LINES_H

/* Two files' lines side by side. Lines that are the same (without leading and trailing white space) are matched by the
 * longest common subsequence; between two matches, the lines left over are paired one by one in order, so that a
 * changed line stands beside its old self. Each out entry: line numbers from 0, or -1 where one side has no
 * counterpart; both >= 0 with different text is a changed line. `out` must have room for na + nb; *nout is set. -1 if
 * na * nb is more than 64 Mi, else 0. */
struct line_pair {
	int a, b;
};
int lines_align(const char *const *a, int na, const char *const *b, int nb, struct line_pair *out, int *nout);

#endif
