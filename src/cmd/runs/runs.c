/* runs.c: see runs.h. */
#include "config.h"

#include "cmd/runs/runs.h"

#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmd/message.h"
#include "cmd/values.h"
#include "contrast/options.h"
#include "record/record.h"
#include "util/alloc.h"
#include "util/file/datafile.h"

/* ---- options ---- */

enum exit_status runs_take_environment(const char *value, struct runs_environment *out)
{
	if (!strchr(value, '=') || value[0] == '=') {
		cmd_error("--env takes NAME=VALUE, not '%s'", value);
		return STATUS_USAGE;
	}
	if (out->n == ENVIRONMENT_MOST) {
		cmd_error("--env can be given %d times at most", ENVIRONMENT_MOST);
		return STATUS_USAGE;
	}
	out->list[out->n++] = value;
	return STATUS_DONE;
}

enum exit_status runs_take_time(const char *option, const char *value, int64_t *out)
{
	if (cmd_time(value, strlen(value), out) && *out > 0)
		return STATUS_DONE;
	cmd_error(
		"--%s takes a time with its unit (" CMD_TIME_UNITS "), such as 60s or 500ms, not '%s'", option, value);
	return STATUS_USAGE;
}

enum exit_status runs_take_pattern(const char *value, const char **out)
{
	char why[160];
	regex_t pattern;
	int failed = regcomp(&pattern, value, REG_EXTENDED | REG_NOSUB);

	if (failed == 0) {
		regfree(&pattern);
		*out = value;
		return STATUS_DONE;
	}
	regerror(failed, &pattern, why, sizeof(why));
	cmd_error("--kernel takes an extended regular expression, not '%s': %s", value, why);
	return STATUS_USAGE;
}

enum exit_status runs_take_range(const char *value, const char **out)
{
	*out = value;
	if (*value != '\0')
		return STATUS_DONE;
	cmd_error("--range takes the name of an NVTX range, which is not empty");
	return STATUS_USAGE;
}

/* ---- what is told meanwhile ---- */

void runs_progress(void *user, size_t done, size_t all, const char *what)
{
	(void)user;
	if (!isatty(STDERR_FILENO))
		return;
	if (all > 0)
		fprintf(stderr, "\r\033[K[%zu/%zu] %s", done + 1, all, what);
	else
		fprintf(stderr, "\r\033[K[%zu] %s", done + 1, what);
}

void runs_clear_line(void)
{
	if (isatty(STDERR_FILENO))
		fputs("\r\033[K", stderr);
}

void runs_note(void *user, const char *text)
{
	(void)user;
	runs_clear_line();
	cmd_error("%s", text);
}

/* ---- what is in the folder ---- */

bool runs_has_report(const char *outdir)
{
	static const char *const files[] = {"recording.sqlite", "index.html"};
	bool has = false;

	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]) && !has; i++) {
		char *path = xasprintf("%s/%s", outdir, files[i]);

		has = access(path, F_OK) == 0;
		free(path);
	}
	return has;
}

enum exit_status runs_interrupted(const char *outdir)
{
	struct error err;

	error_set(&err, "interrupted: nothing of this run is kept");
	if (runs_has_report(outdir))
		error_set(&err, "interrupted: nothing of this run is kept, and the older report in %s stays as it was",
			outdir);
	return cmd_fail(STATUS_FAILED, &err);
}

/* ---- libraries ---- */

int runs_find_libraries(struct runs_libraries *libraries, struct error *err)
{
	const size_t size = sizeof(libraries->injection);

	if (datafile_find_library(INJECTION_LIBRARY, libraries->injection, size, err) < 0 ||
		datafile_find_library(RANGE_LIBRARY, libraries->ranges, size, err) < 0)
		return -1;
	return datafile_find_library(COUNT_LIBRARY, libraries->counts, size, err);
}
