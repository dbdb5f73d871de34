/* result.c: see result.h. */
#include "record/worker/result.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "util/alloc.h"
#include "util/file/file.h"

/* The path of the result file. The caller frees it. */
static char *path_of(const char *spool_path)
{
	return xasprintf("%s.result", spool_path);
}

FILE *result_create(const char *spool_path, struct error *err)
{
	char *path = path_of(spool_path);
	FILE *file = fopen(path, "we");

	if (!file)
		error_set(err, "cannot make %s: %s", path, strerror(errno));
	free(path);
	return file;
}

/* The stream remembers an error of these writes; result_finish() reports it. */
void result_right(FILE *file, const char *family, const char *variant, const char *label)
{
	fprintf(file, "right %s/%s/%s\n", family, variant, label);
}

void result_at(FILE *file, const char *what)
{
	fprintf(file, "at %s\n", what);
	fflush(file);
}

void result_step(FILE *file, const char *label, int done, int total)
{
	fprintf(file, "step %d %d %s\n", done, total, label);
	fflush(file);
}

void result_measured(FILE *file)
{
	fputs("measured\n", file);
	fflush(file);
}

void result_swept(FILE *file)
{
	fputs("swept\n", file);
	fflush(file);
}

void result_fact(FILE *file, const char *key, const char *value)
{
	fprintf(file, "fact %s %s\n", key, value);
}

int result_finish(FILE *file, const char *status, const char *reason, struct error *err)
{
	bool bad;

	fprintf(file, "status %s %s\n", status, !reason ? "" : reason);
	bad = ferror(file) != 0;
	if (fclose(file) != 0 || bad)
		return error_set(err, "cannot write the result file: %s", strerror(errno));
	return 0;
}

/* Finds the status line and cuts it in two. */
static void find_status(struct result *result)
{
	static const char prefix[] = "status ";

	for (char *line = result->text; line < result->text + result->size; line += strlen(line) + 1) {
		char *space;

		if (strncmp(line, prefix, sizeof(prefix) - 1) != 0)
			continue;
		result->status = line + sizeof(prefix) - 1;
		space = strchr(result->status, ' ');
		if (!space)
			return;
		*space = '\0';
		if (space[1] != '\0')
			result->reason = space + 1;
		return;
	}
}

int result_read(const char *spool_path, struct result *out, struct error *err)
{
	char *path = path_of(spool_path);

	*out = (struct result){0};
	if (access(path, F_OK) == 0) {
		out->text = file_read(path, &out->size, err);
		if (!out->text) {
			free(path);
			return -1;
		}
	}
	free(path);
	for (size_t i = 0; i < out->size; i++)
		if (out->text[i] == '\n')
			out->text[i] = '\0';
	find_status(out);
	return 0;
}

void result_free(struct result *result)
{
	free(result->text);
	*result = (struct result){0};
}

/* What follows `prefix` in the last line that begins with it, or NULL. */
static const char *result_after(const struct result *result, const char *prefix)
{
	size_t length = strlen(prefix);
	const char *found = NULL;

	for (const char *line = result->text; line < result->text + result->size; line += strlen(line) + 1)
		if (strncmp(line, prefix, length) == 0)
			found = line + length;
	return found;
}

bool result_has_measured(const struct result *result)
{
	return result_after(result, "measured") != NULL;
}

bool result_has_swept(const struct result *result)
{
	return result_after(result, "swept") != NULL;
}

bool result_is_right(const struct result *result, const char *family, const char *variant, const char *label)
{
	char line[256];

	if (snprintf(line, sizeof(line), "right %s/%s/%s", family, variant, label) >= (int)sizeof(line))
		return false;
	for (const char *p = result->text; p < result->text + result->size; p += strlen(p) + 1)
		if (strcmp(p, line) == 0)
			return true;
	return false;
}

const char *result_last_at(const struct result *result)
{
	return result_after(result, "at ");
}

bool result_last_step(const struct result *result, char *label, size_t size, int *done, int *total)
{
	const char *step = result_after(result, "step ");
	int used = 0;

	if (!step || sscanf(step, "%d %d %n", done, total, &used) != 2 || used == 0)
		return false;
	snprintf(label, size, "%s", step + used);
	return true;
}

const char *result_fact_value(const struct result *result, const char *key)
{
	char prefix[64];

	snprintf(prefix, sizeof(prefix), "fact %s ", key);
	return result_after(result, prefix);
}
