/* program-run.c: runs a program. Its streams, signals and exit status are as if it had been started without us. */
#include "trace/program.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "trace/program-apart.h"
#include "util/clock.h"
#include "util/file/file.h"

/* Signals that somebody may send to us but means for the program. A terminal sends its own (Ctrl-C, Ctrl-\) to both. */
static const int forwarded[] = {SIGINT, SIGQUIT, SIGTERM, SIGHUP, SIGUSR1, SIGUSR2, SIGALRM, SIGWINCH};

enum { NFORWARDED = sizeof(forwarded) / sizeof(forwarded[0]) };

static void signals_of_interest(sigset_t *set)
{
	sigemptyset(set);
	sigaddset(set, SIGCHLD);
	for (int i = 0; i < NFORWARDED; i++)
		sigaddset(set, forwarded[i]);
}

/* In the child: tells through `report` why exec did not work. `report` closes at exec. */
static _Noreturn void become(const struct program_start *start, const struct apart *apart, int report)
{
	int failed = apart ? apart_become(apart) : 0;

	for (char *const *add = start->added; add && *add && failed == 0; add++)
		failed = putenv(*add) == 0 ? 0 : errno;
	for (int i = 0; start->environment[i][0] && failed == 0; i++)
		failed = setenv(start->environment[i][0], start->environment[i][1], 1) == 0 ? 0 : errno;
	if (start->ignores_children)
		signal(SIGCHLD, SIG_IGN);
	sigprocmask(SIG_SETMASK, &start->mask, NULL);
	if (failed == 0) {
		execvp(start->argv[0], start->argv);
		failed = errno;
	}
	(void)!write(report, &failed, sizeof(failed));
	_exit(127);
}

/* Returns when exec has worked in the child (0) or failed there (its errno). */
static int listen_for_start(int report)
{
	int failed = 0;
	ssize_t n;

	do {
		n = read(report, &failed, sizeof(failed));
	} while (n < 0 && errno == EINTR);
	return n == (ssize_t)sizeof(failed) ? failed : 0;
}

/* A terminal sends its signals to the whole group of processes, so the program gets them as well. An alarm that was set
 * before we were started comes from the kernel too, but only to us. So does the hang-up of a terminal whose session we
 * lead. */
static bool comes_from_terminal(const siginfo_t *info)
{
	bool is_ours = info->si_signo == SIGALRM || (info->si_signo == SIGHUP && getsid(0) == getpid());

	return info->si_code == SI_KERNEL && !is_ours;
}

/* Signals that came while the program ran were meant for it. They are no reason for us to stop. */
static void drop_held(const sigset_t *set)
{
	const struct timespec now = {0};

	while (sigtimedwait(set, NULL, &now) > 0)
		;
}

/* Like waitpid(), but a signal does not interrupt it: the end of the program is told only once. */
static pid_t program_run_collect(pid_t pid, int *status, int how)
{
	pid_t got;

	do {
		got = waitpid(pid, status, how);
	} while (got < 0 && errno == EINTR);
	return got;
}

/* Orphans that have ended are let go meanwhile. Returns 0, or an errno if nobody tells the program's end. */
static int program_run_wait_for_end(pid_t pid, const struct orphans *orphans, const sigset_t *set, int *status)
{
	siginfo_t info;
	int seen;

	for (;;) {
		int signal = sigwaitinfo(set, &info);

		if (signal == SIGCHLD || (signal < 0 && errno != EINTR)) {
			pid_t got = program_run_collect(pid, status, signal < 0 ? 0 : WNOHANG);

			if (got != 0)
				return got == pid ? 0 : errno;
			if (orphans)
				(void)orphans_signal(orphans, 0, &seen);
		} else if (signal > 0 && !comes_from_terminal(&info)) {
			kill(pid, signal);
		}
	}
}

