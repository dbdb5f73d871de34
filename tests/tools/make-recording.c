/* make-recording.c: writes recordings for tests: a built-in scenario, or a script from standard input. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fixtures/recording-scenarios.h"
#include "fixtures/recording-script.h"

static int fill_from_stdin(struct recording *rec, struct error *err)
{
	char *line = NULL;
	size_t size = 0;
	int rc = 0;

	for (int number = 1; rc == 0 && getline(&line, &size, stdin) >= 0; number++) {
		rc = script_line(rec, line, err);
		if (rc != 0)
			error_prefix(err, "line %d", number);
	}
	if (rc == 0 && ferror(stdin))
		rc = error_set(err, "standard input: %s", strerror(errno));
	free(line);
	return rc;
}

static int fill(struct recording *rec, const char *name, struct error *err)
{
	if (strcmp(name, "-") == 0)
		return fill_from_stdin(rec, err);
	for (const struct scenario *s = scenarios; s->name != NULL; s++)
		if (strcmp(s->name, name) == 0)
			return s->fill(rec, err);
	return error_set(err, "no scenario '%s'", name);
}

static int make(const char *name, const char *path, struct error *err)
{
	struct recording *rec = recording_create(path, SCRIPT_EPOCH_NS, err);

	if (rec == NULL)
		return -1;
	if (fill(rec, name, err) != 0) {
		recording_abandon(rec);
		return -1;
	}
	return recording_finish(rec, err);
}

int main(int argc, char **argv)
{
	struct error err = {0};

	if (argc != 3) {
		fputs("Usage: make-recording SCENARIO OUT, or make-recording - OUT < SCRIPT\nScenarios:\n", stderr);
		for (const struct scenario *s = scenarios; s->name != NULL; s++)
			fprintf(stderr, "  %-14s %s\n", s->name, s->summary);
		return 2;
	}
	if (make(argv[1], argv[2], &err) == 0)
		return 0;
	fprintf(stderr, "make-recording: %s\n", err.text);
	return 1;
}
