/* gnuplot.c: see gnuplot.h. */
#include "figure/gnuplot.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "figure/gnuplot-process.h"
#include "util/alloc.h"
#include "util/file/file.h"
#include "util/palette.h"
#include "util/machine/parallel.h"

enum { MAX_WORKERS = 4, VERSION_TIMEOUT_MS = 5000 };

/* Worker w draws figures w, w + workers, w + 2 * workers ... */
struct run {
	const struct gnuplot_job *jobs;
	int n;
	const char *workdir;
	char *program;
	int workers;
	struct process process[MAX_WORKERS];
};

/* ---- the program ---- */

/* A name with a slash in it must not change its meaning in the work folder. For free(). */
static char *find_program(void)
{
	const char *chosen = getenv("DBPROF_GNUPLOT");
	char *path;

	if (!chosen || *chosen == '\0')
		chosen = "gnuplot";
	path = strchr(chosen, '/') ? realpath(chosen, NULL) : NULL;
	return path ? path : xstrdup(chosen);
}

static int check_workdir(const struct run *run, struct error *err)
{
	if (access(run->workdir, X_OK) == 0)
		return 0;
	return error_set(err, "cannot draw in %s: %s", run->workdir, strerror(errno));
}

/* The folder may have gone since it was checked: that is no lack of gnuplot. */
static int cannot_start(const struct run *run, int error, struct error *err)
{
	if (check_workdir(run, err) < 0)
		return -1;
	if (error == ENOENT)
		return error_set(err,
			"%s was not found: install it (Debian: apt-get install gnuplot-nox) or put it on PATH",
			run->program);
	return error_set(err, "cannot start %s: %s", run->program, strerror(error));
}

/* Fills `version` ("4.6") if gnuplot says that it is older than what the plots need. */
static bool gnuplot_is_too_old(const struct run *run, char *version, size_t size)
{
	char option[] = "--version";
	char *const argv[] = {run->program, option, NULL};
	struct process process;
	int input = open("/dev/null", O_RDONLY | O_CLOEXEC), major, minor, rc;

	if (input < 0)
		return false;
	rc = process_start(&process, argv, run->workdir, input, STDOUT_FILENO, 0);
	close(input);
	if (rc || process_wait_all(&process, 1, VERSION_TIMEOUT_MS, NULL, NULL) != PROCESS_ENDED)
		return false;
	if (sscanf(process.first.text, "gnuplot %d.%d", &major, &minor) != 2)
		return false;
	snprintf(version, size, "%d.%d", major, minor);
	return major < GNUPLOT_OLDEST_MAJOR || (major == GNUPLOT_OLDEST_MAJOR && minor < GNUPLOT_OLDEST_MINOR);
}

/* ---- commands ---- */

/* In double quotes, with an octal escape for what gnuplot might act on. Single quotes will not do: gnuplot 5.4 loses
 * what follows two of them in a row, doubled as they must be. */
static void write_quoted(FILE *out, const char *text)
{
	putc('"', out);
	for (; *text != '\0'; text++) {
		if (strchr("\"\\'`@$", *text))
			fprintf(out, "\\%03o", (unsigned)*text);
		else
			putc(*text, out);
	}
	putc('"', out);
}

/* SINGLE = "#D55E00" */
static void write_color(FILE *out, const char *name, unsigned color)
{
	fprintf(out, "%s = \"#%06X\"\n", name, color);
}

static void write_palette(FILE *out)
{
#define WRITE_COLOR(name, text, color) write_color(out, #name, color);
#define WRITE_INK(name, text, marker, light, dark) write_color(out, #name, marker);
	PALETTE_COLORS(WRITE_COLOR)
	PALETTE_INKS(WRITE_INK)
#undef WRITE_COLOR
#undef WRITE_INK
}

static void write_job(FILE *out, const struct gnuplot_job *job)
{
	fputs("reset session\nset encoding utf8\n", out);
	write_palette(out);
	fputs("call ", out);
	write_quoted(out, job->script);
	for (int i = 0; i < job->nargs; i++) {
		putc(' ', out);
		write_quoted(out, job->args[i]);
	}
	fputs("\nunset output\nset print\nprint '" PROCESS_DONE_MARK "'\n", out);
}

