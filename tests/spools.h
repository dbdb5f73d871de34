/* spools.h: rows of every kind for spools in a scratch folder, and ways to compare them. Include after "scratch.h". */
#ifndef DBPROF_TESTS_SPOOLS_H
#define DBPROF_TESTS_SPOOLS_H

#include <math.h>
#include <sys/stat.h>

#include "store/spool-format.h"

static inline struct spool *create_spool(const char *name)
{
	struct error err = {""};
	struct spool *spool = spool_create(in_scratch(name), &err);

	assert_string_equal(err.text, "");
	assert_non_null(spool);
	return spool;
}

static inline struct spool_reader *open_spool(const char *name)
{
	struct error err = {""};
	struct spool_reader *reader = spool_reader_open(in_scratch(name), &err);

	assert_string_equal(err.text, "");
	assert_non_null(reader);
	return reader;
}

static inline void append_meta(struct spool *spool, const char *key, const char *value)
{
	const struct value row[META_NUMBER] = {[META_key] = VALUE_OF_TEXT(key), [META_value] = VALUE_OF_TEXT(value)};
	struct error err = {""};

	assert_int_equal(spool_row(spool, TABLE_META, row, &err), 0);
}

static inline long file_size(const char *name)
{
	struct stat st;

	assert_int_equal(stat(in_scratch(name), &st), 0);
	return (long)st.st_size;
}

static inline void write_bytes(const char *name, const void *data, size_t size)
{
	FILE *file = fopen(in_scratch(name), "w");

	assert_non_null(file);
	assert_int_equal(fwrite(data, 1, size, file), size);
	assert_int_equal(fclose(file), 0);
}

/* Marsaglia's xorshift; `seed` is not 0. */
static inline uint32_t next_random(uint32_t *seed)
{
	*seed ^= *seed << 13;
	*seed ^= *seed >> 17;
	*seed ^= *seed << 5;
	return *seed;
}

static inline int64_t any_integer(uint32_t *seed)
{
	static const int64_t special[] = {0, 1, -1, 63, 64, -64, -65, INT64_MIN, INT64_MAX, INT64_MIN + 1, UINT32_MAX};
	uint32_t which = next_random(seed) % 16;

	return which < sizeof special / sizeof *special ? special[which] : (int64_t)next_random(seed) << which;
}

static inline double any_real(uint32_t *seed)
{
	static const double special[] = {0, -0.0, 1, 0.1, -1e308, 5e-324, INFINITY, -INFINITY, NAN};

	return special[next_random(seed) % (sizeof special / sizeof *special)];
}

/* Some texts come again and again, some are long, one is no UTF-8. Lives until the next call but five. */
static inline const char *any_text(uint32_t *seed)
{
	static const int lengths[] = {0, 1, 7, 8, 9, 127, 128, 255, 256, 257, 5000};
	static char texts[6][5001];
	static unsigned next;
	char *text = texts[next++ % 6];
	uint32_t which = next_random(seed) % 24;

	if (which < sizeof lengths / sizeof *lengths) {
		memset(text, 'a' + (int)which, (size_t)lengths[which]);
		text[lengths[which]] = '\0';
	} else {
		snprintf(text, sizeof texts[0],
			which == 23 ? "no \xff UTF-8"
				    : "gr\xc3\xb6\xc3\x9f"
				      "er %u",
			next_random(seed) % 50);
	}
	return text;
}

/* Makes the next row of one of some tables, rows[table], with cells of every kind; most stay as they are, as in a real
 * spool. The same rows come from the same seed if all are zeros at first. Texts live until the next call. */
static inline enum table_id any_row(uint32_t *seed, struct value rows[TABLES_NUMBER][TABLE_MAX_COLUMNS])
{
	static const enum table_id tables[] = {TABLE_KERNEL, TABLE_RUNTIME, TABLE_NVTX, TABLE_SAMPLE, TABLE_CLOCK};
	enum table_id table = tables[next_random(seed) % (sizeof tables / sizeof *tables)];
	const struct table *t = schema_table(table);

	for (int i = 0; i < t->ncolumns; i++) {
		struct value *value = &rows[table][i];
		enum column_type type = t->columns[i].type;

		/* A text of an older row is gone. */
		if (next_random(seed) % 4 != 0 && value->kind != VALUE_TEXT)
			continue;
		if (next_random(seed) % 4 == 0)
			*value = (struct value){.kind = VALUE_NULL};
		else if (type == COLUMN_INT)
			*value = VALUE_OF_INT(any_integer(seed));
		else if (type == COLUMN_REAL)
			*value = VALUE_OF_REAL(any_real(seed));
		else
			*value = VALUE_OF_TEXT(any_text(seed));
	}
	return table;
}

/* Bits are compared: NaN is NaN, and -0 is not 0. */
static inline void assert_same_value(const struct value *got, const struct value *want)
{
	assert_int_equal(got->kind, want->kind);
	if (want->kind == VALUE_INT)
		assert_true(got->integer == want->integer);
	else if (want->kind == VALUE_REAL)
		assert_memory_equal(&got->real, &want->real, sizeof want->real);
	else if (want->kind == VALUE_TEXT)
		assert_string_equal(got->text, want->text);
}

static inline void assert_same_row(const struct spool_record *record, enum table_id table, const struct value *want)
{
	assert_int_equal(record->table, table);
	for (int i = 0; i < schema_table(table)->ncolumns; i++)
		assert_same_value(&record->row[i], &want[i]);
}

/* Appends `n` rows that any_row() makes of `seed`. If `ends` is given, flushes after each and notes the file's size. */
static inline void append_any(struct spool *spool, const char *name, uint32_t seed, int n, long *ends)
{
	struct value rows[TABLES_NUMBER][TABLE_MAX_COLUMNS] = {{{0}}};
	struct error err = {""};

	for (int i = 0; i < n; i++) {
		enum table_id table = any_row(&seed, rows);

		assert_int_equal(spool_row(spool, table, rows[table], &err), 0);
		if (ends != NULL) {
			assert_int_equal(spool_flush(spool, &err), 0);
			ends[i] = file_size(name);
		}
	}
}

/* Reads to the end; each row must be the one that append_any() wrote. Returns how many. */
static inline int check_any(struct spool_reader *reader, uint32_t seed)
{
	struct value rows[TABLES_NUMBER][TABLE_MAX_COLUMNS] = {{{0}}};
	struct spool_record record;
	struct error err = {""};
	int n = 0;

	for (; spool_reader_next(reader, &record, &err) > 0; n++) {
		enum table_id table = any_row(&seed, rows);

		assert_same_row(&record, table, rows[table]);
	}
	assert_string_equal(err.text, "");
	return n;
}

#endif
