/* svg-ids.c: definitions and references of a figure; see svg-tree.h. */
#include <stdlib.h>
#include <string.h>

#include "figure/svg/svg-tree.h"

struct named {
	const char *id;
	struct node *node;
	size_t place; /* in the file: the first of two with one id is meant */
};

/* All elements that have an id, sorted by it. */
struct index {
	struct named *named;
	size_t n;
};

/* Where an attribute's value names an id. */
struct reference {
	const char *id; /* not ended by NUL */
	size_t size;
};

/* ---- references ---- */

static bool is_href(const char *name)
{
	return strcmp(name, "href") == 0 || strcmp(name, "xlink:href") == 0;
}

static bool find_reference(const struct attribute *a, struct reference *found)
{
	const char *url = strstr(a->value, "url(");

	if (is_href(a->name) && a->value[0] == '#') {
		*found = (struct reference){a->value + 1, strlen(a->value + 1)};
		return true;
	}
	if (!url)
		return false;
	url += strlen("url(");
	url += strspn(url, " '\"");
	if (*url != '#')
		return false;
	*found = (struct reference){url + 1, strcspn(url + 1, ")'\" ")};
	return true;
}

static int svg_ids_by_id(const void *a, const void *b)
{
	const struct named *x = a, *y = b;
	int order = strcmp(x->id, y->id);

	return order != 0 ? order : (x->place > y->place) - (x->place < y->place);
}

static struct node *svg_ids_look_up(const struct index *index, const struct reference *reference)
{
	size_t low = 0, high = index->n;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (strncmp(index->named[middle].id, reference->id, reference->size) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	if (low == index->n || strncmp(index->named[low].id, reference->id, reference->size) != 0 ||
		index->named[low].id[reference->size] != '\0')
		return NULL;
	return index->named[low].node;
}

static size_t count_ids(const struct tree *tree)
{
	size_t n = 0;

	for (struct node *node = tree->root; node; node = node_after(node, tree->root))
		n += attribute_get(node, "id") != NULL;
	return n;
}

static void make_index(struct tree *tree, struct index *index)
{
	index->n = 0;
	index->named = tree_alloc(tree, (1 + count_ids(tree)) * sizeof(*index->named));
	for (struct node *node = tree->root; node; node = node_after(node, tree->root)) {
		const char *id = attribute_get(node, "id");

		if (id) {
			index->named[index->n] = (struct named){id, node, index->n};
			index->n++;
		}
	}
	qsort(index->named, index->n, sizeof(*index->named), svg_ids_by_id);
}

/* ---- definitions ---- */

/* What a pattern's lines take from the groups around it must go with it. */
static void keep_inherited(struct tree *tree, struct node *definition)
{
	static const char *const taken[] = {"stroke-width", "stroke-linecap", "stroke-linejoin"};

	for (size_t i = 0; i < sizeof(taken) / sizeof(*taken); i++) {
		const struct node *node = definition;

		while (node && !attribute_get(node, taken[i]))
			node = node->parent;
		if (node && node != definition)
			attribute_set(tree, definition, taken[i], attribute_get(node, taken[i]));
	}
}

/* Moves what all <defs> hold into one at the front. */
static struct node *gather_definitions(struct tree *tree)
{
	struct node *all = node_add(tree, NULL, "defs"), *node = tree->root;

