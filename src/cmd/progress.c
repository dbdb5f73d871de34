/* progress.c: see progress.h. */
#include "config.h"

#include "cmd/progress.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cmd/message.h"
#include "cmd/signals.h"

/* What the progress remembers, so that one cause is told once. */
struct telling {
	bool terminal;     /* a line that is rewritten; elsewhere only what went wrong is told */
	char now[160];     /* "[3/7] family: pass" */
	char failed[1024]; /* families whose later passes are skipped for what the error at the end says: " a b " */
	char last_reason[1024]; /* why the last pass was skipped */
};

static void on_begin(void *user, const char *family, const char *pass, int done, int total)
{
	struct telling *telling = user;

	snprintf(telling->now, sizeof(telling->now), "[%d/%d] %s: %s", done + 1, total, family, pass);
	if (telling->terminal)
		fprintf(stderr, "\r\033[K%s", telling->now);
}

/* A bar for what takes many steps, such as a sweep. */
static void on_step(void *user, const char *label, int done, int total)
{
	enum { WIDTH = 24, WORTH_A_BAR = 12 };
	static const char full[] = "########################", empty[] = "........................";
	const struct telling *telling = user;
	int filled = total > 0 ? WIDTH * done / total : 0;

	if (telling->terminal && total >= WORTH_A_BAR)
		fprintf(stderr, "\r\033[K%s [%.*s%.*s] %d/%d %.40s", telling->now, filled, full, WIDTH - filled, empty,
			done, total, label);
}

static void clear_line(const struct telling *telling)
{
	if (telling->terminal)
		fputs("\r\033[K", stderr);
}

static bool has_failed(const struct telling *telling, const char *family)
{
	char name[128];

	snprintf(name, sizeof(name), " %s ", family);
	return strstr(telling->failed, name) != NULL;
}

static void note_failed(struct telling *telling, const char *family)
{
	size_t used = strlen(telling->failed);

	if (!has_failed(telling, family))
		snprintf(telling->failed + used, sizeof(telling->failed) - used, "%s%s ", used == 0 ? " " : "", family);
}

/* Whether a pass that was not done needs a line of its own. */
static bool worth_telling(struct telling *telling, const char *family, const char *status, const char *reason)
{
	if (strcmp(status, "failed") == 0) {
		note_failed(telling, family);
		return false;
	}
	if (has_failed(telling, family) || strcmp(telling->last_reason, reason) == 0)
		return false;
	snprintf(telling->last_reason, sizeof(telling->last_reason), "%s", reason);
	return true;
}

static void on_end(
	void *user, const char *family, const char *pass, const char *status, const char *reason, double seconds)
{
	struct telling *telling = user;

	clear_line(telling);
	if (!reason)
		reason = "no reason given";
	if (strcmp(status, "done") == 0) {
		if (telling->terminal)
			fprintf(stderr, "%s: %s done in %.1f s\n", family, pass, seconds);
	} else if (worth_telling(telling, family, status, reason)) {
		cmd_error("%s: %s %s: %s", family, pass, status, reason);
	}
}

static void on_note(void *user, const char *text)
{
	clear_line(user);
	cmd_error("%s", text);
}

enum exit_status cmd_record_now(const struct record_options *options, bool *written)
{
	struct telling telling = {.terminal = isatty(STDERR_FILENO) != 0};
	struct record_progress progress = {&telling, on_begin, on_step, on_end, on_note, cmd_interrupted};
	struct error err = {0};
	int result;

	cmd_catch_signals();
	result = record_run(options, &progress, &err);
	clear_line(&telling);
	*written = result >= 0;
	return result == 0 ? STATUS_DONE : cmd_fail(STATUS_FAILED, &err);
}
