/* outdir-commit.c: moves what was made into its place, all of it or nothing. See outdir.h. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "report/outdir-private.h"

/* ---- moving into place ---- */

static int move(const char *from, const char *to)
{
	return rename(from, to) ? errno : 0;
}

/* Swaps two names where both are there, else moves `from` to `to`. *swapped tells which. 0 or an errno value. */
static int swap_in(const char *from, const char *to, bool *swapped)
{
	char aside[PATH_MAX];
	int error;

	*swapped = renameat2(AT_FDCWD, from, AT_FDCWD, to, RENAME_EXCHANGE) == 0;
	if (*swapped)
		return 0;
	if (errno == ENOENT)
		return move(from, to);
	if (errno != EINVAL && errno != ENOSYS)
		return errno;
	/* A file system that cannot swap: in three steps, through a third name beside `from`. */
	if (snprintf(aside, sizeof aside, "%s~", from) >= (int)sizeof aside)
		return ENAMETOOLONG;
	if (rename(to, aside))
		return errno == ENOENT ? move(from, to) : errno;
	error = move(from, to);
	if (error == 0 && rename(aside, from)) {
		error = errno;
		rename(to, from); /* if this fails as well, the next does too, and nothing can be done */
	}
	if (error)
		rename(aside, to);
	*swapped = error == 0;
	return error;
}

static const char *suffix_of(const char *name)
{
	const char *dot = strrchr(name, '.');

	return dot != NULL ? dot : "";
}

static bool has_suffix(const char *folder, const char *suffix)
{
	DIR *dir = opendir(folder);
	const struct dirent *entry;
	bool found = false;

	if (dir == NULL)
		return false;
	while (!found && (entry = readdir(dir)) != NULL)
		found = entry->d_name[0] != '.' && strcmp(suffix_of(entry->d_name), suffix) == 0;
	closedir(dir);
	return found;
}

/* The new folder's files replace an older report's: a folder with files of another kind is somebody's own. */
static int check_folder(const char *fresh, const char *old, struct error *err)
{
	DIR *dir = opendir(old);
	const struct dirent *entry;
	int rc = 0;

	if (dir == NULL)
		return 0; /* not there, or no folder */
	while (rc == 0 && (entry = readdir(dir)) != NULL) {
		const char *name = entry->d_name, *suffix = suffix_of(name);

		if (strcmp(name, ".") == 0 || strcmp(name, "..") == 0 || strcmp(suffix, ".svg") == 0)
			continue;
		if (!has_suffix(fresh, suffix))
			rc = error_set(err, "%s holds %s, which is not from a report: choose another folder with -o",
				old, name);
	}
	closedir(dir);
	return rc;
}

static int check_all(const struct outdir *out, const char *const *names, int n, struct error *err)
{
	char from[PATH_MAX], to[PATH_MAX];
	struct stat st;

	for (int i = 0; i < n; i++) {
		if (outdir_join(from, out->temp.path, names[i], err) || outdir_join(to, out->dir, names[i], err))
			return -1;
		if (stat(from, &st))
			return error_set(err, "cannot move %s into place: %s", names[i], strerror(errno));
		if (S_ISDIR(st.st_mode) && check_folder(from, to, err))
			return -1;
		if (!S_ISDIR(st.st_mode) && stat(to, &st) == 0 && S_ISDIR(st.st_mode))
			return error_set(err, "%s is a folder: remove it, or choose another folder with -o", to);
	}
	return 0;
}

/* Undoes the moves of the first `n` names. */
static int roll_back(struct outdir *out, const char *const *names, const bool *swapped, int n, struct error *err)
{
	char from[PATH_MAX], to[PATH_MAX];

	while (n-- > 0) {
		bool ignored;
		int error;

		if (outdir_join(from, out->temp.path, names[n], err) || outdir_join(to, out->dir, names[n], err))
			return -1;
		error = swapped[n] ? swap_in(from, to, &ignored) : move(to, from);
		if (error) {
			out->keep = true;
			error_prefix(err, "%s could not be put back from %s (%s)", to, out->temp.path, strerror(error));
		}
	}
	return -1;
}

