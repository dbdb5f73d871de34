/*
 * store.h: the recording, the one SQLite file between the GPU side and the report side. The only SQL in dbprof is
 * behind this header. Three faces: spool (append, from any process), writer (spools to recording), reader.
 *
 * Every function returns 0, or -1 with `err` filled, unless it says otherwise.
 */
#ifndef DBPROF_STORE_STORE_H
#define DBPROF_STORE_STORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "store/schema.h"
#include "util/error.h"

/* One cell. Text is borrowed: it must live until the call with the value returns. */
struct value {
	enum { VALUE_NULL, VALUE_INT, VALUE_REAL, VALUE_TEXT } kind;
	union {
		int64_t integer;
		double real;
		const char *text; /* UTF-8, NUL-terminated; NULL is stored as NULL */
	};
};

#define VALUE_OF_INT(x) ((struct value){.kind = VALUE_INT, .integer = (int64_t)(x)})
#define VALUE_OF_REAL(x) ((struct value){.kind = VALUE_REAL, .real = (x)})
#define VALUE_OF_TEXT(x) ((struct value){.kind = VALUE_TEXT, .text = (x)})

/* NULL unless `known`. */
#define VALUE_OF_INT_IF(x, known) ((known) ? VALUE_OF_INT(x) : (struct value){.kind = VALUE_NULL})

/* ---- spool: an append-only file of rows, one per process; survives a crash of its writer up to the last flush ---- */

struct spool;

/* Creates the file (mode 0600, must not exist). The spool is thread-safe: rows from several threads do not mix. The
 * program around it may close the descriptor and use its number for another file. */
struct spool *spool_create(const char *path, struct error *err);

/* Appends one row. `row` has as many values as the table has columns; a zeroed value is NULL. Times in a spool are
 * absolute (CLOCK_REALTIME, ns); the writer shifts them to the session's start. After an I/O error this and every later
 * call return it. */
int spool_row(struct spool *spool, enum table_id table, const struct value *row, struct error *err);

/* Hands all rows so far to the operating system: they are then in the file, even if the process is killed at once.
 * Other threads can append rows meanwhile. */
int spool_flush(struct spool *spool, struct error *err);

/* Whether nobody can read it any more: the file was removed, or the program has closed the descriptor and the file
 * cannot be opened again. */
bool spool_is_removed(struct spool *spool);

/* Removes the file, which nobody will read. The spool must still be closed. */
void spool_discard(struct spool *spool);

/* Flushes, closes and frees. NULL is allowed. */
int spool_close(struct spool *spool, struct error *err);

/* For a child of fork(), which has a copy of the parent's spool: closes and frees the copy, writes nothing, and waits
 * for no lock. The parent's spool is as it was. NULL is allowed. */
void spool_forget(struct spool *spool);

/* ---- writer ---- */

struct recording;

/* Starts the recording that will be `path`, under a temporary name in the same folder. `epoch_ns` is the session's
 * start (CLOCK_REALTIME, ns): it is subtracted from every time (columns start, end, timestamp). Fills the ENUM_*
 * tables, META_DATA_EXPORT, TARGET_INFO_SESSION_START_TIME and DBPROF_META "version". NULL on error. */
struct recording *recording_create(const char *path, int64_t epoch_ns, struct error *err);

/* Writes one row. Times are absolute, as in a spool. */
int recording_row(struct recording *rec, enum table_id table, const struct value *row, struct error *err);

/* Writes DBPROF_META: key = value. */
int recording_meta(struct recording *rec, const char *key, const char *value, struct error *err);

/* Appends all whole rows of a spool. If its writer was killed, a torn tail is dropped and *torn set; that is no error.
 * A file that is not a spool of this dbprof is an error. */
int recording_add_spool(struct recording *rec, const char *path, bool *torn, struct error *err);

/* What a caller makes of the rows of a spool. Members that are NULL or 0 are left out. Its functions may write rows of
 * tables of which `take` leaves out all rows. */
struct recording_edit {
	void *user;

	/* Sees each row. False leaves it out. */
	bool (*take)(void *user, enum table_id table, const struct value *row);

	/* May change columns of a row: those of `columns`, bits by table; `row` has no others. What it makes of them
	 * follows from what they hold and from nothing else: it is called only if one of them is not as it was in the
	 * row before, or if `version` is another. Texts that it puts in must stay as they are until the spool is added.
	 */
	void (*change)(void *user, enum table_id table, struct value *row);
	uint64_t columns[TABLES_NUMBER];
	unsigned version;

	/* Asked from time to time: true, with `err`, ends the reading. */
	bool (*stop)(void *user, struct error *err);
};

/* The same, but each row goes through `edit` first. With `rec` NULL nothing is written. A thread of its own reads a
 * large spool; `edit` is called in the caller's. */
int recording_edit_spool(
	struct recording *rec, const char *path, const struct recording_edit *edit, bool *torn, struct error *err);

/* Makes the recording durable (commit, fsync) and gives it its name. Frees `rec` in any case. On error nothing appears
 * at `path`, and an older file there is as it was. */
