/* svg-tree.c: nodes, attributes and the memory they live in; see svg-tree.h. */
#include "figure/svg/svg-tree.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "util/alloc.h"

enum { CHUNK_SIZE = 64 * 1024, ALIGNMENT = 16 };

struct chunk {
	struct chunk *next;
	size_t used, size;
	_Alignas(ALIGNMENT) char data[];
};

static struct chunk *add_chunk(struct tree *tree, size_t least)
{
	size_t size = least > CHUNK_SIZE ? least : CHUNK_SIZE;
	struct chunk *chunk = xcalloc(1, sizeof(*chunk) + size);

	chunk->size = size;
	chunk->next = tree->chunks;
	tree->chunks = chunk;
	return chunk;
}

void *tree_alloc(struct tree *tree, size_t size)
{
	struct chunk *chunk = tree->chunks;
	void *memory;

	size = (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
	if (!chunk || chunk->size - chunk->used < size)
		chunk = add_chunk(tree, size);
	memory = chunk->data + chunk->used;
	chunk->used += size;
	return memory;
}

char *tree_copy(struct tree *tree, const char *from, size_t size)
{
	char *copy = tree_alloc(tree, size + 1);

	memcpy(copy, from, size);
	return copy;
}

char *tree_print(struct tree *tree, const char *format, ...)
{
	char *text, *copy;
	va_list args;

	va_start(args, format);
	text = xvasprintf(format, args);
	va_end(args);
	copy = tree_copy(tree, text, strlen(text));
	free(text);
	return copy;
}

void tree_free(struct tree *tree)
{
	while (tree->chunks) {
		struct chunk *next = tree->chunks->next;

		free(tree->chunks);
		tree->chunks = next;
	}
	tree->root = NULL;
}

void node_link(struct node *parent, struct node *before, struct node *node)
{
	node->parent = parent;
	node->next = before;
	node->prev = before ? before->prev : parent->last;
	if (node->prev)
		node->prev->next = node;
	else
		parent->first = node;
	if (before)
		before->prev = node;
	else
		parent->last = node;
}

void node_unlink(struct node *node)
{
	if (node->prev)
		node->prev->next = node->next;
	else
		node->parent->first = node->next;
	if (node->next)
		node->next->prev = node->prev;
	else
		node->parent->last = node->prev;
	node->parent = node->prev = node->next = NULL;
}

void node_unwrap(struct node *node)
{
	while (node->first) {
		struct node *child = node->first;

		node_unlink(child);
		node_link(node->parent, node, child);
	}
	node_unlink(node);
}

struct node *node_add(struct tree *tree, struct node *parent, const char *name)
{
	struct node *node = tree_alloc(tree, sizeof(*node));

	node->name = name;
	if (parent)
		node_link(parent, NULL, node);
	return node;
}

struct node *node_add_text(struct tree *tree, struct node *parent, const char *text)
{
	struct node *node = node_add(tree, parent, NULL);

	node->text = text;
	return node;
}

bool node_is(const struct node *node, const char *name)
{
	return node->name && strcmp(node->name, name) == 0;
}

static struct attribute *svg_tree_find(const struct node *node, const char *name)
{
	struct attribute *a = node->attributes;

	while (a && strcmp(a->name, name) != 0)
		a = a->next;
	return a;
}

const char *attribute_get(const struct node *node, const char *name)
{
	const struct attribute *a = svg_tree_find(node, name);

	return a ? a->value : NULL;
}

void attribute_set(struct tree *tree, struct node *node, const char *name, const char *value)
{
	struct attribute *a = svg_tree_find(node, name), **last = &node->attributes;
	char *copy = tree_copy(tree, value, strlen(value));

	if (!a) {
		a = tree_alloc(tree, sizeof(*a));
		while (*last)
			last = &(*last)->next;
		*last = a;
		a->name = name;
	}
	a->value = copy;
}

void attribute_drop(struct node *node, const char *name)
{
	struct attribute **a = &node->attributes;

	while (*a && strcmp((*a)->name, name) != 0)
		a = &(*a)->next;
	if (*a)
		*a = (*a)->next;
}

struct node *node_after(const struct node *node, const struct node *top)
{
	if (node->first)
		return node->first;
	while (node != top && !node->next)
		node = node->parent;
	return node == top ? NULL : node->next;
}
