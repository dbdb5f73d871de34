/* graph.c: jumps become edges. The loops are found in loops.c. */
#include "analyze/asm/graph.h"

#include <stdlib.h>
#include <string.h>

#include "util/alloc.h"

struct asm_label {
	const char *name;
	size_t length;
	size_t place;
};

struct asm_labels {
	struct asm_label *list;
	size_t n;
};

static int compare_labels(const void *a, const void *b)
{
	const struct asm_label *x = a, *y = b;
	size_t least = x->length < y->length ? x->length : y->length;
	int code = memcmp(x->name, y->name, least);

	return code != 0 ? code : (x->length > y->length) - (x->length < y->length);
}

static struct asm_labels labels_of(const struct asm_instruction *list, size_t n)
{
	struct asm_labels labels = {xcalloc(n + 1, sizeof(*labels.list)), 0};

	for (size_t i = 0; i < n; i++)
		if (list[i].label)
			labels.list[labels.n++] = (struct asm_label){list[i].label, strlen(list[i].label), i};
	qsort(labels.list, labels.n, sizeof(*labels.list), compare_labels);
	return labels;
}

/* The next label that is named at *at or later, which moves behind it: its place, or n at the end. */
static size_t next_target(const struct asm_labels *labels, const char **at, size_t n)
{
	while ((*at = strchr(*at, '.'))) {
		const struct asm_label key = {*at, strcspn(*at, "),\"; \t"), 0};
		const struct asm_label *found =
			bsearch(&key, labels->list, labels->n, sizeof(*labels->list), compare_labels);

		*at += key.length > 0 ? key.length : 1;
		if (found)
			return found->place;
	}
	return n;
}

/* Edges of one instruction, behind the `count` that there are. */
static size_t add_jumps(struct asm_graph *graph, const struct asm_labels *labels, size_t i, size_t count, size_t *room)
{
	const struct asm_op *op = &graph->ops[i];
	bool goes_on = !(op->kind == ASM_BRANCH || op->kind == ASM_END) || op->is_conditional;
	const char *at = op->operands;
	size_t target;

	if (goes_on && i + 1 < graph->n) {
		xgrow(&graph->edges, count, room, sizeof(*graph->edges));
		graph->edges[count++] = i + 1;
	}
	if (op->kind != ASM_BRANCH || op->is_election)
		return count;
	while (at && (target = next_target(labels, &at, graph->n)) < graph->n) {
		xgrow(&graph->edges, count, room, sizeof(*graph->edges));
		graph->edges[count++] = target;
	}
	return count;
}

/* Before compute capability 9.0 a thread loads half of an mbarrier and tests the sign: that load is a check. The
 * register was written shortly before. */
static void find_check_by_sign(struct asm_graph *graph, size_t test)
{
	enum { LOOK_BACK = 8 };
	const struct asm_op *op = &graph->ops[test];
	const char *at = op->operands;
	int number;

	if (strncmp(op->name, "LOP3", 4) != 0 || *op->operands != 'P' || !strstr(op->operands, "0x80000000"))
		return;
	number = asm_next_register(&at);
	for (size_t back = 1; back <= LOOK_BACK && back <= test; back++)
		if (graph->ops[test - back].to == number && number != ASM_NO_REGISTER) {
			if (graph->ops[test - back].kind == ASM_SHARED_LOAD)
				graph->ops[test - back].kind = ASM_CHECK;
			return;
		}
}

void asm_graph_make(const struct asm_instruction *list, size_t n, struct asm_graph *out)
{
	struct asm_labels labels = labels_of(list, n);
	size_t count = 0, room = 0;

	*out = (struct asm_graph){.list = list, .n = n};
	out->ops = xcalloc(n + 1, sizeof(*out->ops));
	out->edges_from = xcalloc(n + 1, sizeof(*out->edges_from));
	for (size_t i = 0; i < n; i++)
		asm_decode(list[i].text ? list[i].text : "", &out->ops[i]);
	for (size_t i = 0; i < n; i++)
		find_check_by_sign(out, i);
	for (size_t i = 0; i < n; i++) {
		out->edges_from[i] = count;
		count = add_jumps(out, &labels, i, count, &room);
	}
	out->edges_from[n] = count;
	free(labels.list);
	asm_find_loops(out);
}

void asm_graph_free(struct asm_graph *graph)
{
	free(graph->ops);
	free(graph->loop_of);
	free(graph->is_reached);
	free(graph->edges);
	free(graph->edges_from);
	free(graph->loops);
	*graph = (struct asm_graph){0};
}

/* A loop's parent has a higher number. */
bool *asm_loops_within(const struct asm_graph *graph, int outer)
{
	bool *within = xcalloc(graph->nloops + 1, sizeof(*within));

	for (int i = outer; i >= 0; i--)
		within[i] = i == outer || (graph->loops[i].parent != ASM_NO_LOOP && within[graph->loops[i].parent]);
	return within;
}
