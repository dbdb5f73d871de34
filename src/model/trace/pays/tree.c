/* tree.c: the NVTX ranges of a lane as a tree of names, with the work below each. */
#include <stdlib.h>
#include <string.h>

#include "model/recording.h"
#include "model/trace/pays/parts.h"
#include "model/trace/trace.h"
#include "store/event.h"
#include "util/alloc.h"

/* The tree while it grows, in the order in which names are met. */
struct growing {
	const struct model *model;
	const struct pays_work *work;
	struct pays_node *node;
	size_t n, room;
	int *child, *sibling;       /* first child and next sibling of each, or -1 */
	uint32_t *table;            /* of hashed nodes: the number of a node plus one */
	size_t slots;               /* of the table: a power of two */
	const struct range *ranges; /* of the lane's process: a slice of the trace's from `first` on */
	size_t first, nranges;
	int *of_range; /* by range of the lane */
	int *of_item;  /* by item: the node around its call */
};

static size_t hash_of(int parent, uint32_t text, uint32_t domain)
{
	uint64_t hash = (uint64_t)(parent + 1) * 0x9E3779B97F4A7C15U;

	hash = (hash ^ text) * 0xBF58476D1CE4E5B9U;
	hash = (hash ^ (hash >> 29) ^ domain) * 0x94D049BB133111EBU;
	return (size_t)(hash ^ (hash >> 32));
}

static void hash_node(struct growing *tree, size_t i)
{
	const struct pays_node *node = &tree->node[i];
	size_t slot = hash_of(node->parent, node->text, node->domain) & (tree->slots - 1);

	while (tree->table[slot])
		slot = (slot + 1) & (tree->slots - 1);
	tree->table[slot] = (uint32_t)i + 1;
}

/* Twice the room, and a table that is at most half full. */
static void pays_tree_grow(struct growing *tree)
{
	size_t more = tree->room ? tree->room * 2 : 64;

	tree->node = xreallocarray(tree->node, more, sizeof(*tree->node));
	tree->child = xreallocarray(tree->child, more, sizeof(*tree->child));
	tree->sibling = xreallocarray(tree->sibling, more, sizeof(*tree->sibling));
	free(tree->table);
	tree->slots = more * 2;
	tree->table = xcalloc(tree->slots, sizeof(*tree->table));
	tree->room = more;
	for (size_t i = 0; i < tree->n; i++)
		hash_node(tree, i);
}

static int add_node(struct growing *tree, int parent, uint32_t text, uint32_t domain)
{
	int i = (int)tree->n;

	if (tree->n == tree->room)
		pays_tree_grow(tree);
	tree->node[i] = (struct pays_node){.text = text, .domain = domain, .parent = parent};
	tree->child[i] = tree->sibling[i] = -1;
	if (parent >= 0) {
		tree->node[i].depth = tree->node[parent].depth + 1;
		tree->sibling[i] = tree->child[parent];
		tree->child[parent] = i;
	}
	tree->n++;
	hash_node(tree, (size_t)i);
	return i;
}

/* Texts are stored once in the trace: equal ones have equal numbers. */
static int find_node(struct growing *tree, int parent, const struct range *range)
{
	size_t slot = hash_of(parent, range->text, range->domain) & (tree->slots - 1);

	for (; tree->table[slot]; slot = (slot + 1) & (tree->slots - 1)) {
		const struct pays_node *node = &tree->node[tree->table[slot] - 1];

		if (node->parent == parent && node->text == range->text && node->domain == range->domain)
			return (int)tree->table[slot] - 1;
	}
	return add_node(tree, parent, range->text, range->domain);
}

/* The first range of the process, or the first behind it. Ranges are sorted by thread; a thread's number begins with
 * its process. */
