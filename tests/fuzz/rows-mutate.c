/* rows-mutate.c: changes the text of rows.h line by line and cell by cell. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "rows.h"
#include "store/schema.h"

enum { MAX_LINES = 2000, MAX_LINE = 4096 };

struct line {
	const char *at;
	size_t size;
};

/* A text being changed. */
struct mutation {
	uint32_t random;
	struct line line[MAX_LINES];
	size_t nlines;
	char fresh[MAX_LINE]; /* a line that was not there before */
};

static uint32_t below(struct mutation *m, size_t n)
{
	m->random = m->random * 1664525u + 1013904223u;
	return (uint32_t)((m->random >> 8) % (n == 0 ? 1 : n));
}

static void split(struct mutation *m, const char *text, size_t size)
{
	for (const char *at = text, *end = text + size; at < end && m->nlines < MAX_LINES;) {
		const char *stop = memchr(at, '\n', (size_t)(end - at));
		size_t n = (size_t)((stop == NULL ? end : stop) - at);

		m->line[m->nlines++] = (struct line){at, n};
		at += n + 1;
	}
}

static size_t join(const struct mutation *m, char *out, size_t max_size)
{
	size_t used = 0;

	for (size_t i = 0; i < m->nlines && used + m->line[i].size + 1 <= max_size; i++) {
		memcpy(out + used, m->line[i].at, m->line[i].size);
		used += m->line[i].size;
		out[used++] = '\n';
	}
	return used;
}

/* ---- what is put in ---- */

static const char *hostile_value(struct mutation *m)
{
	static const char *const values[] = {"0", "1", "-1", "2", "7", "59", "60", "75", "255", "4294967295",
		"4294967296", "2147483647", "-2147483648", "9223372036854775807", "-9223372036854775808",
		"2305843009213693952", "-2305843009213693953", "1e308", "-1e308", "1e-320", "0.5", "nan", "inf", "\"\"",
		"\"<fuzz>&'\\\"`\"", "\"\\n\\n=1+1\"", "\"\\xff\\xc0\\xaf\"", "\"\\xf0\\x9f\\x92\\xa9\"", "\"\\x00a\"",
		"\"%s%n{{{x}}}\"", "\"</script>\"", "x'00ff'", "x''", "time", "done", "double", "1000", "1000000"};

	return values[below(m, sizeof values / sizeof *values)];
}

static const struct column *random_column(struct mutation *m, const struct table *t)
{
	return &t->columns[below(m, (size_t)t->ncolumns)];
}

/* Which table a line is about, or -1. */
static int table_of(const struct line *line)
{
	const char *at = line->at, *end = at + line->size, *space;

	if (at < end && *at == '*') {
		at = memchr(at, ' ', line->size);
		at = at == NULL ? end : at + 1;
	}
	space = memchr(at, ' ', (size_t)(end - at));
	return rows_table(at, (size_t)((space == NULL ? end : space) - at));
}

/* A text for the place of line `i`. */
static void replace(struct mutation *m, size_t i, int length)
{
	if (length > 0 && length < MAX_LINE)
		m->line[i] = (struct line){m->fresh, (size_t)length};
}

/* ---- the changes ---- */

static void move_line(struct mutation *m)
{
	size_t from = below(m, m->nlines), to = below(m, m->nlines);
	struct line line = m->line[from];

	m->line[from] = m->line[to];
	m->line[to] = line;
}

static void drop_line(struct mutation *m)
{
	size_t at = below(m, m->nlines);

	memmove(&m->line[at], &m->line[at + 1], (m->nlines - at - 1) * sizeof *m->line);
	m->nlines--;
}

static void double_line(struct mutation *m)
{
	if (m->nlines < MAX_LINES) {
		m->line[m->nlines] = m->line[below(m, m->nlines)];
		m->nlines++;
	}
}

static void add_row(struct mutation *m)
{
	int id = (int)below(m, TABLES_NUMBER);
	const struct table *t = schema_table((enum table_id)id);
	int n = snprintf(m->fresh, MAX_LINE, "%s", rows_table_name(id));

	if (m->nlines == MAX_LINES)
		return;
	for (int i = 0; i < t->ncolumns; i++)
		if (below(m, 3) != 0)
			n += snprintf(m->fresh + n, (size_t)(MAX_LINE - n), " %s=%s", t->columns[i].name,
				below(m, 2) != 0 ? hostile_value(m) : "3");
	m->nlines++;
	replace(m, m->nlines - 1, n);
}

static void copy_row(struct mutation *m)
{
	size_t i = below(m, m->nlines);
	const struct line line = m->line[i];

	replace(m, i,
		snprintf(m->fresh, MAX_LINE, "*%u+%u %.*s", below(m, 2000), below(m, 100), (int)line.size, line.at));
}

