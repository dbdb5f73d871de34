/*
 * fail-each.c: runs a command undisturbed, and then once for each failure that is named on standard input, and checks
 * how it ends. A failure is a line VARIABLE=VALUE for the environment, as FAIL_CALL=write:3:28 (see stand-in/fail.h).
 *
 * usage: fail-each -o NAME [OPTION]... -- PROGRAM [ARGUMENT]... <FAILURES
 *   -o NAME             what the command writes, a file or a folder, in the folder that it runs in
 *   -O OLDER            a copy of this is there before; without it, nothing
 *   -e VARIABLE=VALUE   for the command, also undisturbed
 *   -j JOBS             how many run at once
 *   -x COMMAND          for what is not the same in each run: a shell command that tells, by status 0, that what the
 *                       run left is whole and that what it lacks is named; its standard output and error are in
 *                       ../out and ../err, and its one argument is its status
 *   -q                  does not look for leaks: a sanitizer does
 *   -v                  names each run
 *
 * A run survives if it ends within 12 s more than three times what the undisturbed run took (as figure/patience.h
 * counts: machines have other work too) with status 1, one line on stderr that begins with "dbprof: ", and OLDER as it
 * was or replaced as a whole; or with the status of the undisturbed run, having written the same, byte for byte; or,
 * with -x, if COMMAND says so; and in any case leaves no other file and no more memory behind than the undisturbed run.
 *
 * The last line is "RUNS runs, BAD bad, UNREACHED unreached": the last did not come to the call that was to fail.
 */
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "figure/patience.h"
#include "tools/fail-tree.h"

enum { JOBS_MOST = 16, SETTINGS_MOST = 32, LATER_S = 12, UNDISTURBED_S = 120, TRIES = 3 };

/* ---- what is asked for ---- */

static struct {
	const char *output, *older, *whole;
	char *settings[SETTINGS_MOST];
	int nsettings, jobs;
	bool no_leaks, names_each;
	char **command;
} options = {.jobs = 1};

static void usage(void)
{
	fputs("usage: fail-each -o NAME [OPTION]... -- PROGRAM [ARGUMENT]... <FAILURES\n", stderr);
	exit(99);
}

static void read_options(int argc, char **argv)
{
	for (int key; (key = getopt(argc, argv, "+o:O:e:j:x:qv")) != -1;) {
		if (key == 'o')
			options.output = optarg;
		else if (key == 'O')
			options.older = realpath(optarg, NULL);
		else if (key == 'e' && options.nsettings < SETTINGS_MOST)
			options.settings[options.nsettings++] = optarg;
		else if (key == 'j' && atoi(optarg) >= 1 && atoi(optarg) <= JOBS_MOST)
			options.jobs = atoi(optarg);
		else if (key == 'x')
			options.whole = optarg;
		else if (key == 'q')
			options.no_leaks = true;
		else if (key == 'v')
			options.names_each = true;
		else
			usage();
	}
	options.command = argv + optind;
	if (options.output == NULL || optind == argc)
		usage();
}

/* The lines of standard input; the array ends with NULL. */
static char **read_failures(size_t *n)
{
	char **list = NULL, *line = NULL;
	size_t size = 0;

	for (*n = 0; getline(&line, &size, stdin) > 0; line = NULL, size = 0) {
		line[strcspn(line, "\n")] = '\0';
		char **more = realloc(list, (*n + 1) * sizeof *list);

		if (more == NULL) {
			tree_broken("no memory for", "the failures");
		} else {
			list = more;
			list[(*n)++] = line;
		}
	}
	free(line);
	return list;
}

/* ---- one run ---- */

/* In the folder of a worker: run/ (the command's), out, err, fired, leaks. */
struct outcome {
	int status; /* of waitpid() */
	bool timed_out;
	time_t took_s; /* rounded up */
	uint64_t left; /* sum over the output */
	char *out, *err, *leaks;
};

static int open_new(const char *path)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0666);

	if (fd < 0)
		tree_broken("cannot write", path);
	return fd;
}

static void set(const char *name, const char *folder, const char *file)
{
	char path[PATH_MAX];

	snprintf(path, sizeof path, "%s/%s", folder, file);
	setenv(name, path, 1);
}

static _Noreturn void become(const char *failure)
{
	char folder[PATH_MAX - 16];
	sigset_t none;

	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	setpgid(0, 0);
	if (getcwd(folder, sizeof folder) == NULL || chdir("run") != 0)
		tree_broken("cannot use", "run");
	dup2(open("/dev/null", O_RDONLY), STDIN_FILENO);
	dup2(open_new("../out"), STDOUT_FILENO);
	dup2(open_new("../err"), STDERR_FILENO);
	set("TMPDIR", folder, "run");
	set("FAIL_FIRED", folder, "fired");
	if (!options.no_leaks)
		set("FAIL_LEAKS", folder, "leaks");
	for (int i = 0; i < options.nsettings; i++)
		putenv(options.settings[i]);
	if (failure != NULL)
		putenv((char *)failure);
	execvp(options.command[0], options.command);
	tree_broken("cannot start", options.command[0]);
	_exit(99);
}

