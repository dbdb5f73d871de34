/* pages.c: pages of a table, several at a time, into memory of the thread's own: a file that is cut off meanwhile ends
 * a read early, where a mapped one would end the process. */
#include <stdlib.h>

#include "store/scan/parts.h"
#include "util/alloc.h"

enum { WINDOW = 1 << 18, FARTHEST = 8 };

/* How many pages to read at once, from that of leaf `first` on: as long as leaves follow each other closely in the
 * file. */
static uint32_t window_length(const struct btree *tree, size_t first, size_t end)
{
	uint32_t most = WINDOW / tree->page_size, begin = tree->leaves[first].page, last = begin;

	for (size_t i = first + 1; i < end; i++) {
		uint32_t page = tree->leaves[i].page;

		if (page <= last || page - last > FARTHEST || page - begin >= most)
			break;
		last = page;
	}
	return last - begin + 1;
}

static const unsigned char *window_page(struct scan_worker *worker, size_t leaf, size_t end)
{
	const struct btree *tree = &worker->run->tree;
	uint32_t page = tree->leaves[leaf].page;

	if (page < worker->window_page || page - worker->window_page >= worker->window_length) {
		worker->window_page = page;
		worker->window_length = window_length(tree, leaf, end);
		if (!btree_read(tree, page, worker->window, (size_t)worker->window_length * tree->page_size)) {
			worker->window_length = 0;
			return NULL;
		}
	}
	return worker->window + (size_t)(page - worker->window_page) * tree->page_size;
}

bool scan_worker_read_leaves(struct scan_worker *worker, size_t first, size_t end)
{
	if (!worker->window)
		worker->window = xmalloc(WINDOW);
	for (size_t i = first; i < end && !worker->run->is_void; i++) {
		const unsigned char *page = window_page(worker, i, end);

		if (!page || !scan_worker_read_leaf(worker, i, page))
			return false;
	}
	return true;
}
