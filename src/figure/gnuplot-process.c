/* gnuplot-process.c: see gnuplot-process.h. */
#include "figure/gnuplot-process.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "util/alloc.h"
#include "figure/patience.h"

enum { MAX_PROCESSES = 16, TICK_MS = 100, REAP_TICK_MS = 2 };

/* ---- starting ---- */

/* The environment with messages in English; the array is for free(), its strings are not. */
static char **plain_environment(void)
{
	static char locale[] = "LC_ALL=C";
	size_t n = 0, used = 0;
	char **copy;

	while (environ[n])
		n++;
	copy = xcalloc(n + 2, sizeof(*copy));
	for (size_t i = 0; i < n; i++)
		if (strncmp(environ[i], "LC_ALL=", 7) != 0)
			copy[used++] = environ[i];
	copy[used] = locale;
	return copy;
}

static int set_attributes(posix_spawnattr_t *attributes)
{
	sigset_t none, defaults;
	int rc;

	sigemptyset(&none);
	sigemptyset(&defaults);
	sigaddset(&defaults, SIGINT);
	sigaddset(&defaults, SIGTERM);
	sigaddset(&defaults, SIGPIPE);
	rc = posix_spawnattr_setflags(
		attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
	/* A group of its own can be killed as a whole. */
	rc = rc ? rc : posix_spawnattr_setpgroup(attributes, 0);
	rc = rc ? rc : posix_spawnattr_setsigmask(attributes, &none);
	return rc ? rc : posix_spawnattr_setsigdefault(attributes, &defaults);
}

static int set_files(posix_spawn_file_actions_t *files, const char *workdir, int input, int listen, int output)
{
	int other = listen == STDERR_FILENO ? STDOUT_FILENO : STDERR_FILENO;
	int rc = posix_spawn_file_actions_adddup2(files, input, STDIN_FILENO);

	rc = rc ? rc : posix_spawn_file_actions_adddup2(files, output, listen);
	rc = rc ? rc : posix_spawn_file_actions_addopen(files, other, "/dev/null", O_WRONLY, 0);
	return rc ? rc : posix_spawn_file_actions_addchdir_np(files, workdir);
}

static int gnuplot_process_spawn(pid_t *pid, char *const *argv, const char *workdir, int input, int listen, int output)
{
	posix_spawn_file_actions_t files;
	posix_spawnattr_t attributes;
	char **environment = plain_environment();
	int rc = posix_spawn_file_actions_init(&files);

	if (rc == 0) {
		rc = posix_spawnattr_init(&attributes);
		if (rc == 0) {
			rc = set_attributes(&attributes);
			rc = rc ? rc : set_files(&files, workdir, input, listen, output);
			rc = rc ? rc : posix_spawnp(pid, argv[0], &files, &attributes, argv, environment);
			posix_spawnattr_destroy(&attributes);
		}
		posix_spawn_file_actions_destroy(&files);
	}
	free(environment);
	return rc;
}

int process_start(struct process *process, char *const *argv, const char *workdir, int input, int listen, int figures)
{
	int ends[2], rc;

	*process = (struct process){.fd = -1, .figures = figures};
	if (pipe2(ends, O_CLOEXEC))
		return errno;
	rc = gnuplot_process_spawn(&process->pid, argv, workdir, input, listen, ends[1]);
	close(ends[1]);
	if (rc == 0 && fcntl(ends[0], F_SETFL, O_NONBLOCK) == 0) {
		process->fd = ends[0];
		return 0;
	}
	rc = rc ? rc : errno;
	close(ends[0]);
	process_kill_all(process, 1);
	return rc;
}

/* ---- listening ---- */

/* gnuplot's errors end in: "script.gp" line 12: what is wrong */
static bool is_error(const char *line)
{
	const char *found = strstr(line, "line ");

	if (!found)
		return false;
	found += strlen("line ");
	return isdigit((unsigned char)*found) && found[strspn(found, "0123456789")] == ':' && !strstr(line, "warning:");
}

static void remember(struct complaint *complaint, const char *line, int figure)
{
	if (complaint->text[0] != '\0')
		return;
	snprintf(complaint->text, sizeof(complaint->text), "%s", line);
	complaint->figure = figure;
}

static void end_line(struct process *process)
{
	const char *line = process->line;

	process->line[process->used] = '\0';
	process->used = 0;
	while (isspace((unsigned char)*line))
		line++;
	if (*line == '\0')
		return;
	if (strcmp(line, PROCESS_DONE_MARK) == 0) {
		process->done += process->done < process->figures;
		return;
	}
	remember(&process->first, line, process->done);
	if (is_error(line))
		remember(&process->error, line, process->done);
}

static void hear(struct process *process, const char *text, size_t size)
{
	for (size_t i = 0; i < size; i++) {
		if (text[i] == '\n')
			end_line(process);
		else if (process->used < sizeof(process->line) - 1 && text[i] != '\0')
			process->line[process->used++] = text[i];
	}
}

/* Reads what is there, but not for ever from one that prints as fast as it is read; closes at the end. */
static void gnuplot_process_listen_to(struct process *process)
{
	enum { READS = 64 };
	char text[4096];
	ssize_t n = 1;

	if (process->fd < 0)
		return;
	for (int i = 0; i < READS && n > 0; i++) {
		n = read(process->fd, text, sizeof(text));
		if (n > 0)
			hear(process, text, (size_t)n);
	}
	if (n > 0 || (n < 0 && (errno == EAGAIN || errno == EINTR)))
		return;
	close(process->fd);
	process->fd = -1;
}

/* Its group is killed while its number cannot be another's yet. */
static void reap(struct process *process)
{
	kill(-process->pid, SIGKILL);
	while (waitpid(process->pid, &process->status, 0) < 0 && errno == EINTR)
		;
	process->pid = 0;
	gnuplot_process_listen_to(process);
	end_line(process);
	if (process->fd >= 0)
		close(process->fd);
	process->fd = -1;
}

void process_kill_all(struct process *processes, int n)
{
	for (int i = 0; i < n; i++)
		if (processes[i].pid != 0)
			reap(&processes[i]);
}

static bool has_ended(const struct process *process)
{
	siginfo_t info = {0};

	return waitid(P_PID, (id_t)process->pid, &info, WEXITED | WNOHANG | WNOWAIT) != 0 ||
	       info.si_pid == process->pid;
}

/* ---- waiting ---- */

/* Waits for something to happen, and takes it in. Returns the number of figures finished and processes ended, or -1. */
static int step(struct process *processes, int n, int *running)
{
	struct pollfd fds[MAX_PROCESSES];
	int wait = TICK_MS, news = 0;

	for (int i = 0; i < n; i++) {
		fds[i] = (struct pollfd){.fd = processes[i].fd, .events = POLLIN};
		if (processes[i].pid != 0 && processes[i].fd < 0)
			wait = REAP_TICK_MS; /* about to end: nothing else will tell */
	}
	if (poll(fds, (nfds_t)n, wait) < 0 && errno != EINTR)
		return -1;
	for (int i = 0; i < n; i++) {
		int done = processes[i].done;

		if (processes[i].pid == 0)
			continue;
		gnuplot_process_listen_to(&processes[i]);
		if (has_ended(&processes[i])) {
			reap(&processes[i]);
			(*running)--;
			news++;
		}
		news += processes[i].done - done;
	}
	return news;
}

enum process_end process_wait_all(
	struct process *processes, int n, int timeout_ms, bool (*interrupted)(void *user), void *user)
{
	enum process_end end = PROCESS_ENDED;
	struct patience patience;
	int running = 0;

	patience_begin(&patience);
	for (int i = 0; i < n; i++)
		running += processes[i].pid != 0;
	while (running > 0 && end == PROCESS_ENDED) {
		int news = step(processes, n, &running);

		if (news > 0)
			patience_begin(&patience);
		if (news < 0)
			end = PROCESS_FAILED;
		else if (interrupted && interrupted(user))
			end = PROCESS_INTERRUPTED;
		else if (running > 0 && patience_spent_ms(&patience) >= timeout_ms)
			end = PROCESS_TIMED_OUT;
	}
	process_kill_all(processes, n);
	return end;
}
