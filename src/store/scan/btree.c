/* btree.c: see btree.h. SQLite bears some damage that is refused here: it reads such a file in its own way. */
#include "store/scan/btree.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "util/alloc.h"

/* The file's first bytes: https://www.sqlite.org/fileformat2.html#the_database_header */
enum { HEADER_SIZE = 100, AT_PAGE_SIZE = 16, AT_RESERVED = 20, AT_ENCODING = 56 };

enum { DEEPEST = 20, LOCK_BYTE = 0x40000000 };

const unsigned char *bytes_long_varint(const unsigned char *at, const unsigned char *end, uint64_t *number)
{
	enum { LONGEST = 9 };

	*number = 0;
	for (int i = 1; at < end; i++, at++) {
		if (i == LONGEST) {
			*number = *number << 8 | *at;
			return at + 1;
		}
		*number = *number << 7 | (*at & 0x7f);
		if (*at < 0x80)
			return at + 1;
	}
	return NULL;
}

static bool read_at(int fd, void *data, size_t size, int64_t at)
{
	ssize_t n = 1;

	for (size_t done = 0; done<size; done += n> 0 ? (size_t)n : 0) {
		n = pread(fd, (char *)data + done, size - done, at + (int64_t)done);
		if (n == 0 || (n < 0 && errno != EINTR))
			return false;
	}
	return true;
}

bool btree_read(const struct btree *tree, uint32_t page, void *data, size_t size)
{
	return read_at(tree->fd, data, size, (int64_t)(page - 1) * tree->page_size);
}

int64_t btree_first(const struct btree *tree, size_t i)
{
	return i == 0 ? INT64_MIN : tree->leaves[i - 1].last + 1;
}

void btree_free(struct btree *tree)
{
	free(tree->leaves);
	tree->leaves = NULL;
}

/* Pages of one level, which become those of the level below. */
struct level {
	struct leaf *pages;
	size_t n, room;
};

struct walk {
	const struct btree *tree;
	int64_t npages;      /* of the file */
	unsigned char *seen; /* a bit for each of them */
	unsigned char *page;
};

/* Whether the page can belong to the tree, and was not there before. */
static bool walk_see(struct walk *walk, uint32_t page)
{
	unsigned char bit = (unsigned char)(1 << page % 8);

	if (page < 2 || page > walk->npages || page == LOCK_BYTE / walk->tree->page_size + 1)
		return false;
	if (walk->seen[page / 8] & bit)
		return false;
	walk->seen[page / 8] |= bit;
	return true;
}

static bool level_add(struct walk *walk, struct level *level, uint32_t page, int64_t last)
{
	if (!walk_see(walk, page) || (level->n > 0 && last <= level->pages[level->n - 1].last))
		return false;
	xgrow(&level->pages, level->n, &level->room, sizeof(*level->pages));
	level->pages[level->n++] = (struct leaf){last, page};
	return true;
}

/* The pages below an interior page, of which one cell says number and page, and the header the last page. */
static bool walk_page(struct walk *walk, const struct leaf *above, struct level *below)
{
	enum { HEADER = 12, AT_CELLS = 3, AT_RIGHTMOST = 8, CHILD = 4 };
	const unsigned char *page = walk->page, *end = page + walk->tree->page_size;
	uint32_t cells, first;

	if (!btree_read(walk->tree, above->page, walk->page, walk->tree->page_size) || page[0] != PAGE_INTERIOR)
		return false;
	cells = bytes_u16(page + AT_CELLS);
	first = HEADER + 2 * cells;
	if (cells == 0 || first > walk->tree->page_size)
		return false;
	for (uint32_t i = 0; i < cells; i++) {
		uint32_t at = bytes_u16(page + HEADER + (size_t)2 * i);
		uint64_t number;

		if (at < first || at + CHILD >= walk->tree->page_size || !bytes_varint(page + at + CHILD, end, &number))
			return false;
		if ((int64_t)number >= above->last || !level_add(walk, below, bytes_u32(page + at), (int64_t)number))
			return false;
	}
	return level_add(walk, below, bytes_u32(page + AT_RIGHTMOST), above->last);
}

static bool walk_level(struct walk *walk, struct level *level)
{
	struct level below = {NULL, 0, 0};
	bool good = true;

	for (size_t i = 0; i < level->n && good; i++)
		good = walk_page(walk, &level->pages[i], &below);
	free(level->pages);
	*level = below;
	return good;
}

/* All leaf pages are as deep as the first one; those that are not are found out when they are read. */
static bool walk_levels(struct walk *walk, struct level *level, uint32_t root)
{
	unsigned char type;

	if (!level_add(walk, level, root, INT64_MAX))
		return false;
	for (int depth = 0; depth < DEEPEST; depth++) {
		/* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): a level has a page */
		if (!btree_read(walk->tree, level->pages[0].page, &type, 1))
			return false;
		if (type != PAGE_INTERIOR)
			return type == PAGE_LEAF;
		if (!walk_level(walk, level))
			return false;
	}
	return false;
}

static bool btree_walk(struct btree *tree, int64_t npages, uint32_t root)
{
	struct walk walk = {.tree = tree, .npages = npages};
	struct level level = {NULL, 0, 0};
	bool good;

	walk.seen = xcalloc((size_t)npages / 8 + 1, 1);
	walk.page = xmalloc(tree->page_size);
	good = walk_levels(&walk, &level, root);
	free(walk.page);
	free(walk.seen);
	tree->leaves = level.pages;
	tree->nleaves = level.n;
	return good;
}

/* The root page of the only table of that name; 0 if there is no such. */
static uint32_t btree_root(struct store *store, const char *table)
{
	static const char sql[] = "SELECT rootpage FROM sqlite_master WHERE type = 'table' AND name = ? COLLATE NOCASE";
	sqlite3_stmt *stmt = NULL;
	sqlite3_int64 root = 0;
	int rows = 0, rc = sqlite3_prepare_v2(store->db, sql, -1, &stmt, NULL);

	if (rc == SQLITE_OK)
		rc = sqlite3_bind_text(stmt, 1, table, -1, SQLITE_STATIC);
	while (rc == SQLITE_OK && sqlite3_step(stmt) == SQLITE_ROW) {
		root = sqlite3_column_int64(stmt, 0);
		rows++;
	}
	sqlite3_finalize(stmt);
	return rows == 1 && root > 0 && root <= UINT32_MAX ? (uint32_t)root : 0;
}

bool btree_find(struct btree *tree, struct store *store, const char *table)
{
	enum { UTF_8 = 1 };
	unsigned char header[HEADER_SIZE];
	uint32_t root = btree_root(store, table);

	*tree = (struct btree){.fd = store->fd};
	/* Where most is holes, page numbers tell nothing about the memory that is worth spending. */
	if (store->length / 2 > store->size || root == 0 || !read_at(store->fd, header, sizeof(header), 0))
		return false;
	tree->page_size = bytes_u16(header + AT_PAGE_SIZE) == 1 ? PAGE_LARGEST : bytes_u16(header + AT_PAGE_SIZE);
	if (tree->page_size < 512 || header[AT_RESERVED] != 0 || bytes_u32(header + AT_ENCODING) != UTF_8)
		return false;
	return btree_walk(tree, store->length / tree->page_size, root);
}
