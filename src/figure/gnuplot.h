/* gnuplot.h: draws many figures with a few gnuplot processes. */
#ifndef DBPROF_FIGURE_GNUPLOT_H
#define DBPROF_FIGURE_GNUPLOT_H

#include <stdbool.h>

#include "util/error.h"

enum { GNUPLOT_MAX_ARGS = 9, GNUPLOT_TIMEOUT_MS = 8000 };

/* An older gnuplot is refused. */
enum { GNUPLOT_OLDEST_MAJOR = 5, GNUPLOT_OLDEST_MINOR = 2 };

/* One figure: `call 'script' 'args[0]' ...`. Strings are borrowed; none may contain a line break. */
struct gnuplot_job {
	const char *script; /* sees its arguments as ARG1 ... ARG9, and the colours of util/palette.h as variables */
	char **args;
	int nargs;
	const char *output; /* the SVG file that the script is to write; an older one is removed first */
};

/*
 * Draws all figures in the folder `workdir`, to which relative names refer, with as many gnuplot processes as there are
 * processors, at most 4. Scripts start from gnuplot's defaults with UTF-8 text; ~/.gnuplot is not read. The environment
 * variable DBPROF_GNUPLOT names another executable than "gnuplot".
 *
 * `interrupted` (may be NULL) is asked a few times a second. Returns 0 when every output is a whole SVG file, else -1
 * with `err`: gnuplot missing, too old, failing (its own message), killed, silent for 8 s (longer where the machine has
 * other work), or "interrupted". No process is left behind.
 */
int gnuplot_run(const struct gnuplot_job *jobs, int n, const char *workdir, bool (*interrupted)(void *user), void *user,
	struct error *err);

/* The same with another limit than GNUPLOT_TIMEOUT_MS for the time in which no process finishes a figure. */
int gnuplot_run_within(const struct gnuplot_job *jobs, int n, const char *workdir, int timeout_ms,
	bool (*interrupted)(void *user), void *user, struct error *err);

#endif
