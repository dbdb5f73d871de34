/* program-run.c: runs a program as if it had been started without us: its streams, its signals, its exit status. */
#include "record/program.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* Signals that somebody may send to us and means for the program. A terminal sends its own (Ctrl-C, Ctrl-\) to both. */
static const int forwarded[] = {SIGINT, SIGQUIT, SIGTERM, SIGHUP, SIGUSR1, SIGUSR2, SIGALRM, SIGWINCH};

enum { NFORWARDED = sizeof forwarded / sizeof forwarded[0] };

static void signals_of_interest(sigset_t *set)
{
	sigemptyset(set);
	sigaddset(set, SIGCHLD);
	for (int i = 0; i < NFORWARDED; i++)
		sigaddset(set, forwarded[i]);
}

/* In the child: tells through `report`, which closes at exec, why exec did not work. */
static _Noreturn void become(const struct program_start *start, const sigset_t *mask, int report)
{
	int failed = 0;

	for (int i = 0; start->environment[i][0] != NULL && failed == 0; i++)
		failed = setenv(start->environment[i][0], start->environment[i][1], 1) == 0 ? 0 : errno;
	for (int fd = 0; fd < 3; fd++)
		if (start->closed[fd])
			close(fd);
	if (start->ignores_children)
		signal(SIGCHLD, SIG_IGN);
	sigprocmask(SIG_SETMASK, mask, NULL);
	if (failed == 0) {
		execvp(start->argv[0], start->argv);
		failed = errno;
	}
	(void)!write(report, &failed, sizeof failed);
	_exit(127);
}

/* Returns when the child has exec'ed or failed to; its errno, or 0. */
static int listen_for_start(int report)
{
	int failed = 0;
	ssize_t n;

	do {
		n = read(report, &failed, sizeof failed);
	} while (n < 0 && errno == EINTR);
	return n == (ssize_t)sizeof failed ? failed : 0;
}

/* A terminal sends to the whole group of processes, and so to the program as well. An alarm that was set before we were
 * started comes from the kernel too, but to us alone. */
static bool comes_from_terminal(const siginfo_t *info)
{
	return info->si_code == SI_KERNEL && info->si_signo != SIGALRM;
}

static void wait_for_end(pid_t pid, const sigset_t *set, int *status)
{
	siginfo_t info;

	for (;;) {
		int signal = sigwaitinfo(set, &info);

		if (signal == SIGCHLD || (signal < 0 && errno != EINTR)) {
			if (waitpid(pid, status, signal < 0 ? 0 : WNOHANG) == pid)
				return;
		} else if (signal > 0 && !comes_from_terminal(&info)) {
			kill(pid, signal);
		}
	}
}

/* Both ends lie above the standard streams, which the child may close. */
static int make_report(int report[2])
{
	int low[2], failed = 0;

	report[0] = report[1] = -1;
	if (pipe2(low, O_CLOEXEC) != 0)
		return errno;
	for (int i = 0; i < 2; i++) {
		report[i] = fcntl(low[i], F_DUPFD_CLOEXEC, 3);
		if (report[i] < 0)
			failed = errno;
		close(low[i]);
	}
	return failed;
}

static void close_report(const int report[2])
{
	for (int i = 0; i < 2; i++)
		if (report[i] >= 0)
			close(report[i]);
}

/* 0; the child's errno if it could not exec; -1 with `err` without a child. */
static int spawn(const struct program_start *start, const sigset_t *mask, pid_t *pid, struct error *err)
{
	int report[2], failed = make_report(report);

	if (failed != 0) {
		close_report(report);
		return error_set(err, "cannot start %s: %s", start->argv[0], strerror(failed));
	}
	*pid = fork();
	if (*pid == 0)
		become(start, mask, report[1]);
	failed = errno;
	close(report[1]);
	if (*pid > 0)
		failed = listen_for_start(report[0]);
	close(report[0]);
	if (*pid < 0)
		return error_set(err, "cannot start %s: %s", start->argv[0], strerror(failed));
	return failed;
}

void program_note_start(struct program_start *start)
{
	struct sigaction children;

	for (int fd = 0; fd < 3; fd++)
		start->closed[fd] = fcntl(fd, F_GETFD) < 0 && errno == EBADF;
	start->ignores_children = sigaction(SIGCHLD, NULL, &children) == 0 && children.sa_handler == SIG_IGN;
}

int program_run(const struct program_start *start, struct program_result *result, struct error *err)
{
	sigset_t set, before;
	pid_t pid = -1;
	int failed;

	/* Ours would be gone before we ask for it. */
	signal(SIGCHLD, SIG_DFL);
	signals_of_interest(&set);
	sigprocmask(SIG_BLOCK, &set, &before);
	failed = spawn(start, &before, &pid, err);
	if (failed == 0) {
		wait_for_end(pid, &set, &result->status);
	} else if (failed > 0) {
		result->not_started = failed;
		waitpid(pid, NULL, 0);
	}
	sigprocmask(SIG_SETMASK, &before, NULL);
	return failed < 0 ? -1 : 0;
}
