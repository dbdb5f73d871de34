/* inside-run.c: see inside-run.h. */
#include "contrast/count/inside-run.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "contrast/count/results-read.h"
#include "record/worker/process.h"
#include "util/alloc.h"
#include "util/clock.h"

static int write_count_plan(const struct inside_run *r, const struct count_plan *plan)
{
	char *path = xasprintf("%s/" COUNT_PLAN, r->folder);
	FILE *file = fopen(path, "we");
	bool failed = !file;

	if (file) {
		count_plan_write(plan, file);
		failed = ferror(file) != 0;
		failed |= fclose(file) != 0;
	}
	if (failed)
		error_system(r->reason, "the plan of what is to be counted cannot be written: %s", strerror(errno));
	free(path);
	return failed ? -1 : 0;
}

/* What is done meanwhile. */
static const char *inside_word(const struct inside_run *r)
{
	if (r->kind == SIDE_PM)
		return "occupancy and traffic were sampled";
	return r->kind == SIDE_COUNTED ? "its kernels were counted" : "its kernels were sampled";
}

static void tell_inside_run(const struct inside_run *r)
{
	char text[200];

	snprintf(text, sizeof(text), "%s, while %s", r->options->sides[r->side].name, inside_word(r));
	r->options->progress(r->options->user, r->measured->nruns - 1, 0, text);
}

/* ---- waits that do not end ---- */

/* Whatever is under way when the library waits for the GPU is over in the time that a whole run takes. Locked clocks
 * and serialised kernels may make it longer. */
enum { LONGER_WAIT = 2 };
static const int64_t longest_wait_ns = INT64_C(5000000000);

/* For is_waiting_in_vain(). */
struct inside_wait {
	char *path;
	int64_t most_ns;
};

/* Of the side. A run that was ended says nothing of how long one takes. */
static int64_t longest_run_ns(const struct inside_run *r)
{
	int64_t longest = 0;

	for (size_t i = 0; i < r->measured->nruns; i++) {
		const struct measured_run *run = &r->measured->runs[i];
		int64_t ns = run->run.end_ns - run->run.start_ns;

		if (run->side == r->side && !run->run.timed_out && ns > longest)
			longest = ns;
	}
	return longest;
}

static bool is_alive(int64_t pid)
{
	return kill((pid_t)pid, 0) == 0 || errno != ESRCH;
}

static bool is_waiting_in_vain(void *user)
{
	const struct inside_wait *wait = user;
	struct count_wait told = {0};
	int64_t since;
	int fd = open(wait->path, O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		return false;
	if (read(fd, &told, sizeof(told)) != (ssize_t)sizeof(told))
		told = (struct count_wait){0};
	close(fd);
	since = atomic_load(&told.since);
	return since != 0 && clock_monotonic() - since > wait->most_ns && is_alive(told.pid);
}

/* As inside_run_once(). */
static int start_inside_run(const struct inside_run *r)
{
	const struct contrast_command *command = &r->options->sides[r->side];
	const struct side side = {.argv = command->argv, .environment = command->environment};
	struct measured_run *run = measure_next_run(r->measured);
	char *errors = xasprintf("%s/count.err", r->folder), end[SIDE_END_BYTES];
	struct inside_wait wait = {
		xasprintf("%s/" COUNT_WAIT, r->folder), longest_wait_ns + LONGER_WAIT * longest_run_ns(r)};
	const struct side_how how = {
		.kind = r->kind,
		.folder = r->folder,
		.range = r->options->range,
		.output = "/dev/null",
		.errors = errors,
		.timeout_ns = r->options->timeout_ns,
		.count_library = r->options->count_library,
		.interrupted = r->options->interrupted,
		.user = r->options->user,
		.is_stuck = is_waiting_in_vain,
		.stuck_user = &wait,
	};
	int code;

	run->side = r->side;
	run->kind = r->kind;
	run->block = run->position = -1;
	tell_inside_run(r);
	code = side_run(&side, &how, &run->run, r->reason) < 0;
	if (code == 0 && !side_went_well(&run->run)) {
		side_tell_end(&run->run, &how, end);
		error_set(r->reason, "%s, while %s, %s", command->name, inside_word(r), end);
		code = 1;
	}
	unlink(errors);
	unlink(wait.path);
	free(errors);
	free(wait.path);
	return r->options->interrupted(r->options->user) ? error_set(r->err, "interrupted") : code;
}

static void take_nothing(void *user, const struct count_record *head, const char *bytes)
{
	(void)user;
	(void)head;
	(void)bytes;
}

int inside_run_once(const struct inside_run *r, const struct count_plan *plan, count_results_taker *take, void *user)
{
	int code;

	if (write_count_plan(r, plan) < 0)
		return 1;
	code = start_inside_run(r);
	if (count_results_take(r->folder, code == 0 ? take : take_nothing, user, code == 0 ? r->reason : NULL) < 0 &&
		code == 0)
		code = 1;
	return code;
}

/* ---- plans ---- */

/* CUPTI plans in less than a second. */
enum { PLAN_TIMEOUT_MS = 60000 };

int inside_run_try_plan(const char *name, void (*plan)(void *user), void *user, struct error *reason)
{
	struct process_end end;
	char how[128];

	if (process_call(plan, user, PLAN_TIMEOUT_MS, &end, reason) < 0)
		return -1;
	if (end.status == 0)
		return 0;
	process_describe(end.status, how, sizeof(how));
	return error_set(reason, "dbprof's CUPTI cannot plan with what that of %s answers: planning %s", name,
		end.timed_out          ? "took too long"
		: end.words[0] != '\0' ? process_reason(&end)
				       : how);
}
