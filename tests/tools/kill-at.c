/*
 * kill-at.c: runs a command in a process group of its own and sends it a signal at a given microsecond; then waits for
 * all that it started.
 *
 *   kill-at MICROSECONDS process|group SIGNAL LIMIT COMMAND [ARGUMENT]...
 *
 * SIGNAL is a number; 0: none is sent. Prints "STATUS TAKEN LEFT NAMES": how it ended, as a shell has it; the
 * microseconds from start to end; how many processes of it still lived LIMIT seconds after its end (they are killed
 * then), and which.
 */
#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { RESULT = 3, COMMAND = 5, TICK_NS = 5000000, BROKEN = 99 };

static int64_t now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

static void sleep_until(int64_t ns)
{
	const struct timespec until = {ns / 1000000000, ns % 1000000000};

	while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL) == EINTR)
		;
}

static pid_t start(char **argv)
{
	pid_t pid = fork();

	if (pid == 0) {
		setpgid(0, 0);
		close(RESULT);
		execvp(argv[0], argv);
		perror(argv[0]);
		_exit(BROKEN);
	}
	setpgid(pid, pid); /* whichever of the two comes first */
	return pid;
}

static int shell_status(int status)
{
	return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

/* Orphans are ours: this process is their reaper. Whether all have ended. */
static bool reap(void)
{
	pid_t pid;

	while ((pid = waitpid(-1, NULL, WNOHANG)) > 0)
		;
	return pid < 0;
}

static void name_of(pid_t pid, char *name, size_t size)
{
	char path[64];
	FILE *file;

	snprintf(path, sizeof path, "/proc/%d/comm", (int)pid);
	file = fopen(path, "r");
	if (file == NULL || fgets(name, (int)size, file) == NULL)
		snprintf(name, size, "?");
	name[strcspn(name, "\n")] = '\0';
	if (file != NULL)
		fclose(file);
}

/* Kills our children; the names go into `names`. Returns how many there were. */
static int kill_children(char *names, size_t size)
{
	char path[64], name[32];
	int pid, n = 0;
	size_t used = 0;
	FILE *file;

	snprintf(path, sizeof path, "/proc/self/task/%d/children", (int)getpid());
	file = fopen(path, "r");
	while (file != NULL && fscanf(file, "%d", &pid) == 1) {
		name_of(pid, name, sizeof name);
		kill(pid, SIGKILL);
		n++;
		if (used < size)
			used += (size_t)snprintf(names + used, size - used, " %s", name);
	}
	if (file != NULL)
		fclose(file);
	return n;
}

static int wait_for_rest(int64_t limit_ns, char *names, size_t size)
{
	int64_t until = now_ns() + limit_ns;
	int left = 0;

	while (!reap() && now_ns() < until)
		sleep_until(now_ns() + TICK_NS);
	while (!reap()) { /* their children become ours in turn */
		left += kill_children(names, size);
		sleep_until(now_ns() + TICK_NS);
	}
	return left;
}

int main(int argc, char **argv)
{
	char names[256] = "";
	int64_t begin = now_ns(), taken;
	int signal_number, status = 0, left;
	pid_t pid;

	if (argc <= COMMAND) {
		fputs("usage: kill-at MICROSECONDS process|group SIGNAL LIMIT COMMAND [ARGUMENT]...\n", stderr);
		return BROKEN;
	}
	signal_number = atoi(argv[3]);
	if (prctl(PR_SET_CHILD_SUBREAPER, 1) != 0 || (pid = start(argv + COMMAND)) < 0)
		return BROKEN;
	if (signal_number != 0) {
		sleep_until(begin + atoll(argv[1]) * 1000);
		/* Our child, alive or not yet waited for: the number is nobody else's. */
		kill(strcmp(argv[2], "group") == 0 ? -pid : pid, signal_number);
	}
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	taken = now_ns() - begin;
	left = wait_for_rest(atoll(argv[4]) * 1000000000, names, sizeof names);
	dprintf(RESULT, "%d %lld %d%s\n", shell_status(status), (long long)taken / 1000, left, names);
	return 0;
}
