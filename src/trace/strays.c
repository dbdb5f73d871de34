/* strays.c: see strays.h. */
#include "trace/strays.h"

#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "trace/children.h"
#include "util/clock.h"
#include "util/machine/ticker.h"

/* ---- a process ---- */

/* A file of the process; NULL with errno. */
static FILE *open_of(const char *proc, pid_t pid, const char *name)
{
	char path[PATH_MAX];

	snprintf(path, sizeof(path), "%s/%ld/%s", proc, (long)pid, name);
	return fopen(path, "re");
}

/* A process that has a command line is past exec, and has not ended: else its environment looks empty. */
static bool has_command(const char *proc, pid_t pid)
{
	FILE *file = open_of(proc, pid, "cmdline");
	bool any = file && getc(file) != EOF;

	if (file)
		fclose(file);
	return any;
}

/* Whether none of its users is ours. A program that only works with more rights has our environment. */
static bool is_other_users(const char *proc, pid_t pid)
{
	FILE *file = open_of(proc, pid, "status");
	char line[256];
	long user = -1;

	while (file && user < 0 && fgets(line, sizeof(line), file))
		(void)sscanf(line, "Uid: %ld", &user);
	if (file)
		fclose(file);
	return user >= 0 && user != (long)getuid();
}

/* Whether its root has the file. If that cannot be told, it has. */
static bool root_has(const char *proc, pid_t pid, const char *path)
{
	char whole[2 * PATH_MAX];

	snprintf(whole, sizeof(whole), "%s/%ld/root%s", proc, (long)pid, path);
	return access(whole, F_OK) == 0 || (errno != ENOENT && errno != ENOTDIR);
}

/* Whether it runs the program that it executes. Until then it has no stack, and its environment is empty. True if that
 * cannot be told. */
static bool runs_program(const char *proc, pid_t pid)
{
	enum { STACK = 28, STATE = 3 }; /* fields, see proc_pid_stat(5); the one before STATE ends with the last ')' */
	char line[1024] = "", *field;
	FILE *file = open_of(proc, pid, "stat");

	if (file) {
		line[fread(line, 1, sizeof(line) - 1, file)] = '\0';
		fclose(file);
	}
	field = strrchr(line, ')');
	for (int i = STATE - 1; field && i < STACK; i++)
		field = strchr(field + 1, ' ');
	return !field || strtoull(field + 1, NULL, 10) != 0;
}

enum told_by { TELLS_NOTHING, TELLS_LIBRARY, TELLS_OTHER };

/* What its environment says. Some programs write their title over it: then it says nothing. */
static enum told_by read_environment(FILE *file, const char *injection)
{
	enum told_by told = TELLS_OTHER;
	char *setting = NULL;
	size_t room = 0;

	while (told == TELLS_OTHER && getdelim(&setting, &room, '\0', file) > 0) {
		const char *value = strchr(setting, '=');

		if (!value)
			told = TELLS_NOTHING;
		else if (strncmp(setting, "CUDA_INJECTION64_PATH=", (size_t)(value + 1 - setting)) == 0 &&
			 strcmp(value + 1, injection) == 0)
			told = TELLS_LIBRARY;
	}
	free(setting);
	/* Not read to its end: there is no memory for a line. */
	return told == TELLS_OTHER && !feof(file) ? TELLS_NOTHING : told;
}

/* Of CUDA: the driver's library, and those that come with nothing but programs for it. */
static bool is_of_cuda(const char *file)
{
	static const char *const names[] = {"libcuda.so", "libcudart.so", "libcupti.so"};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (strncmp(file, names[i], strlen(names[i])) == 0)
			return true;
	return false;
}