static size_t range_of_process(const struct trace *trace, int64_t process, bool behind)
{
	size_t low = 0, high = trace->nranges;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		int64_t here = process_of(range_thread(trace, &trace->ranges[middle]));

		if (here < process || (behind && here == process))
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* The ranges of the lane; work that names no process belongs to any. */
static void find_ranges(struct growing *tree)
{
	const struct trace *trace = &tree->model->trace;
	int64_t process = tree->work->process;

	if (process == 0) {
		tree->ranges = trace->ranges;
		tree->nranges = trace->nranges;
	} else {
		tree->first = range_of_process(trace, process, false);
		tree->ranges = trace->nranges == 0 ? NULL : trace->ranges + tree->first;
		tree->nranges = range_of_process(trace, process, true) - tree->first;
	}
}

/* A range's parent stands before it, on its thread. */
static void name_ranges(struct growing *tree)
{
	for (size_t i = 0; tree->ranges && i < tree->nranges; i++) {
		const struct range *range = &tree->ranges[i];
		int parent = range->parent < 0 ? 0 : tree->of_range[(size_t)range->parent - tree->first];

		if (tree->node[parent].depth == PAYS_DEPTH) {
			tree->of_range[i] = parent;
			continue;
		}
		tree->of_range[i] = find_node(tree, parent, range);
		tree->node[tree->of_range[i]].entered++;
	}
}

/* Numbers the nodes depth first into `number`, and `place` the other way round. */
static void number_nodes(const struct growing *tree, int *number, int *place)
{
	int node = 0, next = 0;

	while (node >= 0) {
		number[node] = next;
		place[next++] = node;
		if (tree->child[node] >= 0) {
			node = tree->child[node];
			continue;
		}
		while (node >= 0 && tree->sibling[node] < 0)
			node = tree->node[node].parent;
		if (node >= 0)
			node = tree->sibling[node];
	}
}

static void take_nodes(struct pays_tree *out, const struct growing *tree, int *number)
{
	int *place = xcalloc(tree->n, sizeof(*place));

	out->node = xcalloc(tree->n, sizeof(*out->node));
	number_nodes(tree, number, place);
	out->n = tree->n;
	for (size_t i = 0; i < tree->n; i++) {
		out->node[i] = tree->node[place[i]];
		if (out->node[i].parent >= 0)
			out->node[i].parent = number[out->node[i].parent];
		out->node[i].last = (int)i;
	}
	for (size_t i = tree->n; i-- > 1;) {
		struct pays_node *parent = &out->node[out->node[i].parent];

		if (parent->last < out->node[i].last)
			parent->last = out->node[i].last;
	}
	free(place);
}

/* For each range of the lane, the innermost one around its start, start/end ranges among them, or -1; for free(). */
static int *ranges_around(const struct growing *tree)
{
	int *around = xcalloc(tree->nranges + 1, sizeof(*around)), *open = NULL;
	size_t depth = 0, room = 0;

	for (size_t i = 0; i < tree->nranges; i++) {
		const struct range *range = &tree->ranges[i];

		while (depth > 0 && (tree->ranges[open[depth - 1]].thread != range->thread ||
					    tree->ranges[open[depth - 1]].end <= range->start))
			depth--;
		around[i] = depth > 0 ? open[depth - 1] : -1;
		xgrow(&open, depth, &room, sizeof(*open));
		open[depth++] = (int)i;
	}
	free(open);
	return around;
}

/* The last range of a thread that starts at `time` or before, or the one before it in the list; -1 for none. */
static int last_started(const struct growing *tree, uint32_t thread, int64_t time)
{
	size_t low = 0, high = tree->nranges;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		const struct range *range = &tree->ranges[middle];

		if (range->thread < thread || (range->thread == thread && range->start <= time))
			low = middle + 1;
		else
			high = middle;
	}
	return (int)low - 1;
}

/* The innermost range around the call of an item, or -1. Where ranges do not nest, it is the one that started last. */
static int range_of_item(const struct growing *tree, const int *around, size_t k)
{
	const struct trace *trace = tree->work->trace;
	size_t i = tree->work->work[k];
	int range;

	if (!tree->work->lane.item[k].known || trace->thread[i] == 0)
		return -1;
	range = last_started(tree, trace->thread[i] - 1, trace->called[i]);
	if (range >= 0 && tree->ranges[range].thread != trace->thread[i] - 1)
		return -1;
	while (range >= 0 && tree->ranges[range].end <= trace->called[i])
		range = around[range];
	return range;
}

/* The node of each item, into tree->of_item. */
static void place_items(struct growing *tree, const int *number)
{
	size_t n = tree->work->lane.n;
	int *around = ranges_around(tree);

	tree->of_item = xcalloc(n + 1, sizeof(*tree->of_item));
	for (size_t k = 0; k < n; k++) {
		int range = range_of_item(tree, around, k);

		tree->of_item[k] = range >= 0 ? number[tree->of_range[range]] : 0;
	}
	free(around);
}

/* Items sorted by node; within a node they keep their order. */
static void order_items(struct pays_tree *tree, const int *of_item, size_t n)
{
	size_t *next = xcalloc(tree->n + 1, sizeof(*next));

	tree->order = xcalloc(n + 1, sizeof(*tree->order));
	for (size_t i = 0; i < n; i++)
		next[of_item[i] + 1]++;
	for (size_t i = 0; i < tree->n; i++)
		next[i + 1] += next[i];
	for (size_t i = 0; i < tree->n; i++) {
		tree->node[i].first = next[i];
		tree->node[i].count = next[tree->node[i].last + 1] - next[i];
	}
	for (size_t i = 0; i < n; i++)
		tree->order[next[of_item[i]]++] = (uint32_t)i;
	free(next);
}

void pays_tree_make(struct pays_tree *tree, const struct model *model, const struct pays_work *work)
{
	struct growing growing = {.model = model, .work = work};
	int *number;

	*tree = (struct pays_tree){0};
	find_ranges(&growing);
	growing.of_range = xcalloc(growing.nranges + 1, sizeof(*growing.of_range));
	add_node(&growing, -1, 0, 0);
	name_ranges(&growing);
	number = xcalloc(growing.n, sizeof(*number));
	take_nodes(tree, &growing, number);
	place_items(&growing, number);
	order_items(tree, growing.of_item, work->lane.n);
	free(number);
	free(growing.node);
	free(growing.child);
	free(growing.sibling);
	free(growing.table);
	free(growing.of_range);
	free(growing.of_item);
}

void pays_tree_free(struct pays_tree *tree)
{
	free(tree->node);
	free(tree->order);
}
