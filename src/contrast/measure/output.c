/* output.c: see output.h. */
#include "contrast/measure/output.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "trace/trace.h"
#include "util/alloc.h"
#include "util/file/file.h"

/* Constants of 64-bit FNV-1a. */
static const uint64_t FNV_BASIS = UINT64_C(0xcbf29ce484222325), FNV_PRIME = UINT64_C(0x100000001b3);

enum { STATUS_NOT_FOUND = 127 }; /* of a shell */

enum { PIECE = 1 << 16 };

static FILE *output_open(const char *path, struct error *err)
{
	FILE *file = fopen(path, "re");

	if (!file)
		error_system(err, "cannot read %s: %s", path, strerror(errno));
	return file;
}

static void output_add(struct output *sum, const unsigned char *bytes, size_t n)
{
	for (size_t i = 0; i < n; i++)
		sum->hash = (sum->hash ^ bytes[i]) * FNV_PRIME;
	sum->bytes += (int64_t)n;
}

int output_sum(const char *path, struct output *sum, struct error *err)
{
	FILE *file = output_open(path, err);
	unsigned char bytes[PIECE];
	size_t n;
	int failed;

	*sum = (struct output){FNV_BASIS, 0};
	if (!file)
		return -1;
	while ((n = fread(bytes, 1, sizeof(bytes), file)) > 0)
		output_add(sum, bytes, n);
	failed = ferror(file);
	fclose(file);
	return failed ? error_system(err, "cannot read %s", path) : 0;
}

/* Whether both go on with the same bytes to their ends. */
static bool same_bytes(FILE *first, FILE *other)
{
	char a[PIECE], b[PIECE];
	size_t n, m;

	do {
		n = fread(a, 1, sizeof(a), first);
		m = fread(b, 1, sizeof(b), other);
	} while (n == m && n > 0 && memcmp(a, b, n) == 0);
	return n == 0 && m == 0;
}

enum output_check output_compare(const char *first, const char *other, struct error *err)
{
	enum output_check check = OUTPUT_FAILED;
	FILE *a = output_open(first, err), *b = a ? output_open(other, err) : NULL;

	if (b) {
		check = same_bytes(a, b) ? OUTPUT_SAME : OUTPUT_DIFFERS;
		if (ferror(a) || ferror(b)) {
			error_system(err, "cannot read %s", ferror(a) ? first : other);
			check = OUTPUT_FAILED;
		}
		fclose(b);
	}
	if (a)
		fclose(a);
	return check;
}

/* ---- a command that compares ---- */

/* The words and both names behind them, for free(). */
static char **output_command(char *const *words, const char *first, const char *other)
{
	size_t n = 0;
	char **argv;

	while (words[n])
		n++;
	argv = xcalloc(n + 3, sizeof(*argv));
	memcpy(argv, words, n * sizeof(*argv));
	argv[n] = (char *)first;
	argv[n + 1] = (char *)other;
	return argv;
}

static enum output_check output_judge(const char *name, const struct program_result *result, struct error *err)
{
	int status = result->status;

	if (result->not_started != 0) {
		error_set(
			err, "cannot start %s, which compares outputs: %s", name, file_open_error(result->not_started));
		return OUTPUT_NO_COMMAND;
	}
	if (result->timed_out)
		error_set(err, "%s, which compares outputs, %s and was ended", name,
			result->stopped != 0 ? "was stopped" : "took too long");
	else if (WIFSIGNALED(status))
		error_set(err, "%s, which compares outputs, was ended by signal %d", name, WTERMSIG(status));
	else if (WEXITSTATUS(status) == 0)
		return OUTPUT_SAME;
	else if (WEXITSTATUS(status) == 1)
		return OUTPUT_DIFFERS;
	else
		error_set(err, "%s, which compares outputs, ended with status %d", name, WEXITSTATUS(status));
	return WIFEXITED(status) && WEXITSTATUS(status) == STATUS_NOT_FOUND ? OUTPUT_NO_COMMAND : OUTPUT_FAILED;
}

enum output_check output_check_by(
	char *const *words, const char *first, const char *other, int64_t timeout_ns, struct error *err)
{
	const struct program_apart apart = {.output = "/dev/null", .errors = "/dev/null", .timeout_ns = timeout_ns};
	char **argv = output_command(words, first, other);
	const struct program_options options = {.argv = argv, .apart = &apart};
	struct program_result result;
	int code = plain_program(&options, &result, err);

	free(argv);
	return code < 0 ? OUTPUT_FAILED : output_judge(words[0], &result, err);
}
