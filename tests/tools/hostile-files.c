/*
 * hostile-files.c: makes files that only a stranger would make.
 * usage: hostile-files sql FILE < SCRIPT      runs SQL on FILE; may also write to the schema
 *        hostile-files huge FILE TABLE        the first row of TABLE claims to be three gigabytes long
 *        hostile-files bomb FILE TABLE        TABLE becomes a tree whose pages all have the same child: endless rows
 *        hostile-files loop FILE TABLE        TABLE becomes a tree that holds itself
 *        hostile-files text FILE TABLE        rows of TABLE, two integers and a text, share one text of four megabytes
 *        hostile-files pad FILE TABLE         rows of TABLE, bytes and two integers, share all but the first 500 bytes
 *        hostile-files zeros FILE NOISE ZEROS a frame of zstd: so many megabytes that do not shrink, and so many of
 * zeros
 *
 * The format of pages: https://www.sqlite.org/fileformat2.html
 */
#include <sqlite3.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

enum { PAGE = 4096, LEAF = 0x0d, INTERIOR = 0x05, DEPTH = 12 };

static void fail(const char *what, const char *why)
{
	fprintf(stderr, "hostile-files: %s: %s\n", what, why);
	exit(1);
}

static char *script(void)
{
	size_t size = 0, room = 1 << 16;
	char *text = malloc(room);

	for (size_t n; text && (n = fread(text + size, 1, room - size - 1, stdin)) > 0;) {
		size += n;
		if (size + 1 == room) {
			char *more = realloc(text, room *= 2);

			if (!more)
				fail("script", "memory");
			text = more;
		}
	}
	if (!text)
		fail("script", "memory");
	text[size] = '\0';
	return text;
}

static void run_script(const char *path)
{
	char *text = script(), *why = NULL;
	sqlite3 *db;

	if (sqlite3_open(path, &db) != SQLITE_OK)
		fail(path, sqlite3_errmsg(db));
	sqlite3_db_config(db, SQLITE_DBCONFIG_DEFENSIVE, 0, NULL);
	sqlite3_db_config(db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 1, NULL);
	if (sqlite3_exec(db, "PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF", NULL, NULL, NULL) != SQLITE_OK ||
		sqlite3_exec(db, text, NULL, NULL, &why) != SQLITE_OK)
		fail(path, why ? why : sqlite3_errmsg(db));
	sqlite3_close(db);
	free(text);
}

static uint32_t root_page(const char *path, const char *table)
{
	sqlite3_stmt *stmt = NULL;
	sqlite3 *db;
	uint32_t page;

	if (sqlite3_open(path, &db) != SQLITE_OK ||
		sqlite3_prepare_v2(db, "SELECT rootpage FROM sqlite_master WHERE name = ?", -1, &stmt, NULL) !=
			SQLITE_OK)
		fail(path, sqlite3_errmsg(db));
	sqlite3_bind_text(stmt, 1, table, -1, SQLITE_STATIC);
	page = sqlite3_step(stmt) == SQLITE_ROW ? (uint32_t)sqlite3_column_int64(stmt, 0) : 0;
	sqlite3_finalize(stmt);
	sqlite3_close(db);
	if (page == 0)
		fail(table, "no such table");
	return page;
}

static void put(unsigned char *at, uint64_t value, int bytes)
{
	while (bytes-- > 0) {
		at[bytes] = (unsigned char)value;
		value >>= 8;
	}
}

static size_t varint(unsigned char *to, uint64_t value)
{
	unsigned char digits[10];
	size_t n = 0;

	do {
		digits[n++] = value & 0x7f;
		value >>= 7;
	} while (value);
	for (size_t i = 0; i < n; i++)
		to[i] = digits[n - 1 - i] | (i + 1 < n ? 0x80 : 0);
	return n;
}

static void write_page(FILE *file, uint32_t number, const unsigned char *page)
{
	if (fseek(file, (long)(number - 1) * PAGE, SEEK_SET) != 0 || fwrite(page, 1, PAGE, file) != PAGE)
		fail("page", "cannot be written");
}