static const char *file_of_path(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

/* STRAY_BARE or STRAY_CUDA; STRAY_NONE of one that has our library all the same, has ended, or cannot be read. */
static enum stray_kind look_at_libraries(const char *proc, pid_t pid, const char *injection)
{
	FILE *file = open_of(proc, pid, "maps");
	enum stray_kind kind = STRAY_NONE;
	bool ours = false, known;
	char *line = NULL;
	size_t room = 0;

	while (file && getline(&line, &room, file) > 0) {
		line[strcspn(line, "\n")] = '\0';
		kind = kind == STRAY_CUDA || is_of_cuda(file_of_path(line)) ? STRAY_CUDA : STRAY_BARE;
		ours = ours || strcmp(file_of_path(line), file_of_path(injection)) == 0;
	}
	known = file && feof(file);
	free(line);
	if (file)
		fclose(file);
	return ours || !known ? STRAY_NONE : kind;
}

static enum stray_kind look_at_process(const char *proc, pid_t pid, const char *injection)
{
	enum told_by told;
	FILE *file;

	if (!has_command(proc, pid))
		return STRAY_NONE;
	file = open_of(proc, pid, "environ");
	if (!file)
		return (errno == EACCES || errno == EPERM) && is_other_users(proc, pid) ? STRAY_HIDDEN : STRAY_NONE;
	told = read_environment(file, injection);
	fclose(file);
	if (told == TELLS_NOTHING || (told == TELLS_LIBRARY && root_has(proc, pid, injection)) ||
		!has_command(proc, pid) || !runs_program(proc, pid))
		return STRAY_NONE;
	return look_at_libraries(proc, pid, injection);
}

/* A process may execute another program while it is looked at: then its environment is gone, and the libraries are
 * those of the other program. On a busy machine that may happen again. So what is said against it must be seen so
 * often. */
enum { LOOKS = 5 };

static enum stray_kind look_often(const char *proc, pid_t pid, const char *injection)
{
	enum stray_kind least = look_at_process(proc, pid, injection);

	for (int i = 1; i < LOOKS && least != STRAY_NONE; i++) {
		enum stray_kind kind = look_at_process(proc, pid, injection);

		least = kind < least ? kind : least;
	}
	return least;
}

struct stray stray_look(const char *proc, pid_t pid, const char *injection)
{
	struct stray stray = {look_often(proc, pid, injection), pid, ""};
	FILE *file = stray.kind == STRAY_NONE ? NULL : open_of(proc, pid, "comm");

	if (file && fgets(stray.name, sizeof(stray.name), file))
		stray.name[strcspn(stray.name, "\n")] = '\0';
	if (file)
		fclose(file);
	return stray;
}

/* ---- all of them, from time to time ---- */

/* Between two looks (ns): a part of the time that has passed, so that short programs are seen, and a multiple of what a
 * look takes, so that it is the program that has the processor: it may have one alone. CUDA's driver takes longer to
 * start than the shortest of these. */
static const int64_t soonest_ns = 10000000, latest_ns = 500000000;
enum { PART_OF_TIME = 16, TIMES_OF_LOOK = 100 };

/* To find processes is more work than to look at them: for so long the first one alone is looked at (ns). */
static const int64_t first_alone_ns = 4000000;

struct strays {
	const char *injection;
	const struct orphans *orphans;
	struct ticker *ticker;
	int64_t begun;
	pid_t first, *list; /* the processes that were found last; NULL before. Owned */
	size_t n;
	int64_t again; /* to be found anew from then on (CLOCK_MONOTONIC) */
	struct stray most;
};

/* When to do again what took from `from` until now. */
static int64_t time_of_next(const struct strays *strays, int64_t from)
{
	int64_t now = clock_monotonic(), pause = (now - strays->begun) / PART_OF_TIME;

	pause = pause < soonest_ns ? soonest_ns : pause > latest_ns ? latest_ns : pause;
	return now + (pause > TIMES_OF_LOOK * (now - from) ? pause : TIMES_OF_LOOK * (now - from));
}

static void strays_find(struct strays *strays)
{
	int64_t now = clock_monotonic();
	pid_t *list;
	size_t n;

	if (now < strays->again)
		return;
	list = orphans_list(strays->orphans, &n);
	if (list) {
		free(strays->list);
		strays->list = list;
		strays->n = n;
	}
	strays->again = time_of_next(strays, now);
}

static void strays_look_at(struct strays *strays, pid_t pid)
{
	struct stray stray = stray_look("/proc", pid, strays->injection);

	if (stray.kind > strays->most.kind)
		strays->most = stray;
}

static int64_t strays_look(void *user)
{
	struct strays *strays = user;
	int64_t from;

	strays_find(strays);
	from = clock_monotonic();
	if (!strays->list)
		strays_look_at(strays, strays->first);
	for (size_t i = 0; strays->list && i < strays->n; i++)
		strays_look_at(strays, strays->list[i]);
	return time_of_next(strays, from);
}

static void strays_free(struct strays *strays)
{
	free(strays->list);
	free(strays);
}

struct strays *strays_watch(const char *injection, pid_t first, const struct orphans *orphans)
{
	struct strays *strays = calloc(1, sizeof(*strays));

	if (!strays)
		return NULL;
	strays->injection = injection;
	strays->orphans = orphans;
	strays->begun = clock_monotonic();
	strays->again = strays->begun + first_alone_ns;
	strays->first = first;
	strays->ticker = ticker_start(strays_look, strays);
	if (strays->ticker)
		return strays;
	strays_free(strays);
	return NULL;
}

struct stray strays_end(struct strays *strays)
{
	struct stray most = {0};

	if (!strays)
		return most;
	ticker_end(strays->ticker);
	most = strays->most;
	strays_free(strays);
	return most;
}
