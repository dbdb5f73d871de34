/* measure.c: runs a command and writes "SECONDS MEGABYTES CPU-SECONDS ANONYMOUS-MEGABYTES" to a file: wall time, peak
 * resident memory of the largest of its processes, the time that all of them had of the processors, and the peak of its
 * own anonymous memory, without files that are mapped. Exits with the command's status.
 * usage: measure FILE COMMAND [ARG]... */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static double seconds(struct timeval t)
{
	return (double)t.tv_sec + (double)t.tv_usec / 1e6;
}

/* Anonymous memory of a process (kB), 0 where it cannot be told. */
static long anonymous(pid_t pid)
{
	char path[64], line[128];
	FILE *file;
	long kb = 0;

	snprintf(path, sizeof(path), "/proc/%ld/status", (long)pid);
	file = fopen(path, "r");
	while (file != NULL && fgets(line, sizeof(line), file) != NULL)
		if (strncmp(line, "RssAnon:", 8) == 0)
			kb = strtol(line + 8, NULL, 10);
	if (file != NULL)
		fclose(file);
	return kb;
}

/* Waits for the end of the command, and looks at its memory a hundred times a second. */
static int watch(pid_t pid, const sigset_t *ends, long *peak)
{
	const struct timespec tick = {.tv_nsec = 10000000};
	int status;
	pid_t got;

	while ((got = waitpid(pid, &status, WNOHANG)) == 0) {
		long kb = anonymous(pid);

		*peak = kb > *peak ? kb : *peak;
		(void)sigtimedwait(ends, NULL, &tick);
	}
	return got == pid && WIFEXITED(status) ? WEXITSTATUS(status) : 127;
}

/* Runs the command to its end; its exit status, or 127 if it was killed or did not start. */
static int run(char **command, long *peak)
{
	sigset_t ends, before;
	pid_t pid;

	sigemptyset(&ends);
	sigaddset(&ends, SIGCHLD);
	sigprocmask(SIG_BLOCK, &ends, &before);
	pid = fork();
	if (pid == 0) {
		sigprocmask(SIG_SETMASK, &before, NULL);
		execvp(command[0], command);
		_exit(127);
	}
	return pid < 0 ? 127 : watch(pid, &ends, peak);
}

int main(int argc, char **argv)
{
	struct rusage usage;
	double start;
	long peak = 0;
	FILE *out;
	int status;

	if (argc < 3) {
		fputs("usage: measure FILE COMMAND [ARG]...\n", stderr);
		return 2;
	}
	start = now();
	status = run(argv + 2, &peak);
	out = fopen(argv[1], "w");
	if (out == NULL || getrusage(RUSAGE_CHILDREN, &usage) != 0 ||
		fprintf(out, "%.2f %.0f %.2f %.1f\n", now() - start, (double)usage.ru_maxrss * 1024 / 1e6,
			seconds(usage.ru_utime) + seconds(usage.ru_stime), (double)peak * 1024 / 1e6) < 0 ||
		fclose(out) != 0) {
		perror(argv[1]);
		return 2;
	}
	return status;
}
