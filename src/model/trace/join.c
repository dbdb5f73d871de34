/* join.c: see join.h. */
#include "model/trace/join.h"

#include <stdlib.h>

#include "util/alloc.h"
#include "util/number.h"

static struct join_table *table_of(struct join *join, int64_t process)
{
	if (join->last < join->n && join->table[join->last].process == process)
		return &join->table[join->last];
	join->last = FIRST_FROM(join->table, join->n, process, process);
	if (join->last < join->n && join->table[join->last].process == process)
		return &join->table[join->last];
	return NULL;
}

static int by_table_process(const void *left, const void *right)
{
	return int64_order(((const struct join_table *)left)->process, ((const struct join_table *)right)->process);
}

static void find_processes(struct join *join)
{
	const struct trace *trace = join->trace;
	size_t kept = 0;

	join->table = xcalloc(trace->nlanes + 1, sizeof(*join->table));
	for (size_t i = 0; i < trace->nlanes; i++)
		join->table[i] =
			(struct join_table){.process = trace->lanes[i].process, .low = INT64_MAX, .high = INT64_MIN};
	if (trace->nlanes > 1)
		qsort(join->table, trace->nlanes, sizeof(*join->table), by_table_process);
	for (size_t i = 0; i < trace->nlanes; i++) {
		if (kept == 0 || join->table[kept - 1].process != join->table[i].process)
			join->table[kept++] = join->table[i];
	}
	join->n = kept;
}

/* The table of each lane, since neighbours may be of different processes. */
static void find_tables_of_lanes(struct join *join)
{
	const struct trace *trace = join->trace;

	join->of_lane = xcalloc(trace->nlanes + 1, sizeof(*join->of_lane));
	for (size_t i = 0; i < trace->nlanes; i++)
		join->of_lane[i] = (uint32_t)FIRST_FROM(join->table, join->n, process, trace->lanes[i].process);
}

static void join_count_ids(struct join *join)
{
	const struct trace *trace = join->trace;

	for (size_t i = 0; i < trace->nwork; i++) {
		struct join_table *table = &join->table[join->of_lane[trace->lane[i]]];
		int64_t id = trace->correlation[i];

		if (id == 0)
			continue;
		table->n++;
		table->low = id < table->low ? id : table->low;
		table->high = id > table->high ? id : table->high;
	}
}

/* A table that holds each id takes at most four times as many places as there is work. */
static void make_tables(struct join *join)
{
	enum { SPARSE = 4, SMALLEST = 1024 };

	for (size_t t = 0; t < join->n; t++) {
		struct join_table *table = &join->table[t];
		uint64_t span = (uint64_t)table->high - (uint64_t)table->low;

		if (table->n == 0)
			continue;
		table->dense = span < SPARSE * table->n + SMALLEST;
		for (table->size = SMALLEST; !table->dense && table->size < table->n;)
			table->size *= 2;
		if (table->dense)
			table->size = (size_t)span + 1;
		table->first = xcalloc(table->size, sizeof(*table->first));
	}
}

/* Neighbouring ids get neighbouring places. Where ids have something else in their upper bits, that is mixed in. */
static uint32_t *place_of(const struct join_table *table, int64_t id)
{
	uint64_t c = (uint64_t)id, above = (c >> 16) * UINT64_C(0x9E3779B97F4A7C15);

	if (table->dense)
		return &table->first[c - (uint64_t)table->low];
	return &table->first[(size_t)(c + (above >> 32)) & (table->size - 1)];
}

void join_make(struct join *join, const struct trace *trace)
{
	*join = (struct join){.trace = trace};
	find_processes(join);
	find_tables_of_lanes(join);
	join_count_ids(join);
	make_tables(join);
	join->next = xcalloc(trace->nwork + 1, sizeof(*join->next));
	for (size_t i = trace->nwork; i-- > 0;) {
		uint32_t *place;

		if (trace->correlation[i] == 0)
			continue;
		place = place_of(&join->table[join->of_lane[trace->lane[i]]], trace->correlation[i]);
		if (*place)
			join->next[i] = *place;
		*place = (uint32_t)i + 1;
	}
}

void join_free(struct join *join)
{
	for (size_t t = 0; t < join->n; t++)
		free(join->table[t].first);
	free(join->table);
	free(join->of_lane);
	free(join->next);
}

/* The first from `item` on that has this id: in a hashed table others share its place. */
static uint32_t skip_others(const struct join *join, uint32_t item, int64_t id)
{
	while (item && join->trace->correlation[item - 1] != id)
		item = join->next[item - 1];
	return item;
}

uint32_t join_first(struct join *join, int64_t process, int64_t correlation)
{
	const struct join_table *table = table_of(join, process);

	if (!table || correlation < table->low || correlation > table->high)
		return 0;
	return skip_others(join, *place_of(table, correlation), correlation);
}

uint32_t join_next(const struct join *join, uint32_t item)
{
	return skip_others(join, join->next[item - 1], join->trace->correlation[item - 1]);
}