/* A leaf with one row: an integer and a text of three gigabytes, whose overflow page is page 1. */
static void claim(FILE *file, uint32_t root)
{
	enum { LOCAL = 489 };
	const uint64_t text = 3000000000, payload = text + 8;
	unsigned char page[PAGE] = {LEAF}, *cell;
	uint64_t local = LOCAL + (payload - LOCAL) % (PAGE - 4);
	size_t at, n;

	if (local > PAGE - 35)
		local = LOCAL;
	at = PAGE - (size_t)local - 16;
	cell = page + at;
	n = varint(cell, payload);
	n += varint(cell + n, 1);
	cell[n] = 7; /* size of the header: itself, an integer of one byte, five bytes for a text */
	cell[n + 1] = 1;
	varint(cell + n + 2, 2 * text + 13);
	put(cell + n + local, 1, 4);
	put(page + 3, 1, 2);
	put(page + 5, at, 2);
	put(page + 8, at, 2);
	write_page(file, root, page);
}

/* An interior page with as many children as fit, all of them `child`. */
static void interior(FILE *file, uint32_t number, uint32_t child)
{
	enum { CELL = 5, CELLS = (PAGE - 12) / (CELL + 2) };
	unsigned char page[PAGE] = {INTERIOR};

	put(page + 3, CELLS, 2);
	put(page + 5, PAGE - CELLS * CELL, 2);
	put(page + 8, child, 4);
	for (int i = 0; i < CELLS; i++) {
		size_t at = PAGE - (size_t)(i + 1) * CELL;

		put(page + 12 + 2 * i, at, 2);
		put(page + at, child, 4);
		page[at + 4] = 1;
	}
	write_page(file, number, page);
}

static void set_pages(FILE *file, uint32_t pages)
{
	unsigned char count[4];

	put(count, pages, 4);
	if (fseek(file, 28, SEEK_SET) != 0 || fwrite(count, 1, 4, file) != 4)
		fail("file", "cannot be written");
}

/* The old root page moves behind the end, below a chain of interior pages. */
static void multiply(FILE *file, uint32_t root)
{
	unsigned char page[PAGE];
	uint32_t pages, child;

	if (fseek(file, 0, SEEK_END) != 0)
		fail("file", "cannot be read");
	pages = (uint32_t)(ftell(file) / PAGE);
	if (fseek(file, (long)(root - 1) * PAGE, SEEK_SET) != 0 || fread(page, 1, PAGE, file) != PAGE)
		fail("file", "cannot be read");
	write_page(file, child = ++pages, page);
	for (int i = 1; i < DEPTH; i++) {
		interior(file, ++pages, child);
		child = pages;
	}
	interior(file, root, child);
	set_pages(file, pages);
}

enum { CHAIN = 1000, LEAVES = 300, USABLE = PAGE - 4, LOCAL_LEAST = (PAGE - 12) * 32 / 255 - 23 };

/* Pages that go on in each other, of which the last ends in the integers 0 and 1. */
static void chain(FILE *file, uint32_t first)
{
	unsigned char page[PAGE];

	memset(page, 'a', PAGE);
	for (uint32_t i = 0; i < CHAIN; i++) {
		put(page, i + 1 < CHAIN ? first + i + 1 : 0, 4);
		if (i + 1 == CHAIN)
			put(page + PAGE - 2, 1, 2);
		write_page(file, first + i, page);
	}
}

/* In a header: an integer of a byte, twice. */
static size_t put_integers(unsigned char *at)
{
	at[0] = at[1] = 1;
	return 2;
}

/* A row of three columns, of which the first or the last fills the chain: the part of it that stands in a leaf. */
static void long_row(unsigned char *local, bool text)
{
	const uint64_t payload = LOCAL_LEAST + (uint64_t)CHAIN * USABLE;
	/* The size of the header, of four bytes for a length of this size and one each for the others; the integers. */
	enum { HEADER = 7, INTEGERS = 2 };
	uint64_t kind = 2 * (payload - HEADER - INTEGERS) + (text ? 13 : 12);
	size_t n = 0;

	memset(local, 'b', LOCAL_LEAST);
	local[n++] = HEADER;
	if (text)
		n += put_integers(local + n);
	n += varint(local + n, kind);
	if (!text)
		n += put_integers(local + n);
	if (n != HEADER)
		fail("header", "has another size");
	if (text)
		put(local + n, 1, INTEGERS);
}

