/* program-wait.c: what a traced program left behind has a little more time, in which it is recorded. */
#include "trace/program.h"

#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "util/alloc.h"

enum { WAIT_MS = 2000, TICK_MS = 50 };

/* Processes, each once. */
struct going {
	pid_t *list;
	size_t n, room;
};

static void going_add(struct going *going, pid_t pid)
{
	for (size_t i = 0; i < going->n; i++)
		if (going->list[i] == pid)
			return;
	xgrow(&going->list, going->n, &going->room, sizeof(*going->list));
	going->list[going->n++] = pid;
}

/* One that has a spool need not be below us: another one may have started it for the program, as `sudo` does. */
static int add_alive(void *user, const char *path, struct error *err)
{
	pid_t pid = (pid_t)program_process_of(path);

	(void)err;
	if (pid > 0 && (kill(pid, 0) == 0 || errno == EPERM))
		going_add(user, pid);
	return 0;
}

static size_t count_with_spool(const char *folder)
{
	struct going going = {0};
	struct error err;

	(void)program_spools(folder, add_alive, &going, &err);
	free(going.list);
	return going.n;
}

/* Those with a spool, and all that we know to be the program's. */
static size_t count_going(const char *folder, const struct orphans *orphans)
{
	struct going going = {0};
	struct error err;
	pid_t *left;
	size_t n;

	while (!(left = orphans_list(orphans, &n)))
		memory_short();
	(void)program_spools(folder, add_alive, &going, &err);
	for (size_t i = 0; i < n; i++)
		going_add(&going, left[i]);
	free(going.list);
	free(left);
	return going.n;
}

static int note_spool(void *user, const char *path, struct error *err)
{
	(void)path;
	(void)err;
	*(bool *)user = true;
	return 0;
}

static bool any_spool(const char *folder)
{
	bool any = false;
	struct error err;

	(void)program_spools(folder, note_spool, &any, &err);
	return any;
}

static void tell_going(const struct program_options *options, size_t n)
{
	char note[160];

	snprintf(note, sizeof(note),
		"%zu process%s that the program started still run%s: what %s from now on is not recorded", n,
		n == 1 ? "" : "es", n == 1 ? "s" : "", n == 1 ? "it does" : "they do");
	options->note(options->user, note);
}

/* Also one that has not used CUDA yet is waited for: it may do so a moment later. A signal ends the wait, and what was
 * recorded until then is written. */
void program_wait_for_others(const struct program_options *options, const char *folder, const struct orphans *orphans,
	struct program_result *result)
{
	const struct timespec tick = {.tv_nsec = TICK_MS * 1000000L};
	int seen;

	for (int i = 0; i < WAIT_MS / TICK_MS && !result->hurried; i++) {
		(void)orphans_signal(orphans, 0, &seen);
		if (seen == 0 && count_with_spool(folder) == 0)
			return;
		nanosleep(&tick, NULL);
		result->hurried = options->interrupted(options->user);
	}
	result->going_on = (int)count_going(folder, orphans);
	/* Without a GPU there is nothing to record of who has not even made a range. */
	if (result->going_on > 0 && (!result->without_gpu || any_spool(folder)))
		tell_going(options, (size_t)result->going_on);
}