/* Lacking columns, and columns of other types. */
static void change_schema(struct mutation *m)
{
	static const char *const types[] = {"INT", "TEXT", "REAL", "BLOB", "NUMERIC", ""};
	size_t i = below(m, m->nlines);
	int id = table_of(&m->line[i]);
	const char *column;

	if (id < 0 || m->nlines == MAX_LINES)
		return;
	column = random_column(m, schema_table((enum table_id)id))->name;
	i = m->nlines++;
	m->line[i] = (struct line){"", 0};
	if (below(m, 2) != 0)
		replace(m, i, snprintf(m->fresh, MAX_LINE, "-%s %s", rows_table_name(id), column));
	else
		replace(m, i,
			snprintf(m->fresh, MAX_LINE, "~%s %s=%s", rows_table_name(id), column,
				types[below(m, sizeof types / sizeof *types)]));
}

/* Where the value of the k-th cell begins and ends, or false. */
static bool find_value(const struct line *line, size_t k, size_t *begin, size_t *end)
{
	bool quoted = false;

	for (size_t i = 0, n = 0; i < line->size; i++) {
		quoted = quoted != (line->at[i] == '"' && line->at[i - (i > 0)] != '\\');
		if (quoted || line->at[i] != '=' || n++ != k)
			continue;
		*begin = i + 1;
		for (i++; i < line->size && (quoted || line->at[i] != ' '); i++)
			quoted = quoted != (line->at[i] == '"' && line->at[i - 1] != '\\');
		*end = i;
		return true;
	}
	return false;
}

/* A number moved a little, or another value altogether. */
static void change_value(struct mutation *m)
{
	size_t i = below(m, m->nlines), begin, end;
	const struct line line = m->line[i];
	char number[32];
	const char *value = hostile_value(m);

	if (!find_value(&line, below(m, 24), &begin, &end) && !find_value(&line, below(m, 4), &begin, &end))
		return;
	if (below(m, 3) == 0 && end - begin < sizeof number) {
		memcpy(number, line.at + begin, end - begin);
		number[end - begin] = '\0';
		snprintf(number, sizeof number, "%lld",
			(long long)((unsigned long long)strtoll(number, NULL, 0) + below(m, 2001) - 1000));
		value = number;
	}
	replace(m, i,
		snprintf(m->fresh, MAX_LINE, "%.*s%s%.*s", (int)begin, line.at, value, (int)(line.size - end),
			line.at + end));
}

static void add_value(struct mutation *m)
{
	size_t i = below(m, m->nlines);
	const struct line line = m->line[i];
	int id = table_of(&line);

	if (id >= 0)
		replace(m, i,
			snprintf(m->fresh, MAX_LINE, "%.*s %s=%s", (int)line.size, line.at,
				random_column(m, schema_table((enum table_id)id))->name, hostile_value(m)));
}

/* The name of a column that the schema does not have: its value is then NULL. */
static void lose_value(struct mutation *m)
{
	size_t i = below(m, m->nlines), begin, end;
	const struct line line = m->line[i];

	if (find_value(&line, below(m, 16), &begin, &end))
		replace(m, i,
			snprintf(m->fresh, MAX_LINE, "%.*s_=%.*s", (int)begin - 1, line.at, (int)(line.size - begin),
				line.at + begin));
}

static void add_sql(struct mutation *m)
{
	static const char *const sql[] = {"!PRAGMA encoding='UTF-16le'", "!PRAGMA page_size=4096",
		"!CREATE VIEW StringIds AS SELECT 1 AS id, 'x' AS value", "!DELETE FROM StringIds", "!VACUUM",
		"!UPDATE CUPTI_ACTIVITY_KIND_KERNEL SET start = -start", "!CREATE INDEX i ON NVTX_EVENTS(text, start)",
		"!ALTER TABLE CUPTI_ACTIVITY_KIND_KERNEL ADD COLUMN g AS (start * 2)",
		"!UPDATE DBPROF_SAMPLE SET run = abs(random() % 7)", "!UPDATE DBPROF_META SET value = value || '9'"};

	if (m->nlines < MAX_LINES) {
		const char *line = sql[below(m, sizeof sql / sizeof *sql)];

		m->line[m->nlines++] = (struct line){line, strlen(line)};
	}
}

size_t rows_mutate(uint8_t *text, size_t size, size_t max_size, unsigned seed)
{
	static void (*const changes[])(struct mutation * m) = {change_value, change_value, change_value, change_value,
		add_value, add_value, lose_value, double_line, drop_line, move_line, add_row, copy_row, change_schema,
		add_sql};
	struct mutation *m = calloc(1, sizeof *m);
	char *out = malloc(max_size == 0 ? 1 : max_size);

	fuzz_check(m != NULL && out != NULL, "out of memory");
	m->random = seed;
	split(m, (const char *)text, size);
	if (below(m, 10) == 0 || m->nlines == 0) {
		size = LLVMFuzzerMutate(text, size, max_size);
	} else {
		changes[below(m, sizeof changes / sizeof *changes)](m);
		size = join(m, out, max_size);
		memcpy(text, out, size);
	}
	free(out);
	free(m);
	return size;
}
