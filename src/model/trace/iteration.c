/* iteration.c: finds the traced iterations of families among the NVTX ranges. */
#include "model/trace/iteration.h"

#include <stdlib.h>
#include <string.h>

#include "model/recording.h"
#include "model/trace/trace.h"
#include "store/store.h"
#include "util/alloc.h"

/* Splits "trace LABEL N". The label is copied; false if the text is something else. */
static bool iteration_split(const char *text, char *label, size_t size, long *number)
{
	static const char prefix[] = "trace ";
	const char *start = text + sizeof(prefix) - 1, *space;
	char *end;
	size_t length;

	if (strncmp(text, prefix, sizeof(prefix) - 1) != 0)
		return false;
	space = strrchr(start, ' ');
	if (!space || space == start || !space[1])
		return false;
	length = (size_t)(space - start);
	*number = strtol(space + 1, &end, 10);
	if (*end || length >= size)
		return false;
	memcpy(label, start, length);
	label[length] = '\0';
	return true;
}

static int iteration_order(const struct iteration *a, const char *anchor, const char *label)
{
	int order = strcmp(a->anchor, anchor);

	return order ? order : strcmp(a->label, label);
}

static int by_variant_and_number(const void *left, const void *right)
{
	const struct iteration *a = left, *b = right;
	int order = iteration_order(a, b->anchor, b->label);

	if (order)
		return order;
	if (a->number != b->number)
		return a->number < b->number ? -1 : 1;
	return (a->range > b->range) - (a->range < b->range);
}

static void add_iteration(struct model *model, struct iteration *list, struct range *range)
{
	struct iteration *iteration = &list[model->niterations];
	char label[256];

	if (range->apart || range->parent < 0 ||
		!iteration_split(trace_range_text(&model->trace, range), label, sizeof(label), &iteration->number))
		return;
	iteration->anchor = trace_range_text(&model->trace, &model->trace.ranges[range->parent]);
	if (!strchr(iteration->anchor, '/'))
		return;
	iteration->label = trace_text(&model->trace, label);
	iteration->range = range;
	range->iteration = true;
	model->niterations++;
}

void iterations_find(struct model *model)
{
	struct trace *trace = &model->trace;
	struct iteration *list = xcalloc(trace->nranges + 1, sizeof(*list));

	model->iterations = list;
	/* Only a recording of families has iterations: any other program may use these texts for something else. */
	if (!store_is_dbprof(model->store) || !model_has_families(model))
		return;
	/* Of programs there is one step of each side, and its ranges: their names, too, repeat from side to side. */
	for (size_t i = 0; i < trace->nranges && model->table[TABLE_MEDIANSTEP].nrows; i++)
		trace->ranges[i].iteration = true;
	for (size_t i = 0; i < trace->nranges; i++)
		add_iteration(model, list, &trace->ranges[i]);
	if (model->niterations > 1)
		qsort(list, model->niterations, sizeof(*list), by_variant_and_number);
}

const struct iteration *iterations_of(const struct model *model, const char *anchor, const char *label, size_t *n)
{
	size_t low = 0, high = model->niterations;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (iteration_order(&model->iterations[middle], anchor, label) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	for (high = low; high < model->niterations; high++) {
		if (iteration_order(&model->iterations[high], anchor, label) != 0)
			break;
	}
	*n = high - low;
	return model->iterations + low;
}
