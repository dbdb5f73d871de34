/* program-apart.c: see program-apart.h. */
#include "trace/program-apart.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "util/clock.h"
#include "util/file/file.h"

static const int64_t SECOND_NS = 1000000000;

/* How long a process has after SIGTERM, how long what the program left may take to end by itself, how long a killed
 * process may take (it may have much of a GPU to give back), how long one may be stopped, and how often is looked. */
enum { ASKED_S = 2, LEFT_S = 1, KILLED_S = 10, STOPPED_S = 2, TICK_NS = 20000000, LOOK_NS = 200000000 };

/* ---- begin ---- */

static int open_stream(struct apart *apart, int number, const char *path, struct error *err)
{
	int flags = O_CLOEXEC | O_NOCTTY | (number == STDIN_FILENO ? O_RDONLY : O_WRONLY | O_CREAT | O_TRUNC);

	apart->streams[number] = open(path, flags, 0666);
	return apart->streams[number] >= 0 ? 0 : file_write_error(err, path, errno);
}

/* Our own stream where there is no path. One that we do not have leads nowhere. */
static int open_or_share(struct apart *apart, int number, const char *path, struct error *err)
{
	if (path)
		return open_stream(apart, number, path, err);
	apart->streams[number] = fcntl(number, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
	return apart->streams[number] >= 0 ? 0 : open_stream(apart, number, "/dev/null", err);
}

/* Both streams in one file must not write over each other. */
static int open_streams(struct apart *apart, struct error *err)
{
	const struct program_apart *how = apart->how;

	if (open_stream(apart, STDIN_FILENO, "/dev/null", err) < 0 ||
		open_or_share(apart, STDOUT_FILENO, how->output, err) < 0)
		return -1;
	if (!how->output || !how->errors || !file_same(how->output, how->errors))
		return open_or_share(apart, STDERR_FILENO, how->errors, err);
	apart->streams[STDERR_FILENO] = fcntl(apart->streams[STDOUT_FILENO], F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
	return apart->streams[STDERR_FILENO] >= 0 ? 0 : file_write_error(err, how->errors, errno);
}

int apart_begin(struct apart *apart, const struct program_apart *how, struct error *err)
{
	*apart = (struct apart){.how = how, .streams = {-1, -1, -1}, .self = getpid(), .looked = clock_monotonic()};
	orphans_adopt(&apart->orphans);
	return open_streams(apart, err);
}

void apart_end(struct apart *apart)
{
	orphans_let(&apart->orphans);
	for (int i = 0; i < 3; i++)
		if (apart->streams[i] >= 0)
			close(apart->streams[i]);
	if (apart->stopped_by != 0)
		kill(apart->self, apart->stopped_by);
}

/* A limit that is lower already stays. */
static int limit_files(uint64_t most)
{
	struct rlimit limit;

	if (most == 0)
		return 0;
	if (getrlimit(RLIMIT_FSIZE, &limit) != 0)
		return -1;
	limit.rlim_cur = limit.rlim_cur < most ? limit.rlim_cur : most;
	limit.rlim_max = limit.rlim_max < most ? limit.rlim_max : most;
	return setrlimit(RLIMIT_FSIZE, &limit);
}

/* In a group of its own, but our session, what touches the terminal would be stopped for ever (SIGTTIN, SIGTTOU):
 * nobody can put it into the foreground. In a session of its own it finds no terminal. */
int apart_become(const struct apart *apart)
{
	if (prctl(PR_SET_PDEATHSIG, (long)SIGKILL) != 0 || setsid() < 0 || limit_files(apart->how->file_most) != 0)
		return errno;
	if (getppid() != apart->self)
		_exit(127);
	for (int i = 0; i < 3; i++)
		if (dup2(apart->streams[i], i) < 0)
			return errno;
	return 0;
}

/* ---- wait ---- */

/* Whether the signal asks us to stop. One that is ignored, as under nohup, does not. */
static bool stops_us(int signal)
{
	struct sigaction action;

	return (signal == SIGINT || signal == SIGTERM || signal == SIGHUP || signal == SIGQUIT) &&
	       sigaction(signal, NULL, &action) == 0 && action.sa_handler != SIG_IGN;
}

/* Signals that came after all was over were for us. */
static void hear_held(struct apart *apart, const sigset_t *set)
{
	const struct timespec now = {0};
	int signal;

	while ((signal = sigtimedwait(set, NULL, &now)) > 0)
		if (stops_us(signal))
			apart->stopped_by = signal;
}

/* The time for which we were awake, since we may be stopped ourselves (SIGSTOP): nobody sleeps longer than LOOK_NS, so
 * no more than that counts at a time. */
static int64_t apart_now(struct apart *apart)
{
	int64_t now = clock_monotonic(), passed = now - apart->looked;

	apart->looked = now;
	apart->awake += passed < LOOK_NS ? passed : LOOK_NS;
	return apart->awake;
}

/* Returns at `until` (of apart_now()), after LOOK_NS, or when a signal came. True if that one asks us to stop. */
static bool apart_sleep(struct apart *apart, const sigset_t *set, int64_t until)
{
	int64_t wanted = until - apart_now(apart), left = wanted < LOOK_NS ? wanted : LOOK_NS;
	const struct timespec time = {left / SECOND_NS, left % SECOND_NS};
	int signal = left > 0 ? sigtimedwait(set, NULL, &time) : 0;

	if (signal <= 0 || !stops_us(signal))
		return false;
	apart->stopped_by = signal;
	return true;
}

/* What is to come when the time is over: from RUNS to ASKED by SIGTERM, from there to KILLED. */
enum phase { RUNS, ASKED, KILLED };

/* To the program and to all that are still in its group. One that is stopped must go on to hear of it. */
static int64_t apart_go_on(struct apart *apart, enum phase *phase, pid_t pid)
{
	if (*phase == RUNS) {
		kill(-pid, SIGTERM);
		kill(-pid, SIGCONT);
		*phase = ASKED;
		return apart_now(apart) + ASKED_S * SECOND_NS;
	}
	kill(-pid, SIGKILL);
	*phase = KILLED;
	return INT64_MAX;
}

/* As apart_sleep(); while the program runs, looks whether that is stuck. */
static bool apart_sleep_and_look(
	struct apart *apart, const sigset_t *set, int64_t until, enum phase phase, struct program_result *result)
{
	const struct program_apart *how = apart->how;

	if (apart_sleep(apart, set, until))
		return true;
	if (how->is_stuck && phase == RUNS)
		result->stuck = how->is_stuck(how->user);
	return false;
}

/* A program that is stopped, as by itself. */
struct stopped {
	int by;        /* the signal; 0: it runs */
	int64_t until; /* it may be so until then (of apart_now()): another process may let it go on */
};

/* As waitpid() without waiting; notes whether the program is stopped. */
static pid_t apart_collect(struct apart *apart, pid_t pid, int *status, struct stopped *stopped)
{
	pid_t got;

	while ((got = waitpid(pid, status, WNOHANG | WUNTRACED | WCONTINUED)) == pid) {
		if (WIFSTOPPED(*status))
			*stopped = (struct stopped){WSTOPSIG(*status), apart_now(apart) + STOPPED_S * SECOND_NS};
		else if (WIFCONTINUED(*status))
			*stopped = (struct stopped){0};
		else
			break;
	}
	return got;
}

/* Also while we were stopped. */
static bool is_over(pid_t pid)
{
	siginfo_t info = {0};

	return waitid(P_PID, (id_t)pid, &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_pid == pid;
}

int apart_wait(struct apart *apart, pid_t pid, const sigset_t *set, struct program_result *result)
{
	int64_t timeout = apart->how->timeout_ns, now = apart_now(apart);
	int64_t until = timeout > 0 && timeout < INT64_MAX - now ? now + timeout : INT64_MAX;
	struct stopped stopped = {0};
	enum phase phase = RUNS;
	pid_t got;

	while ((got = apart_collect(apart, pid, &result->status, &stopped)) == 0) {
		bool is_stopped = phase == RUNS && stopped.by != 0 && stopped.until < until;
		bool stop = apart_sleep_and_look(apart, set, is_stopped ? stopped.until : until, phase, result);
		bool late;

		now = apart_now(apart);
		if (phase == RUNS && now >= until && is_over(pid))
			continue;
		if (is_stopped && now >= stopped.until)
			result->stopped = stopped.by;
		late = now >= until || (phase == RUNS && (result->stuck || result->stopped != 0));
		if (late && phase == RUNS)
			result->timed_out = true;
		if (stop || late)
			until = apart_go_on(apart, &phase, pid);
	}
	return got == pid ? 0 : errno;
}

/* ---- what was left behind ---- */

/* Waits until there are no orphans, or the time is over. `signal` is sent to those that come later, too. *alive: how
 * many lived at the last look. Whether it saw any. */
static bool await_orphans(struct apart *apart, const sigset_t *set, int seconds, int signal, int *alive)
{
	int64_t end = apart_now(apart) + seconds * SECOND_NS, now;
	int seen;

	for (;;) {
		*alive = orphans_signal(&apart->orphans, signal, &seen);
		now = apart_now(apart);
		if (seen == 0 || now >= end || apart_sleep(apart, set, now + TICK_NS < end ? now + TICK_NS : end))
			return seen > 0;
	}
}

void apart_clear(struct apart *apart, const sigset_t *set, struct program_result *result)
{
	int alive;

	/* A group that was asked to end does so one by one: also those are waited for. */
	if (await_orphans(apart, set, LEFT_S, 0, &result->left) && await_orphans(apart, set, ASKED_S, SIGTERM, &alive))
		(void)await_orphans(apart, set, KILLED_S, SIGKILL, &alive);
	hear_held(apart, set);
}