/* 0; the child's errno if it could not exec; -1 with `err` without a child. */
static int program_run_spawn(
	const struct program_start *start, const struct apart *apart, pid_t *pid, struct error *err)
{
	int report[2], failed;

	if (pipe2(report, O_CLOEXEC) != 0)
		return error_set(err, "cannot start %s: %s", start->argv[0], file_open_error(errno));
	*pid = fork();
	if (*pid == 0)
		become(start, apart, report[1]);
	failed = errno;
	close(report[1]);
	if (*pid > 0)
		failed = listen_for_start(report[0]);
	close(report[0]);
	if (*pid < 0)
		return error_set(err, "cannot start %s: %s", start->argv[0], file_open_error(failed));
	return failed;
}

void program_hold_signals(struct program_start *start)
{
	sigset_t set;

	signals_of_interest(&set);
	sigprocmask(SIG_BLOCK, &set, &start->mask);
}

void program_let_signals(const struct program_start *start)
{
	sigprocmask(SIG_SETMASK, &start->mask, NULL);
}

/* Whether a signal waits that asks us to stop. It came before there was a program, so it is ours. An ignored signal
 * also waits as long as it is blocked. */
static bool is_called_off(void)
{
	static const int stops[] = {SIGINT, SIGTERM, SIGHUP};
	struct sigaction action;
	sigset_t waiting;
	bool stop = false;

	if (sigpending(&waiting) != 0)
		return false;
	for (size_t i = 0; i < sizeof(stops) / sizeof(stops[0]); i++)
		stop = stop || (sigismember(&waiting, stops[i]) == 1 && sigaction(stops[i], NULL, &action) == 0 &&
				       action.sa_handler != SIG_IGN);
	return stop;
}

/* Waits for the end of a program that was started at `begin` (CLOCK_MONOTONIC). 0, or an errno if nobody tells it. */
static int program_run_to_end(
	const struct program_start *start, struct apart *apart, pid_t pid, int64_t begin, struct program_result *result)
{
	sigset_t set;
	int unheard;

	signals_of_interest(&set);
	unheard = apart ? apart_wait(apart, pid, &set, result)
			: program_run_wait_for_end(pid, start->orphans, &set, &result->status);
	result->end = result->start + (clock_monotonic() - begin);
	if (apart)
		apart_clear(apart, &set, result);
	else
		drop_held(&set);
	return unheard;
}

static int program_run_held(
	const struct program_start *start, struct apart *apart, struct program_result *result, struct error *err)
{
	int64_t begin = clock_monotonic();
	pid_t pid = -1;
	int failed, unheard = 0;

	result->start = clock_realtime();
	failed = program_run_spawn(start, apart, &pid, err);
	if (failed == 0) {
		if (start->started)
			start->started(start->user, pid);
		unheard = program_run_to_end(start, apart, pid, begin, result);
	} else if (failed > 0) {
		result->not_started = failed;
		waitpid(pid, NULL, 0);
	}
	if (unheard != 0)
		return error_set(err, "cannot wait for %s: %s", start->argv[0], strerror(unheard));
	return failed < 0 ? -1 : 0;
}

static int program_run_apart(const struct program_start *start, struct program_result *result, struct error *err)
{
	struct apart apart;
	int code = apart_begin(&apart, start->apart, err);

	if (code == 0)
		code = program_run_held(start, &apart, result, err);
	if (code == 0 && apart.stopped_by != 0)
		code = error_set(err, "interrupted");
	apart_end(&apart);
	return code;
}

int program_run(const struct program_start *start, struct program_result *result, struct error *err)
{
	if (is_called_off())
		return error_set(err, "interrupted before %s was started", start->argv[0]);
	return start->apart ? program_run_apart(start, result, err) : program_run_held(start, NULL, result, err);
}

int plain_program(const struct program_options *options, struct program_result *result, struct error *err)
{
	static const char *const nothing[][2] = {{NULL, NULL}};
	struct program_start how = {.argv = options->argv,
		.added = options->environment,
		.environment = nothing,
		.ignores_children = options->ignores_children,
		.apart = options->apart};
	int code;

	*result = (struct program_result){.status = -1};
	program_hold_signals(&how);
	code = program_run(&how, result, err);
	program_let_signals(&how);
	return code;
}