/* A leaf full of that row, numbered from *number on. */
static void leaf(FILE *file, uint32_t page_number, uint32_t first_of_chain, bool text, uint64_t *number)
{
	unsigned char page[PAGE] = {LEAF}, cell[LOCAL_LEAST + 24];
	size_t at = PAGE, cells = 0;

	for (;; cells++) {
		size_t n = varint(cell, LOCAL_LEAST + (uint64_t)CHAIN * USABLE);

		n += varint(cell + n, *number);
		long_row(cell + n, text);
		n += LOCAL_LEAST;
		put(cell + n, first_of_chain, 4);
		n += 4;
		if (at < n + 8 + 2 * (cells + 1))
			break;
		at -= n;
		memcpy(page + at, cell, n);
		put(page + 8 + 2 * cells, at, 2);
		++*number;
	}
	put(page + 3, cells, 2);
	put(page + 5, at, 2);
	write_page(file, page_number, page);
}

/* The table becomes leaves whose rows all go on in one chain. */
static void share(FILE *file, uint32_t root, bool text)
{
	unsigned char page[PAGE] = {INTERIOR}, cell[14];
	uint32_t first, leaves;
	size_t at = PAGE;
	uint64_t number = 1;

	if (fseek(file, 0, SEEK_END) != 0)
		fail("file", "cannot be read");
	first = (uint32_t)(ftell(file) / PAGE) + 1;
	leaves = first + CHAIN;
	chain(file, first);
	for (uint32_t i = 0; i < LEAVES; i++) {
		size_t n = 4;

		leaf(file, leaves + i, first, text, &number);
		put(cell, leaves + i, 4);
		n += varint(cell + n, number - 1);
		if (i + 1 == LEAVES)
			break; /* the last child has no cell */
		at -= n;
		memcpy(page + at, cell, n);
		put(page + 12 + 2 * (size_t)i, at, 2);
	}
	put(page + 3, LEAVES - 1, 2);
	put(page + 5, at, 2);
	put(page + 8, leaves + LEAVES - 1, 4);
	write_page(file, root, page);
	set_pages(file, leaves + LEAVES - 1);
}

/* How many bytes there are is not told: it is found when they are there. */
static void shrink(const char *path, int noise, int zeros)
{
	enum { MEGABYTE = 1 << 20 };
	static unsigned char in[MEGABYTE], out[2 * MEGABYTE];
	ZSTD_CCtx *context = ZSTD_createCCtx();
	FILE *file = fopen(path, "w");
	uint32_t random = 1;

	if (!context || !file)
		fail(path, "cannot be made");
	for (int i = 0; i < noise + zeros; i++) {
		ZSTD_inBuffer from = {in, sizeof in, 0};
		ZSTD_outBuffer to = {out, sizeof out, 0};

		for (size_t k = 0; i < noise && k < sizeof in; k++)
			in[k] = (unsigned char)((random = random * 1664525 + 1013904223) >> 24);
		if (i == noise)
			memset(in, 0, sizeof in);
		if (ZSTD_isError(ZSTD_compressStream2(
			    context, &to, &from, i + 1 < noise + zeros ? ZSTD_e_flush : ZSTD_e_end)) != 0 ||
			fwrite(out, 1, to.pos, file) != to.pos)
			fail(path, "cannot be written");
	}
	fclose(file);
	ZSTD_freeCCtx(context);
}

int main(int argc, char **argv)
{
	uint32_t root;
	FILE *file;

	if (argc == 5 && strcmp(argv[1], "zeros") == 0) {
		shrink(argv[2], atoi(argv[3]), atoi(argv[4]));
		return 0;
	}
	if (argc == 3 && strcmp(argv[1], "sql") == 0) {
		run_script(argv[2]);
		return 0;
	}
	if (argc != 4)
		fail("usage", "hostile-files sql FILE | huge|bomb|loop|text|pad FILE TABLE");
	root = root_page(argv[2], argv[3]);
	file = fopen(argv[2], "r+b");
	if (!file)
		fail(argv[2], "cannot be opened");
	if (strcmp(argv[1], "huge") == 0)
		claim(file, root);
	else if (strcmp(argv[1], "bomb") == 0)
		multiply(file, root);
	else if (strcmp(argv[1], "text") == 0 || strcmp(argv[1], "pad") == 0)
		share(file, root, argv[1][0] == 't');
	else
		interior(file, root, root);
	return fclose(file) == 0 ? 0 : 1;
}