/* Waits for the child, of which SIGCHLD is blocked. False: it was killed after `limit_s`. */
static bool wait_for(pid_t pid, int *status, time_t limit_s)
{
	const struct timespec tick = {.tv_nsec = 100000000};
	struct patience patience;
	sigset_t children;
	bool ended;

	sigemptyset(&children);
	sigaddset(&children, SIGCHLD);
	patience_begin(&patience);
	while (!(ended = waitpid(pid, status, WNOHANG) == pid) && patience_spent_ms(&patience) < 1000 * (double)limit_s)
		sigtimedwait(&children, NULL, &tick);
	kill(-pid, SIGKILL);
	if (!ended)
		waitpid(pid, status, 0);
	return ended;
}

static void prepare(void)
{
	remove("fired");
	remove("leaks");
	tree_remove("run");
	if (mkdir("run", 0777) != 0)
		tree_broken("cannot make", "run");
	if (options.older != NULL) {
		char path[PATH_MAX];

		snprintf(path, sizeof path, "run/%s", options.output);
		tree_copy(options.older, path);
	}
}

static int compare_lines(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* The lines of a file in order, one text, for free(). */
static char *sorted(const char *path)
{
	char *text = tree_text(path), *copy = malloc(strlen(text) + 1),
	     **lines = malloc((strlen(text) + 1) * sizeof *lines);
	size_t n = 0;

	if (copy == NULL || lines == NULL)
		tree_broken("no memory for", path);
	for (char *rest = text, *line; (line = strtok_r(rest, "\n", &rest)) != NULL;)
		lines[n++] = line;
	qsort(lines, n, sizeof *lines, compare_lines);
	*copy = '\0';
	for (size_t i = 0; i < n; i++)
		strcat(strcat(copy, lines[i]), "\n");
	free(lines);
	free(text);
	return copy;
}

static struct outcome run(const char *failure, time_t limit_s)
{
	struct outcome out = {0};
	char path[PATH_MAX];
	time_t start;
	pid_t pid;

	prepare();
	start = time(NULL);
	pid = fork();
	if (pid < 0)
		tree_broken("cannot start", options.command[0]);
	if (pid == 0)
		become(failure);
	out.timed_out = !wait_for(pid, &out.status, limit_s);
	out.took_s = time(NULL) - start + 1;
	snprintf(path, sizeof path, "run/%s", options.output);
	out.left = tree_sum(path);
	out.out = tree_text("out");
	out.err = tree_text("err");
	out.leaks = sorted("leaks");
	return out;
}

static void release(struct outcome *out)
{
	free(out->out);
	free(out->err);
	free(out->leaks);
}

/* ---- how it ended ---- */

static bool one_line(const char *text)
{
	const char *end = strchr(text, '\n');

	return strncmp(text, "dbprof: ", 8) == 0 && end != NULL && end[1] == '\0' && end - text > 16 &&
	       strstr(text, "(null)") == NULL && strstr(text, "Success") == NULL;
}

/* What is in run/ besides the output. */
static bool left_behind(void)
{
	char path[PATH_MAX], aside[] = "aside";
	bool rest;

	snprintf(path, sizeof path, "run/%s", options.output);
	rename(path, aside);
	rest = rmdir("run") != 0;
	if (rest)
		tree_remove("run");
	tree_remove(aside);
	return rest;
}

/* Whether `more` has a line more often than `base`; both are sorted. */
static bool leaks_more(const char *base, const char *more)
{
	while (*more != '\0') {
		size_t size = strcspn(more, "\n") + 1;

		while (*base != '\0' && strncmp(base, more, size) < 0)
			base += strcspn(base, "\n") + 1;
		if (strncmp(base, more, size) != 0)
			return true;
		base += size;
		more += size;
	}
	return false;
}

/* Asks the command of -x, in run/. */
static bool is_whole(int status)
{
	char command[PATH_MAX];
	int answer;

	snprintf(command, sizeof command, "cd run && %s %d", options.whole, status);
	answer = system(command);
	return WIFEXITED(answer) && WEXITSTATUS(answer) == 0;
}

/* What is wrong, or NULL. */
static const char *judge(const struct outcome *base, const struct outcome *got, uint64_t older)
{
	if (got->timed_out)
		return "hangs";
	if (WIFSIGNALED(got->status))
		return strsignal(WTERMSIG(got->status));
	if (!options.no_leaks && leaks_more(base->leaks, got->leaks))
		return "leaks memory";
	if (options.whole != NULL)
		return is_whole(WEXITSTATUS(got->status)) ? NULL : "the checking command refuses it";
	if (WEXITSTATUS(got->status) != 1 && got->status != base->status)
		return "another status";
	if (got->status == base->status && got->left != base->left)
		return "says that it is done, and is not";
	if (got->left != older && got->left != base->left)
		return "what was there is lost, or half replaced";
	if (got->status == base->status && (strcmp(got->out, base->out) != 0 || strcmp(got->err, base->err) != 0))
		return "says something else";
	if (got->status != base->status && !one_line(got->err))
		return "not one line that tells why";
	return NULL;
}

/* ---- all of them ---- */

/* Of all workers. */
struct shared {
	size_t next, bad, unreached;
};

static void tell(const char *failure, const char *wrong, const struct outcome *got)
{
	char line[PATH_MAX];
	int n = snprintf(line, sizeof line, "%s %s%s%s (status %d): %.300s", wrong != NULL ? "BAD" : "ok", failure,
		wrong != NULL ? ": " : "", wrong != NULL ? wrong : "", WEXITSTATUS(got->status), got->err);

	if (n > 0 && line[n - 1] != '\n')
		line[n++] = '\n';
	fwrite(line, 1, (size_t)n, stdout);
	fflush(stdout);
}

/* Whether the failure that a run was to have has happened. */
static bool has_fired(const char *failure)
{
	return strncmp(failure, "FAIL_CALL=", 10) != 0 || access("fired", F_OK) == 0;
}

/* Some calls are made in most runs only, as of processes that meet: they have several. */
static void fail_one(const char *failure, const struct outcome *base, uint64_t older, struct shared *shared)
{
	struct outcome got;
	const char *wrong;
	bool fired;

	for (int tries = 1;; tries++) {
		got = run(failure, 3 * base->took_s + LATER_S);
		wrong = judge(base, &got, older);
		fired = has_fired(failure);
		if (wrong == NULL && left_behind())
			wrong = "leaves a file behind";
		if (fired || wrong != NULL || tries == TRIES)
			break;
		release(&got);
	}
	__atomic_fetch_add(&shared->bad, wrong != NULL, __ATOMIC_RELAXED);
	__atomic_fetch_add(&shared->unreached, !fired, __ATOMIC_RELAXED);
	if (wrong != NULL || options.names_each || !fired)
		tell(failure, !fired && wrong == NULL ? "was not reached" : wrong, &got);
	release(&got);
}

/* In a folder of its own; takes what is next until nothing is left. */
static _Noreturn void work(int number, char **failures, size_t n, struct shared *shared)
{
	char folder[32];
	struct outcome base;
	uint64_t older = options.older != NULL ? tree_sum(options.older) : 0;

	snprintf(folder, sizeof folder, "fail-each-%d", number);
	if (mkdir(folder, 0777) != 0 || chdir(folder) != 0)
		tree_broken("cannot make", folder);
	base = run(NULL, UNDISTURBED_S);
	if (base.timed_out || !WIFEXITED(base.status) || WEXITSTATUS(base.status) == 1 || base.left == 0) {
		fprintf(stderr, "fail-each: the undisturbed run fails: %s", base.err);
		_exit(99);
	}
	for (size_t i; (i = __atomic_fetch_add(&shared->next, 1, __ATOMIC_RELAXED)) < n;)
		fail_one(failures[i], &base, older, shared);
	release(&base);
	if (chdir("..") != 0)
		_exit(99);
	tree_remove(folder);
	_exit(0);
}

int main(int argc, char **argv)
{
	/* cppcheck-suppress invalidFunctionArg ; no file, with MAP_ANONYMOUS */
	struct shared *shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	size_t n, broken = 0;
	char **failures;
	sigset_t children;
	int status;

	read_options(argc, argv);
	failures = read_failures(&n);
	sigemptyset(&children);
	sigaddset(&children, SIGCHLD);
	sigprocmask(SIG_BLOCK, &children, NULL);
	for (int i = 0; i < options.jobs; i++)
		if (fork() == 0)
			work(i, failures, n, shared);
	while (wait(&status) > 0)
		broken += status != 0;
	for (size_t i = 0; i < n; i++)
		free(failures[i]);
	free(failures);
	if (broken > 0)
		return 99;
	printf("%zu runs, %zu bad, %zu unreached\n", n, shared->bad, shared->unreached);
	return shared->bad + shared->unreached > 0;
}
