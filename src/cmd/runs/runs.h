/* runs.h: what the commands that run somebody's programs again and again have in common: `contrast` and `advise`. */
#ifndef DBPROF_CMD_RUNS_RUNS_H
#define DBPROF_CMD_RUNS_RUNS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cmd/status.h"
#include "util/error.h"

enum { ENVIRONMENT_MOST = 64 };

/* What --env has given: NAME=VALUE, borrowed, ended by NULL. */
struct runs_environment {
	const char *list[ENVIRONMENT_MOST + 1];
	size_t n;
};

/* Take the values of --env, --budget and --timeout, --kernel and --range. What is no good is told, before anything is
 * run. */
enum exit_status runs_take_environment(const char *value, struct runs_environment *out);
enum exit_status runs_take_time(const char *option, const char *value, int64_t *out);
enum exit_status runs_take_pattern(const char *value, const char **out);
enum exit_status runs_take_range(const char *value, const char **out);

/* Of struct contrast_options: on a terminal one line says what is being done. */
void runs_progress(void *user, size_t done, size_t all, const char *what);
void runs_note(void *user, const char *text);
void runs_clear_line(void);

/* Whether the folder has a report already. */
bool runs_has_report(const char *outdir);

/* Says that the runs were interrupted, and what that leaves in the folder. As cmd_fail(). */
enum exit_status runs_interrupted(const char *outdir);

/* Paths of the libraries that are put into programs. */
struct runs_libraries {
	char injection[4400], ranges[4400], counts[4400];
};

int runs_find_libraries(struct runs_libraries *libraries, struct error *err);

#endif