/* A file in memory with the commands of one worker, to be read from its start; NULL with errno. */
static FILE *make_commands(const struct run *run, int worker)
{
	int fd = memfd_create("dbprof-gnuplot", MFD_CLOEXEC);
	FILE *out = fd >= 0 ? fdopen(fd, "w+") : NULL;

	if (!out) {
		if (fd >= 0)
			close(fd);
		return NULL;
	}
	for (int i = worker; i < run->n; i += run->workers)
		write_job(out, &run->jobs[i]);
	if (fflush(out) == 0 && lseek(fd, 0, SEEK_SET) == 0)
		return out;
	fclose(out);
	return NULL;
}

/* How often the worker draws after its first figure. */
static int last_of(const struct run *run, int worker)
{
	return (run->n - 1 - worker) / run->workers;
}

static int start_worker(struct run *run, int worker, struct error *err)
{
	char no_settings[] = "-d"; /* not even those in ~/.gnuplot */
	char *const argv[] = {run->program, no_settings, NULL};
	FILE *commands = make_commands(run, worker);
	int rc;

	if (!commands)
		return error_set(err, "cannot write commands for %s: %s", run->program, strerror(errno));
	rc = process_start(
		&run->process[worker], argv, run->workdir, fileno(commands), STDERR_FILENO, last_of(run, worker) + 1);
	fclose(commands);
	return rc ? cannot_start(run, rc, err) : 0;
}

static int count_workers(int n)
{
	int workers = processors_usable() < MAX_WORKERS ? processors_usable() : MAX_WORKERS;

	return workers < n ? workers : n;
}

/* ---- before ---- */

static int check_text(const char *text, const char *script, struct error *err)
{
	if (!strpbrk(text, "\r\n"))
		return 0;
	return error_set(err, "%s: an argument has a line break in it, which gnuplot's commands cannot have", script);
}

static int check_job(const struct gnuplot_job *job, struct error *err)
{
	if (job->nargs > GNUPLOT_MAX_ARGS)
		return error_set(err, "%s: gnuplot takes at most %d arguments, not %d", job->script, GNUPLOT_MAX_ARGS,
			job->nargs);
	if (check_text(job->script, job->script, err))
		return -1;
	for (int i = 0; i < job->nargs; i++)
		if (check_text(job->args[i], job->script, err))
			return -1;
	return 0;
}

static int output_path(const struct run *run, const char *output, char *path, size_t size, struct error *err)
{
	bool absolute = *output == '/';
	int n = snprintf(path, size, "%s%s%s", absolute ? "" : run->workdir, absolute ? "" : "/", output);

	return n >= 0 && (size_t)n < size ? 0 : error_set(err, "%s: the name is too long", output);
}

static int gnuplot_prepare(const struct run *run, struct error *err)
{
	char path[PATH_MAX];

	if (check_workdir(run, err) < 0)
		return -1;
	for (int i = 0; i < run->n; i++) {
		if (check_job(&run->jobs[i], err) || output_path(run, run->jobs[i].output, path, sizeof(path), err))
			return -1;
		if (unlink(path) && errno != ENOENT)
			return error_set(err, "cannot replace %s: %s", path, strerror(errno));
	}
	return 0;
}

/* ---- after ---- */

static bool ends_with_svg(int fd)
{
	char tail[32];
	struct stat st;
	ssize_t n;

	if (fstat(fd, &st) || !S_ISREG(st.st_mode))
		return false;
	n = pread(fd, tail, sizeof(tail), st.st_size > (off_t)sizeof(tail) ? st.st_size - (off_t)sizeof(tail) : 0);
	while (n > 0 && strchr(" \t\r\n", tail[n - 1]))
		n--;
	return n >= 6 && memcmp(tail + n - 6, "</svg>", 6) == 0;
}

static int gnuplot_check_output(const struct run *run, const struct gnuplot_job *job, struct error *err)
{
	char path[PATH_MAX];
	bool whole;
	int fd;

	if (output_path(run, job->output, path, sizeof(path), err))
		return -1;
	/* O_NONBLOCK: a pipe is no picture, and nobody writes to it. */
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (fd < 0)
		return error_set(err, "gnuplot made no %s (script %s)", job->output, job->script);
	whole = ends_with_svg(fd);
	close(fd);
	return whole ? 0 : error_set(err, "gnuplot left %s unfinished: is the disk full?", job->output);
}