static int move_all(struct outdir *out, const char *const *names, bool *swapped, int n, struct error *err)
{
	char from[PATH_MAX], to[PATH_MAX];

	for (int i = 0; i < n; i++) {
		int error;

		if (outdir_join(from, out->temp.path, names[i], err) || outdir_join(to, out->dir, names[i], err))
			return -1;
		error = swap_in(from, to, &swapped[i]);
		if (error) {
			error_set(err, "cannot replace %s: %s", to, strerror(error));
			return roll_back(out, names, swapped, i, err);
		}
	}
	return 0;
}

/* ---- out of reach ---- */

/* What the process that moves leaves in memory that both can see. */
struct outcome {
	atomic_bool over;
	int rc;
	bool keep;
	struct error err;
};

static int move_now(struct outdir *out, const char *const *names, int n, struct error *err)
{
	bool *swapped = calloc((size_t)n + 1, sizeof *swapped);
	int rc = swapped == NULL ? error_set(err, "out of memory") : move_all(out, names, swapped, n, err);

	free(swapped);
	return rc;
}

static _Noreturn void move_and_end(struct outdir *out, const char *const *names, int n, struct outcome *outcome)
{
	setsid();
	outcome->rc = move_now(out, names, n, &outcome->err);
	outcome->keep = out->keep;
	atomic_store(&outcome->over, true);
	_exit(0);
}

/* Forks with all signals blocked, so that the child hears of none. */
static pid_t fork_deaf(void)
{
	sigset_t all, before;
	pid_t pid;

	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, &before);
	pid = fork();
	if (pid != 0)
		sigprocmask(SIG_SETMASK, &before, NULL);
	return pid;
}

enum { PATIENCE_MS = 5000 };

/* Where the end of children is ignored, waiting fails when the child has ended. */
static int wait_for_outcome(pid_t pid, struct outdir *out, const struct outcome *outcome, struct error *err)
{
	const struct timespec tick = {.tv_nsec = 1000000};
	int waited;

	do {
		waited = waitpid(pid, NULL, 0);
	} while (waited < 0 && errno == EINTR);
	/* Microseconds of work: one that is not over by then was killed. */
	for (int i = 0; i < PATIENCE_MS && waited < 0 && !atomic_load(&outcome->over); i++)
		nanosleep(&tick, NULL);
	out->keep = outcome->keep;
	if (outcome->rc != 0)
		error_set(err, "%s", outcome->err.text);
	return outcome->rc;
}

/*
 * A report is several names, and no call gives all of them at once: who kills this process between two of them would
 * leave half of a new report with half of an old one. So another process moves them, out of the reach of what is sent
 * to this one or its group; it also holds the lock on the temporary folder as long as it is at work.
 */
static int move_out_of_reach(struct outdir *out, const char *const *names, int n, struct error *err)
{
	struct outcome *outcome;
	pid_t pid;
	int rc;

	/* cppcheck-suppress invalidFunctionArg ; no file, with MAP_ANONYMOUS */
	outcome = mmap(NULL, sizeof *outcome, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (outcome == MAP_FAILED)
		return move_now(out, names, n, err);
	outcome->rc = -1;
	error_set(&outcome->err, "the report was not moved into %s: its process was killed", out->dir);
	pid = fork_deaf();
	if (pid == 0)
		move_and_end(out, names, n, outcome);
	/* Where no process can be made, moving is a matter of microseconds all the same. */
	rc = pid < 0 ? move_now(out, names, n, err) : wait_for_outcome(pid, out, outcome, err);
	munmap(outcome, sizeof *outcome);
	return rc;
}

int outdir_commit(struct outdir *out, const char *const *names, int n, struct error *err)
{
	int rc = check_all(out, names, n, err);

	if (rc == 0)
		rc = move_out_of_reach(out, names, n, err);
	outdir_abandon(out);
	return rc;
}
