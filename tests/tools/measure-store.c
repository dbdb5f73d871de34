/* measure-store.c: what a row costs in a spool and on its way into a recording. Takes the kernels and the API calls of
 * RECORDING and repeats them until there are ROWS of each. Prints six numbers: bytes and ns per kernel in a spool,
 * bytes and ns per API call there, rows per second from spools into a recording, and the peak of resident memory (MB).
 * The files go into FOLDER and are removed. usage: measure-store RECORDING ROWS FOLDER */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "store/store.h"

/* The rows of one table as they were recorded. */
struct sample {
	enum table_id table;
	int columns, start, end, correlation; /* how many; which of them grow from one repetition to the next */
	struct value *rows;
	size_t nrows;
	int64_t span; /* of the times (ns) */
};

static _Noreturn void fail(const char *what)
{
	fprintf(stderr, "measure-store: %s\n", what);
	exit(1);
}

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* The one copy of a text: a traced program's names stand in one place too. */
static const char *kept(const char *text)
{
	static const char *texts[4096];
	static size_t n;

	for (size_t i = 0; i < n; i++)
		if (strcmp(texts[i], text) == 0)
			return texts[i];
	if (n == sizeof texts / sizeof *texts || (texts[n] = strdup(text)) == NULL)
		fail("too many names");
	return texts[n++];
}

static struct value cell(const struct cursor *cursor, enum table_id table, int column)
{
	if (cursor_null(cursor, column))
		return (struct value){.kind = VALUE_NULL};
	if (schema_table(table)->columns[column].type == COLUMN_NAME)
		return VALUE_OF_TEXT(kept(cursor_text(cursor, column)));
	return VALUE_OF_INT(cursor_int(cursor, column));
}

static void load(struct sample *sample, struct store *store)
{
	struct cursor *cursor = store_rows(store, sample->table, -1, NULL);
	int64_t first = INT64_MAX, last = INT64_MIN;

	while (cursor_next(cursor, NULL) == 1) {
		size_t size = (sample->nrows + 1) * (size_t)sample->columns * sizeof *sample->rows;
		struct value *row;

		sample->rows = realloc(sample->rows, size);
		if (sample->rows == NULL)
			fail("out of memory");
		row = sample->rows + sample->nrows++ * (size_t)sample->columns;
		for (int i = 0; i < sample->columns; i++)
			row[i] = cell(cursor, sample->table, i);
		first = row[sample->start].integer < first ? row[sample->start].integer : first;
		last = row[sample->end].integer > last ? row[sample->end].integer : last;
	}
	cursor_close(cursor);
	if (sample->nrows == 0)
		fail("the recording has no kernels or no API calls");
	sample->span = last - first;
}

static void append(struct spool *spool, const struct sample *sample, size_t at)
{
	int64_t turn = (int64_t)(at / sample->nrows);
	struct value row[TABLE_MAX_COLUMNS];

	memcpy(row, sample->rows + at % sample->nrows * (size_t)sample->columns, (size_t)sample->columns * sizeof *row);
	row[sample->start].integer += turn * sample->span;
	row[sample->end].integer += turn * sample->span;
	row[sample->correlation].integer += turn * (int64_t)sample->nrows;
	if (spool_row(spool, sample->table, row, NULL) != 0)
		fail("cannot write a spool");
}

static void write_spool(const struct sample *sample, const char *path, size_t rows)
{
	double start = now(), seconds;
	struct spool *spool = spool_create(path, NULL);
	struct stat st;

	if (spool == NULL)
		fail("cannot make a spool");
	for (size_t i = 0; i < rows; i++)
		append(spool, sample, i);
	if (spool_close(spool, NULL) != 0 || stat(path, &st) != 0)
		fail("cannot write a spool");
	seconds = now() - start;
	printf("%.1f %.0f ", (double)st.st_size / (double)rows, seconds * 1e9 / (double)rows);
}

static void add(struct recording *rec, const char *path)
{
	bool torn;

	if (recording_add_spool(rec, path, &torn, NULL) != 0 || torn)
		fail("cannot read a spool");
	unlink(path);
}

int main(int argc, char **argv)
{
	struct sample kernels = {.table = TABLE_KERNEL,
		.columns = KERNEL_NUMBER,
		.start = KERNEL_start,
		.end = KERNEL_end,
		.correlation = KERNEL_correlationId};
	struct sample calls = {.table = TABLE_RUNTIME,
		.columns = RUNTIME_NUMBER,
		.start = RUNTIME_start,
		.end = RUNTIME_end,
		.correlation = RUNTIME_correlationId};
	size_t rows = argc == 4 ? strtoul(argv[2], NULL, 10) : 0;
	struct store *store = rows == 0 ? NULL : store_open(argv[1], NULL);
	struct recording *rec;
	struct rusage usage;
	double start;

	if (store == NULL || chdir(argv[3]) != 0)
		fail("usage: measure-store RECORDING ROWS FOLDER");
	load(&kernels, store);
	load(&calls, store);
	store_close(store);
	write_spool(&kernels, "kernels.spool", rows);
	write_spool(&calls, "calls.spool", rows);
	start = now();
	rec = recording_create("recording", 0, NULL);
	if (rec == NULL)
		fail("cannot make a recording");
	add(rec, "kernels.spool");
	add(rec, "calls.spool");
	if (recording_finish(rec, NULL) != 0 || getrusage(RUSAGE_SELF, &usage) != 0)
		fail("cannot write the recording");
	printf("%.0f %.0f\n", 2 * (double)rows / (now() - start), (double)usage.ru_maxrss * 1024 / 1e6);
	unlink("recording");
	return 0;
}