/* The figure that a worker was at when `done` were finished. */
static const struct gnuplot_job *job_of(const struct run *run, int worker, int done)
{
	int last = last_of(run, worker);

	return &run->jobs[worker + (done < last ? done : last) * run->workers];
}

/* What is wrong with an ended worker: 0, or -1 with its own words if it has any. */
static int check_worker(const struct run *run, int worker, struct error *err)
{
	const struct process *process = &run->process[worker];
	const struct complaint *words = process->error.text[0] != '\0' ? &process->error : &process->first;
	const struct gnuplot_job *job = job_of(run, worker, process->done);

	if (process->error.text[0] != '\0' ||
		(process->status != 0 && words->text[0] != '\0' && WIFEXITED(process->status)))
		return error_set(
			err, "gnuplot cannot draw %s: %s", job_of(run, worker, words->figure)->output, words->text);
	if (WIFSIGNALED(process->status) && WTERMSIG(process->status) == SIGXFSZ)
		return file_write_error(err, job->output, EFBIG);
	if (WIFSIGNALED(process->status))
		return error_set(err, "gnuplot was killed by signal %d (%s) while drawing %s",
			WTERMSIG(process->status), strsignal(WTERMSIG(process->status)), job->output);
	if (process->status != 0)
		return error_set(err, "gnuplot ended with status %d at %s, without a word",
			WEXITSTATUS(process->status), job->output);
	return 0;
}

static int gnuplot_check_results(const struct run *run, struct error *err)
{
	char version[32];
	int rc = 0;

	for (int i = 0; i < run->workers && rc == 0; i++)
		rc = check_worker(run, i, err);
	for (int i = 0; i < run->n && rc == 0; i++)
		rc = gnuplot_check_output(run, &run->jobs[i], err);
	if (rc && gnuplot_is_too_old(run, version, sizeof(version)))
		return error_set(err, "gnuplot %s is too old: install %d.%d or later", version, GNUPLOT_OLDEST_MAJOR,
			GNUPLOT_OLDEST_MINOR);
	return rc;
}

static int timed_out(const struct run *run, int timeout_ms, struct error *err)
{
	int slow = 0;

	while (slow < run->workers - 1 && run->process[slow].done > last_of(run, slow))
		slow++;
	return error_set(err, "gnuplot hangs: it was stopped after %.3g s at %s", timeout_ms / 1000.0,
		job_of(run, slow, run->process[slow].done)->output);
}

/* ---- all of it ---- */

static int gnuplot_draw(struct run *run, int timeout_ms, bool (*interrupted)(void *user), void *user, struct error *err)
{
	for (int i = 0; i < run->workers; i++)
		if (start_worker(run, i, err)) {
			process_kill_all(run->process, i);
			return -1;
		}
	switch (process_wait_all(run->process, run->workers, timeout_ms, interrupted, user)) {
	case PROCESS_INTERRUPTED:
		return error_set(err, "interrupted");
	case PROCESS_TIMED_OUT:
		return timed_out(run, timeout_ms, err);
	case PROCESS_FAILED:
		return error_set(err, "cannot wait for gnuplot: %s", strerror(errno));
	default:
		return gnuplot_check_results(run, err);
	}
}

int gnuplot_run_within(const struct gnuplot_job *jobs, int n, const char *workdir, int timeout_ms,
	bool (*interrupted)(void *user), void *user, struct error *err)
{
	struct run run = {.jobs = jobs, .n = n, .workdir = workdir, .workers = count_workers(n)};
	int rc;

	if (n <= 0)
		return 0;
	if (gnuplot_prepare(&run, err))
		return -1;
	run.program = find_program();
	rc = gnuplot_draw(&run, timeout_ms, interrupted, user, err);
	free(run.program);
	return rc;
}

int gnuplot_run(const struct gnuplot_job *jobs, int n, const char *workdir, bool (*interrupted)(void *user), void *user,
	struct error *err)
{
	return gnuplot_run_within(jobs, n, workdir, GNUPLOT_TIMEOUT_MS, interrupted, user, err);
}
