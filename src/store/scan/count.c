/* count.c: how large a table is, from a few of its pages. */
#include "store/scan.h"
#include "store/scan/btree.h"

enum { LOOKED_AT = 256 };

/* Rows of the leaf pages looked at, evenly spaced; -1 if one cannot be read. */
static int64_t rows_of_leaves(const struct btree *tree, size_t n)
{
	enum { AT_CELLS = 3 };
	unsigned char header[PAGE_HEADER];
	int64_t rows = 0;

	for (size_t i = 0; i < n; i++) {
		const struct leaf *leaf = &tree->leaves[i * tree->nleaves / n];

		if (!btree_read(tree, leaf->page, header, sizeof(header)) || header[0] != PAGE_LEAF)
			return -1;
		rows += bytes_u16(header + AT_CELLS);
	}
	return rows;
}

bool store_measure_file_table(struct store *store, const char *table, struct table_size *size)
{
	struct btree tree;
	bool known = btree_find(&tree, store, table) && tree.nleaves > 0;
	size_t n = tree.nleaves < LOOKED_AT ? tree.nleaves : LOOKED_AT;
	int64_t rows = known ? rows_of_leaves(&tree, n) : -1;

	*size = (struct table_size){0};
	if (rows >= 0)
		*size = (struct table_size){.rows = (int64_t)((double)rows / (double)n * (double)tree.nleaves),
			.bytes = (int64_t)tree.nleaves * tree.page_size,
			.pages = (int64_t)tree.nleaves};
	btree_free(&tree);
	return rows >= 0;
}

bool store_measure_table(struct store *store, enum table_id table, struct table_size *size)
{
	*size = (struct table_size){0};
	return store_has(store, table) && store_measure_file_table(store, store->name[table], size);
}
