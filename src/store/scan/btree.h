/* btree.h: the leaf pages of a table, in the order of its rows, without SQLite:
 * https://www.sqlite.org/fileformat2.html#b_tree_pages */
#ifndef DBPROF_STORE_SCAN_BTREE_H
#define DBPROF_STORE_SCAN_BTREE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "store/store-private.h"

enum { PAGE_INTERIOR = 5, PAGE_LEAF = 13, PAGE_HEADER = 8, PAGE_LARGEST = 65536 };

/* The page may hold rows with numbers up to `last`, and greater than those of the page before it. */
struct leaf {
	int64_t last;
	uint32_t page;
};

struct btree {
	int fd; /* the store's */
	uint32_t page_size;
	struct leaf *leaves;
	size_t nleaves;
};

static inline uint32_t bytes_u16(const unsigned char *at)
{
	return (uint32_t)at[0] << 8 | at[1];
}

static inline uint32_t bytes_u32(const unsigned char *at)
{
	return bytes_u16(at) << 16 | bytes_u16(at + 2);
}

/* Reads a number of variable length that ends before `end`. What follows it, or NULL if it does not end. */
const unsigned char *bytes_long_varint(const unsigned char *at, const unsigned char *end, uint64_t *number);

/* The same, sooner if it has one byte. */
static inline const unsigned char *bytes_varint(const unsigned char *at, const unsigned char *end, uint64_t *number)
{
	if (at >= end || *at >= 0x80)
		return bytes_long_varint(at, end, number);
	*number = *at;
	return at + 1;
}

/* Finds the leaf pages of a table of the file. No page comes twice, each is within the file, and the numbers that they
 * may hold ascend; leaf pages themselves are not looked at. False if the table is not stored like that, or cannot be
 * read: SQLite tells what is wrong with it. Free it with btree_free() in any case. */
bool btree_find(struct btree *tree, struct store *store, const char *table);
void btree_free(struct btree *tree);

/* The first number that leaf `i` may hold. */
int64_t btree_first(const struct btree *tree, size_t i);

/* Reads `size` bytes of a page from its beginning. False if they are not there. */
bool btree_read(const struct btree *tree, uint32_t page, void *data, size_t size);

#endif