int recording_finish(struct recording *rec, struct error *err);

/* Throws it away. NULL is allowed. */
void recording_abandon(struct recording *rec);

/* ---- reader: a dbprof recording or an Nsight Systems SQLite export ---- */

struct store;
struct cursor;

/* Opens a file for reading. One that is compressed with zstd, whatever its name, is unpacked first, within limits
 * (packed/packed.h). An error says in one line what is wrong and what to do: the file is not there, a folder, empty,
 * truncated, not SQLite, of a newer version, neither a recording nor an export. */
struct store *store_open(const char *path, struct error *err);
void store_close(struct store *store); /* NULL is allowed */

/* Takes bytes. 0, or -1 with `err`. */
typedef int store_put(void *user, const void *data, size_t size, struct error *err);

/* Hands the SQLite file to `put`, piece by piece: as it is, or unpacked if it was compressed. A stranger's file can be
 * a hole of any length that takes no room: it is refused, as one that is compressed would be. */
int store_copy(struct store *store, store_put *put, void *user, struct error *err);

/* The same, compressed so that store_open() takes it. Refuses what it would not take. */
int store_pack(struct store *store, store_put *put, void *user, struct error *err);

/* From now on texts that tell whose recording it is are not handed out: see store/redact/redact.h. `own` are the names
 * of families that stay, ended by NULL; borrowed for the length of the call. */
int store_redact(struct store *store, const char *const *own, struct error *err);

/* The two together; with `own` NULL nothing is redacted. NULL on error. */
struct store *store_open_redacted(const char *path, const char *const *own, struct error *err);

bool store_is_redacted(const struct store *store);

/* What a text would be handed out as if it stood in this column, which no other column of its row explains: itself
 * unless the store is redacted. NULL for NULL. Lives as long as the store and the text. */
const char *store_redacted_text(const struct store *store, enum table_id table, int column, const char *text);

/* What stands for the name of a recording with this path where it is redacted. */
void store_redacted_name(const char *path, char *out, size_t size);

/* The file's name without folders, or what stands for it where it is redacted. Lives as long as the store. */
const char *store_file_name(const struct store *store);

/* True if dbprof made it (it has DBPROF_META), false for an Nsight Systems export. */
bool store_is_dbprof(const struct store *store);

/* The value of a DBPROF_META key, or NULL. Lives as long as the store. */
const char *store_meta(const struct store *store, const char *key);

/* Whether the file has the table. */
bool store_has(const struct store *store, enum table_id table);

/* All rows of a table, under its name or the name in older exports. A missing table has no rows; a missing column is
 * NULL. `order` is the index of a column of integers: rows are sorted by it, ascending, rows without a number first.
 * -1: the file's order. NULL on error; close with cursor_close(). */
struct cursor *store_rows(struct store *store, enum table_id table, int order, struct error *err);

/* The same in the file's order. Only these `n` columns are read, the others are NULL: faster where there are many rows.
 */
struct cursor *store_columns(struct store *store, enum table_id table, const int *columns, size_t n, struct error *err);

/* Steps to the next row: 1 there is one, 0 at the end, -1 on error (a damaged file). */
int cursor_next(struct cursor *cursor, struct error *err);
void cursor_close(struct cursor *cursor); /* NULL is allowed */

/* The cells of the row, by column index (KERNEL_start ...). NULL reads as 0, 0.0 and NULL, and so
 * does what is no number in a column of numbers. A name (COLUMN_NAME) comes
 * as text, whether the file has its id in StringIds (then at most 4096 bytes of the text) or the text itself. Text
 * lives until the next cursor_next(). */
bool cursor_null(const struct cursor *cursor, int column);
int64_t cursor_int(const struct cursor *cursor, int column);
int64_t cursor_time(const struct cursor *cursor, int column); /* TIME_NONE (store/event.h) where cursor_null() */
double cursor_real(const struct cursor *cursor, int column);
const char *cursor_text(const struct cursor *cursor, int column);
/* The same text of a redacted recording as its file has it: to judge by, never to hand out. */
const char *cursor_text_in_file(const struct cursor *cursor, int column);
/* Whether a name is kept as an id in StringIds, and which id. Equal ids have equal texts. */
bool cursor_name_id(const struct cursor *cursor, int column, int64_t *id);

/* The label that the file's own ENUM table gives a number ("Pageable"), or NULL. Lives as long as the store.
 * `enum_table` is the SQL name, e.g. "ENUM_CUDA_MEM_KIND". */
const char *store_enum_label(struct store *store, const char *enum_table, int64_t id);

/* The schema's number (enums.c) for what the file calls `id`: looked up by the name, else by the label, in the file's
 * own ENUM table. `id` itself if the file does not tell, or if the schema does not know what it tells. */
int64_t store_enum_number(struct store *store, const char *enum_table, int64_t id);

/* The schema's label of one of its numbers ("Pageable"), or NULL. */
const char *schema_enum_label(const char *enum_table, int64_t number);

#endif
