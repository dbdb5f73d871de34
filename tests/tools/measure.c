/* measure.c: runs a command and writes "SECONDS MEGABYTES CPU-SECONDS" to a file: wall time, peak resident memory of
 * the largest of its processes, and the time that all of them had of the processors. Exits with the command's status.
 * usage: measure FILE COMMAND [ARG]... */
#include <stdio.h>
#include <stdlib.h>
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

/* Runs the command to its end; its exit status, or 127 if it was killed or did not start. */
static int run(char **command)
{
	int status;
	pid_t pid = fork();

	if (pid == 0) {
		execvp(command[0], command);
		_exit(127);
	}
	if (pid < 0 || waitpid(pid, &status, 0) != pid || !WIFEXITED(status))
		return 127;
	return WEXITSTATUS(status);
}

int main(int argc, char **argv)
{
	struct rusage usage;
	double start;
	FILE *out;
	int status;

	if (argc < 3) {
		fputs("usage: measure FILE COMMAND [ARG]...\n", stderr);
		return 2;
	}
	start = now();
	status = run(argv + 2);
	out = fopen(argv[1], "w");
	if (out == NULL || getrusage(RUSAGE_CHILDREN, &usage) != 0 ||
		fprintf(out, "%.2f %.0f %.2f\n", now() - start, (double)usage.ru_maxrss * 1024 / 1e6,
			seconds(usage.ru_utime) + seconds(usage.ru_stime)) < 0 ||
		fclose(out) != 0) {
		perror(argv[1]);
		return 2;
	}
	return status;
}