	while (node) {
		struct node *next = node_after(node, tree->root);

		if (node_is(node, "defs")) {
			/* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): the loop ends at NULL */
			while (node->first) {
				struct node *definition = node->first;

				if (node_is(definition, "pattern"))
					keep_inherited(tree, definition);
				node_unlink(definition);
				node_link(all, NULL, definition);
			}
			next = node_after(node, tree->root);
			node_unlink(node);
		}
		node = next;
	}
	/* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): svg_parse() has given it a root */
	node_link(tree->root, tree->root->first, all);
	return all;
}

/* How a definition looks, whatever its id is. A string for free(); NULL if it has no id. */
static char *appearance(struct tree *tree, struct node *definition)
{
	const char *id = attribute_get(definition, "id");
	struct strbuf text = {0};

	if (!id)
		return NULL;
	attribute_drop(definition, "id");
	svg_write(definition, &text);
	attribute_set(tree, definition, "id", id);
	return strbuf_take(&text);
}

/* gnuplot defines a pattern anew for each box that it hatches: lets all that look alike stand for the first. */
static void alias_patterns(struct tree *tree, struct node *definitions)
{
	size_t n = 0, used = 0;
	struct index looks = {0};

	for (struct node *node = definitions->first; node; node = node->next)
		n += node_is(node, "pattern");
	looks.named = tree_alloc(tree, (n + 1) * sizeof(*looks.named));
	for (struct node *node = definitions->first; node; node = node->next) {
		char *look = node_is(node, "pattern") ? appearance(tree, node) : NULL;

		if (look) {
			looks.named[used] = (struct named){tree_copy(tree, look, strlen(look)), node, used};
			used++;
		}
		free(look);
	}
	qsort(looks.named, used, sizeof(*looks.named), svg_ids_by_id);
	for (size_t i = 1, first = 0; i < used; i++) {
		if (strcmp(looks.named[i].id, looks.named[first].id) == 0)
			looks.named[i].node->alias = attribute_get(looks.named[first].node, "id");
		else
			first = i;
	}
}

/* ---- what is used ---- */

struct queue {
	struct node **nodes;
	size_t n;
};

static void resolve_alias(const struct index *index, struct node **node)
{
	if (*node && (*node)->alias)
		*node = svg_ids_look_up(index, &(struct reference){(*node)->alias, strlen((*node)->alias)});
}

/* Queues what the subtree of `top` refers to, if it is not known to be used yet. */
static void svg_ids_follow(
	const struct index *index, const struct node *top, const struct node *without, struct queue *queue)
{
	for (const struct node *node = top; node;) {
		for (const struct attribute *a = node->attributes; a; a = a->next) {
			struct reference reference;
			struct node *target = find_reference(a, &reference) ? svg_ids_look_up(index, &reference) : NULL;

			resolve_alias(index, &target);
			if (target && !target->used) {
				target->used = true;
				queue->nodes[queue->n++] = target;
			}
		}
		node = node_after(node, top);
		if (node && node == without)
			node = node->next;
	}
}

static void drop_unused(struct tree *tree, const struct index *index, struct node *definitions)
{
	struct queue queue = {tree_alloc(tree, (index->n + 1) * sizeof(*queue.nodes)), 0};

	svg_ids_follow(index, tree->root, definitions, &queue);
	while (queue.n > 0)
		svg_ids_follow(index, queue.nodes[--queue.n], NULL, &queue);
	for (struct node *node = definitions->first, *next; node; node = next) {
		next = node->next;
		if (!node->used)
			node_unlink(node);
	}
	if (!definitions->first)
		node_unlink(definitions);
}

/* ---- prefixes ---- */

static void rename_reference(
	struct tree *tree, const struct index *index, const char *prefix, struct node *node, struct attribute *a)
{
	struct reference reference;
	const struct node *target;
	char *value;
	int before;

	if (!find_reference(a, &reference))
		return;
	target = svg_ids_look_up(index, &reference);
	before = (int)(reference.id - a->value);
	value = target && target->alias ? tree_print(tree, "%.*s%s-%s%s", before, a->value, prefix, target->alias,
						  reference.id + reference.size)
					: tree_print(tree, "%.*s%s-%s", before, a->value, prefix, reference.id);
	attribute_set(tree, node, a->name, value);
}

static void rename_ids(struct tree *tree, const struct index *index, const char *prefix)
{
	for (struct node *node = tree->root; node; node = node_after(node, tree->root))
		for (struct attribute *a = node->attributes; a; a = a->next)
			rename_reference(tree, index, prefix, node, a);
	for (size_t i = 0; i < index->n; i++) {
		struct node *node = index->named[i].node;

		if (node->used)
			attribute_set(tree, node, "id", tree_print(tree, "%s-%s", prefix, index->named[i].id));
		else
			attribute_drop(node, "id");
	}
}

/* HTML needs no name space before href, older viewers of files do. */
static void name_hrefs(struct tree *tree, bool standalone)
{
	for (struct node *node = tree->root; node; node = node_after(node, tree->root))
		for (struct attribute *a = node->attributes; a; a = a->next)
			if (is_href(a->name))
				a->name = standalone ? "xlink:href" : "href";
}

void svg_ids(struct tree *tree, const char *prefix, bool standalone)
{
	struct node *definitions = gather_definitions(tree);
	struct index index;

	alias_patterns(tree, definitions);
	make_index(tree, &index);
	drop_unused(tree, &index, definitions);
	rename_ids(tree, &index, prefix);
	name_hrefs(tree, standalone);
}
