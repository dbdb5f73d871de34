/* process.c: see process.h. */
#include "record/worker/process.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "util/alloc.h"
#include "util/clock.h"

enum { POLL_MS = 50, GRACE_MS = 2000, CANNOT_START = 127 };

/* What a child does: it becomes a program, or makes a call. */
struct task {
	const char *program; /* NULL: the call */
	char *const *argv;
	void (*call)(void *user);
	void *user;
};

/* In the child. Before exec only calls that are safe there are made. The write end of `alive` stays open in the
 * program, under a number that it knows. When it closes, the parent wakes; a child of the program may hold it open for
 * longer. */
static _Noreturn void process_child(const struct task *task, const int alive[2], pid_t parent)
{
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);

	if (prctl(PR_SET_PDEATHSIG, SIGKILL) == 0 && getppid() == parent && null >= 0 &&
		dup2(null, STDIN_FILENO) >= 0 && dup2(null, STDOUT_FILENO) >= 0) {
		if (task->program) {
			if (alive[1] == PROCESS_WORDS ? fcntl(alive[1], F_SETFD, 0) == 0
						      : dup2(alive[1], PROCESS_WORDS) >= 0)
				execv(task->program, task->argv);
		} else if (task->call) {
			out_of_memory_to(alive[1]);
			task->call(task->user);
			_exit(0);
		}
	}
	_exit(CANNOT_START);
}

/* Waits up to `ms` for words, and takes as many as there is room for. True when nobody is left who could write any. */
static bool process_listen_to(int alive, int ms, struct process_end *out)
{
	struct pollfd fd = {.fd = alive, .events = POLLIN};
	size_t used = strlen(out->words);
	char more[sizeof(out->words)];
	ssize_t n;

	if (poll(&fd, 1, ms) <= 0)
		return false;
	n = read(alive, more, sizeof(more) - 1);
	if (n <= 0)
		return n == 0 || errno != EINTR;
	more[n] = '\0';
	snprintf(out->words + used, sizeof(out->words) - used, "%s", more);
	return false;
}

/* Waits until the process has ended (true) or `ms` are over (false). An interrupted wait is over. The process stays a
 * zombie, for wait_for(). */
static bool process_ended(pid_t pid, int alive, int ms, struct process_end *out)
{
	siginfo_t info = {0};

	if (process_listen_to(alive, ms, out))
		return true;
	if (waitid(P_PID, (id_t)pid, &info, WEXITED | WNOHANG | WNOWAIT) != 0 || info.si_pid != pid)
		return false;
	(void)process_listen_to(alive, 0, out);
	return true;
}

static void end_process(pid_t pid, int alive, struct process_end *out)
{
	int64_t until = clock_monotonic() + (int64_t)GRACE_MS * 1000000;

	kill(pid, SIGTERM);
	while (clock_monotonic() < until)
		if (process_ended(pid, alive, POLL_MS, out))
			return;
	kill(pid, SIGKILL);
}

static int wait_for(pid_t pid, int *status, struct error *err)
{
	while (waitpid(pid, status, 0) < 0)
		if (errno != EINTR)
			return error_system(err, "cannot wait for the worker: %s", strerror(errno));
	return 0;
}

static void watch(pid_t pid, int alive, int timeout_ms, bool (*stop)(void *user), void *user, struct process_end *out)
{
	int64_t until = clock_monotonic() + (int64_t)timeout_ms * 1000000;

	while (!process_ended(pid, alive, POLL_MS, out)) {
		out->stopped = stop(user);
		out->timed_out = clock_monotonic() >= until;
		if (out->stopped || out->timed_out) {
			end_process(pid, alive, out);
			return;
		}
	}
}

/* Starts the child, waits and ends it. */
static int process_run_task(const struct task *task, int timeout_ms, bool (*stop)(void *user), void *user,
	struct process_end *out, struct error *err)
{
	int alive[2], result;
	pid_t parent = getpid(), pid;

	*out = (struct process_end){0};
	if (pipe2(alive, O_CLOEXEC) < 0)
		return error_system(err, "cannot make a pipe: %s", strerror(errno));
	pid = fork();
	if (pid == 0)
		process_child(task, alive, parent);
	close(alive[1]);
	if (pid < 0) {
		error_system(err, "cannot start a process: %s", strerror(errno));
		close(alive[0]);
		return -1;
	}
	watch(pid, alive[0], timeout_ms, stop, user, out);
	result = wait_for(pid, &out->status, err);
	close(alive[0]);
	return result;
}

int process_run(const char *program, char *const argv[], int timeout_ms, bool (*stop)(void *user), void *user,
	struct process_end *out, struct error *err)
{
	const struct task task = {.program = program, .argv = argv};

	if (process_run_task(&task, timeout_ms, stop, user, out, err) < 0)
		return -1;
	if (WIFEXITED(out->status) && WEXITSTATUS(out->status) == CANNOT_START)
		return error_system(err, "cannot start %s as a worker", program);
	return 0;
}

static bool never(void *user)
{
	(void)user;
	return false;
}

int process_call(void (*call)(void *user), void *user, int timeout_ms, struct process_end *out, struct error *err)
{
	return process_run_task(&(struct task){.call = call, .user = user}, timeout_ms, never, NULL, out, err);
}

void process_describe(int status, char *out, size_t size)
{
	if (WIFSIGNALED(status))
		snprintf(out, size, "was killed by signal %d (%s)", WTERMSIG(status), strsignal(WTERMSIG(status)));
	else
		snprintf(out, size, "ended with exit status %d", WEXITSTATUS(status));
}

const char *process_reason(struct process_end *end)
{
	static const char name[] = "dbprof: ";

	end->words[strcspn(end->words, "\n")] = '\0';
	return end->words + (strncmp(end->words, name, sizeof(name) - 1) == 0 ? sizeof(name) - 1 : 0);
}
