/* outdir-commit.c: moves what was made into its place, all of it or nothing. See outdir.h. */
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
#include "util/file.h"

/* ---- what is in the way ---- */

static bool outdir_commit_is_among(const char *name, const char *const *names)
{
	for (; *names; names++)
		if (strcmp(*names, name) == 0)
			return true;
	return false;
}

/* The folder of "plots/a.svg" has to be one, and here: not a link to one elsewhere. */
static int check_folder_of(int fd, const char *dir, const char *name, struct error *err)
{
	int length = (int)strcspn(name, "/");
	char folder[NAME_MAX + 1];
	struct stat st;

	if (name[length] == '\0')
		return 0;
	snprintf(folder, sizeof(folder), "%.*s", length, name);
	if (fstatat(fd, folder, &st, AT_SYMLINK_NOFOLLOW) != 0 || S_ISDIR(st.st_mode))
		return 0;
	return error_set(err, "%s/%s is no folder: remove it, or choose another folder with -o", dir, folder);
}

static int check_place(int fd, const char *dir, const char *name, const char *const *older, struct error *err)
{
	struct stat st;

	if (check_folder_of(fd, dir, name, err) < 0)
		return -1;
	if (fstatat(fd, name, &st, AT_SYMLINK_NOFOLLOW) != 0)
		return 0;
	if (S_ISDIR(st.st_mode))
		return error_set(err, "%s/%s is a folder: remove it, or choose another folder with -o", dir, name);
	if (outdir_commit_is_among(name, older))
		return 0;
	return error_set(
		err, "%s/%s is there and not from dbprof: move it away, or choose another folder with -o", dir, name);
}

static int outdir_commit_check_places(
	int fd, const char *dir, const char *const *names, const char *const *older, struct error *err)
{
	for (; *names; names++)
		if (check_place(fd, dir, *names, older, err) < 0)
			return -1;
	return 0;
}

int outdir_check(const char *dir, const char *const *names, const char *const *older, struct error *err)
{
	int fd = open(dir, O_PATH | O_DIRECTORY | O_CLOEXEC), rc;

	if (fd < 0)
		return 0; /* nothing is in it */
	rc = outdir_commit_check_places(fd, dir, names, older, err);
	close(fd);
	return rc;
}

static int check_made(const struct outdir *out, const char *const *names, struct error *err)
{
	struct stat st;

	for (; *names; names++)
		if (fstatat(out->temp.fd, *names, &st, AT_SYMLINK_NOFOLLOW) != 0)
			return error_set(err, "cannot move %s into place: %s", *names, strerror(errno));
	return 0;
}

/* ---- moving into place ---- */

/* What the older report has and the new one has not goes; then the new files come, in their order. */
static int list_moves(struct moves *moves, const char *const *names, const char *const *older)
{
	int error = 0;

	for (; *older && error == 0; older++)
		if (!outdir_commit_is_among(*older, names))
			error = moves_add(moves, '-', *older);
	for (; *names && error == 0; names++)
		error = moves_add(moves, '+', *names);
	return error;
}

static int undo(struct outdir *out, const struct moves *moves, struct error *err)
{
	int error = moves_undo(moves);

	if (error == 0)
		return -1;
	out->keep = true;
	return error_prefix(
		err, "the older report could not be put back from %s (%s)", out->temp.path, strerror(error));
}

static int move_now(struct outdir *out, const struct moves *moves, struct error *err)
{
	const char *name = "";
	int error = moves_run(moves, &name);

	if (error == 0)
		return 0;
	error_set(err, "cannot replace %s/%s: %s", out->dir, name, strerror(error));
	return undo(out, moves, err);
}

/* ---- out of reach ---- */

/* What the process that moves leaves in memory that both can see. */
struct outcome {
	atomic_bool over;
	int rc;
	bool keep;
	struct error err;
};

static _Noreturn void move_and_end(struct outdir *out, const struct moves *moves, struct outcome *outcome)
{
	setsid();
	outcome->rc = move_now(out, moves, &outcome->err);
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

/* Where the end of children is ignored, waiting fails, and only that there is no such process any more tells it. */
static void outdir_commit_wait_for_end(pid_t pid, const struct outcome *outcome)
{
	const struct timespec tick = {.tv_nsec = 1000000};

	while (waitpid(pid, NULL, 0) != pid && !atomic_load(&outcome->over) && kill(pid, 0) == 0)
		if (errno != EINTR)
			nanosleep(&tick, NULL);
}

/* What the other process said; of one that was killed first, what is to be done. */
static int take_outcome(struct outdir *out, const struct moves *moves, const struct outcome *outcome, struct error *err)
{
	if (atomic_load(&outcome->over)) {
		out->keep = outcome->keep;
		if (outcome->rc != 0)
			error_set(err, "%s", outcome->err.text);
		return outcome->rc;
	}
	if (!moves_are_open(moves))
		return 0; /* they had come to their end */
	error_set(err, "the report was not moved into %s: the process that did it was killed", out->dir);
	return undo(out, moves, err);
}

/*
 * A report is several names, and no call gives all of them at once: who kills this process between two of them would
 * leave half of a new report with half of an old one. So another process moves them, out of the reach of what is sent
 * to this one or its group; it also holds the locks as long as it is at work. Should both be killed, the next dbprof
 * puts the older report back: see moves_recover().
 */
static int move_out_of_reach(struct outdir *out, const struct moves *moves, struct error *err)
{
	struct outcome *outcome;
	pid_t pid;
	int rc;

	/* cppcheck-suppress invalidFunctionArg ; no file, with MAP_ANONYMOUS */
	outcome = mmap(NULL, sizeof(*outcome), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (outcome == MAP_FAILED)
		return move_now(out, moves, err);
	pid = fork_deaf();
	if (pid == 0)
		move_and_end(out, moves, outcome);
	if (pid > 0)
		outdir_commit_wait_for_end(pid, outcome);
	/* Where no process can be made, moving is a matter of microseconds all the same. */
	rc = pid < 0 ? move_now(out, moves, err) : take_outcome(out, moves, outcome, err);
	munmap(outcome, sizeof(*outcome));
	return rc;
}

/* From when the folder has its name, others know that files are being moved. */
static int outdir_commit_begin(struct outdir *out, struct moves *moves, struct error *err)
{
	int error = moves_begin(moves);

	if (error != 0)
		return error_set(
			err, "cannot write to %s: %s: %s", out->dir, strerror(error), file_write_advice(error));
	error = temporary_move(&out->temp, out->fd, OUTDIR_MOVING);
	if (error == 0)
		return 0;
	return outdir_blocked(out, error, err);
}

static int move_all(struct outdir *out, const char *const *names, const char *const *older, struct error *err)
{
	struct moves moves = {.dir = out->fd, .temp = out->temp.fd, .older = -1};
	int rc = list_moves(&moves, names, older) == 0 ? outdir_commit_begin(out, &moves, err)
						       : error_set(err, "out of memory");

	if (rc == 0)
		rc = move_out_of_reach(out, &moves, err);
	moves_free(&moves);
	return rc;
}

int outdir_commit(struct outdir *out, const char *const *names, const char *const *older, struct error *err)
{
	int rc = check_made(out, names, err);

	if (rc == 0)
		rc = outdir_commit_check_places(out->fd, out->dir, names, older, err);
	if (rc == 0)
		rc = move_all(out, names, older, err);
	outdir_abandon(out);
	return rc;
}
