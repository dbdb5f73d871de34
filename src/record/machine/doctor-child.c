/* doctor-child.c: trials in processes of their own. See doctor.h. */
#include "record/machine/doctor.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "record/cupti/clock.h"
#include "record/session/process.h"
#include "util/file.h"

/* What libraries print is not dbprof's output. */
static void silence(void)
{
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);

	if (null >= 0) {
		(void)dup2(null, STDOUT_FILENO);
		(void)dup2(null, STDERR_FILENO);
	}
}

static _Noreturn void doctor_child_child(
	void (*trial)(int device, struct trial *out), int device, int out, pid_t parent)
{
	struct trial result = {TRIAL_BROKEN, {0}};

	if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0 || getppid() != parent)
		_exit(1);
	silence();
	trial(device, &result);
	/* Libraries' exit handlers are not wanted: they were not made for a fork. */
	_exit(file_write_all(out, &result, sizeof(result)) == 0 ? 0 : 1);
}

static int left(int64_t until)
{
	int64_t ms = (until - clock_monotonic()) / 1000000;

	return ms > 0 ? (int)ms : 0;
}

/* Reads a whole result. 1: it is there; 0: the child ended without one; -1: it takes too long. */
static int receive(int in, int timeout_ms, struct trial *out)
{
	int64_t until = clock_monotonic() + (int64_t)timeout_ms * 1000000;
	size_t have = 0;

	while (have < sizeof(*out)) {
		struct pollfd fd = {.fd = in, .events = POLLIN};
		ssize_t n;

		if (poll(&fd, 1, left(until)) <= 0) {
			if (left(until) == 0)
				return -1;
			continue;
		}
		n = read(in, (char *)out + have, sizeof(*out) - have);
		if (n <= 0)
			return 0;
		have += (size_t)n;
	}
	return 1;
}

static void doctor_child_take(pid_t pid, int in, int timeout_ms, struct trial *out)
{
	char how[128];
	int status = 0, code = receive(in, timeout_ms, out);

	if (code < 0)
		kill(pid, SIGKILL);
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		continue;
	if (code > 0)
		return;
	out->end = TRIAL_BROKEN;
	process_describe(status, how, sizeof(how));
	if (code < 0)
		error_set(&out->text, "the trial did not end within %g s", timeout_ms / 1e3);
	else
		error_set(&out->text, "the trial %s", how);
}

void trial_in_child(void (*trial)(int device, struct trial *out), int device, int timeout_ms, struct trial *out)
{
	int fds[2];
	pid_t parent = getpid(), pid;

	*out = (struct trial){TRIAL_BROKEN, {0}};
	if (pipe2(fds, O_CLOEXEC) < 0) {
		error_set(&out->text, "cannot make a pipe: %s", strerror(errno));
		return;
	}
	pid = fork();
	if (pid == 0)
		doctor_child_child(trial, device, fds[1], parent);
	close(fds[1]);
	if (pid < 0)
		error_set(&out->text, "cannot start a process: %s", strerror(errno));
	else
		doctor_child_take(pid, fds[0], timeout_ms, out);
	close(fds[0]);
}
