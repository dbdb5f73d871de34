/* counted-run.c: one run of a side in which launches are counted. */
#include "contrast/count/counted-private.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "contrast/count/results-read.h"
#include "util/alloc.h"

static int write_count_plan(const struct side_counting *c, const struct count_plan *plan)
{
	char *path = xasprintf("%s/" COUNT_PLAN, c->folder);
	FILE *file = fopen(path, "we");
	bool failed = !file;

	if (file) {
		count_plan_write(plan, file);
		failed = ferror(file) != 0;
		failed |= fclose(file) != 0;
	}
	if (failed)
		error_system(
			&c->out->reason, "the plan of what is to be counted cannot be written: %s", strerror(errno));
	free(path);
	return failed ? -1 : 0;
}

static void tell_counting(const struct side_counting *c)
{
	char text[200];

	snprintf(text, sizeof(text), "%s, counted", c->options->sides[c->side].name);
	c->options->progress(c->options->user, c->measured->nruns - 1, 0, text);
}

/* As count_once(). */
static int run_to_count(const struct side_counting *c)
{
	const struct contrast_command *command = &c->options->sides[c->side];
	const struct side side = {.argv = command->argv, .environment = command->environment};
	struct measured_run *run = measure_next_run(c->measured);
	char *errors = xasprintf("%s/count.err", c->folder), end[SIDE_END_BYTES];
	const struct side_how how = {
		.kind = SIDE_COUNTED,
		.folder = c->folder,
		.output = "/dev/null",
		.errors = errors,
		.timeout_ns = c->options->timeout_ns,
		.count_library = c->options->count_library,
		.interrupted = c->options->interrupted,
		.user = c->options->user,
	};
	int code;

	run->side = c->side;
	run->kind = SIDE_COUNTED;
	run->block = run->position = -1;
	tell_counting(c);
	code = side_run(&side, &how, &run->run, &c->out->reason) < 0;
	if (code == 0 && !side_went_well(&run->run)) {
		side_tell_end(&run->run, &how, end);
		error_set(&c->out->reason, "%s, while its kernels were counted, %s", command->name, end);
		code = 1;
	}
	unlink(errors);
	free(errors);
	return c->options->interrupted(c->options->user) ? error_set(c->err, "interrupted") : code;
}

static void take_nothing(void *user, const struct count_record *head, const char *bytes)
{
	(void)user;
	(void)head;
	(void)bytes;
}

int count_once(struct side_counting *c, const struct count_plan *plan,
	void (*take)(void *user, const struct count_record *head, const char *bytes))
{
	int code;

	if (write_count_plan(c, plan) < 0)
		return 1;
	code = run_to_count(c);
	if (count_results_take(c->folder, code == 0 ? take : take_nothing, c, code == 0 ? &c->out->reason : NULL) < 0 &&
		code == 0)
		code = 1;
	return code;
}
