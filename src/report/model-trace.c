/* model-trace.c: the device work of a recording (kernels, copies, memsets) as one sorted array. */
#include <stdlib.h>
#include <string.h>

#include "report/model.h"

const char *trace_text(struct trace *trace, const char *text)
{
	json_t *known = json_object_get(trace->texts, text);

	if (!known) {
		known = text_json(text);
		if (json_object_set_new_nocheck(trace->texts, text, known) < 0)
			return NULL;
	}
	return json_string_value(known);
}

static enum work_class class_of_copy(int copy_kind)
{
	switch (copy_kind) {
	case 1:  /* host to device */
	case 3:  /* host to array */
	case 11: /* managed memory, host to device */
		return WORK_H2D;
	case 2:
	case 4:
	case 12:
		return WORK_D2H;
	default:
		return WORK_OTHER;
	}
}

static int read_kernel(struct trace *trace, const struct cursor *row, struct activity *work)
{
	const char *name = cursor_text(row, KERNEL_shortName);

	if (!name)
		name = cursor_text(row, KERNEL_demangledName);
	*work = (struct activity){
		.start = cursor_int(row, KERNEL_start),
		.end = cursor_int(row, KERNEL_end),
		.device = (int)cursor_int(row, KERNEL_deviceId),
		.stream = cursor_int(row, KERNEL_streamId),
		.process = cursor_int(row, KERNEL_globalPid),
		.correlation = cursor_int(row, KERNEL_correlationId),
		.bytes = -1,
		.name = trace_text(trace, name ? name : "kernel"),
		.copy_kind = COPY_KIND_NONE,
		.src_kind = -1,
		.dst_kind = -1,
		.cls = WORK_KERNEL,
	};
	return work->name ? 0 : -1;
}

static int kind_or_none(const struct cursor *row, int column)
{
	return cursor_null(row, column) ? -1 : (int)cursor_int(row, column);
}

static int read_copy(struct trace *trace, const struct cursor *row, struct activity *work)
{
	int kind = (int)cursor_int(row, MEMCPY_copyKind);

	(void)trace;
	*work = (struct activity){
		.start = cursor_int(row, MEMCPY_start),
		.end = cursor_int(row, MEMCPY_end),
		.device = (int)cursor_int(row, MEMCPY_deviceId),
		.stream = cursor_int(row, MEMCPY_streamId),
		.process = cursor_int(row, MEMCPY_globalPid),
		.correlation = cursor_int(row, MEMCPY_correlationId),
		.bytes = cursor_int(row, MEMCPY_bytes),
		.copy_kind = kind,
		.src_kind = kind_or_none(row, MEMCPY_srcKind),
		.dst_kind = kind_or_none(row, MEMCPY_dstKind),
		.cls = class_of_copy(kind),
	};
	return 0;
}

static int read_memset(struct trace *trace, const struct cursor *row, struct activity *work)
{
	(void)trace;
	*work = (struct activity){
		.start = cursor_int(row, MEMSET_start),
		.end = cursor_int(row, MEMSET_end),
		.device = (int)cursor_int(row, MEMSET_deviceId),
		.stream = cursor_int(row, MEMSET_streamId),
		.process = cursor_int(row, MEMSET_globalPid),
		.correlation = cursor_int(row, MEMSET_correlationId),
		.bytes = cursor_int(row, MEMSET_bytes),
		.copy_kind = COPY_KIND_NONE,
		.src_kind = -1,
		.dst_kind = kind_or_none(row, MEMSET_memKind),
		.cls = WORK_OTHER,
	};
	return 0;
}

/* The tables of device work and how a row of each is read. */
static const struct reader {
	enum table_id table;
	int (*read)(struct trace *trace, const struct cursor *row, struct activity *work);
} readers[] = {
	{TABLE_KERNEL, read_kernel},
	{TABLE_MEMCPY, read_copy},
	{TABLE_MEMSET, read_memset},
};

static struct activity *work_add(struct trace *trace, size_t *room)
{
	if (trace->nwork == *room) {
		size_t more = *room ? *room * 2 : 1024;
		struct activity *work = realloc(trace->work, more * sizeof(*work));

		if (!work)
			return NULL;
		trace->work = work;
		*room = more;
	}
	return &trace->work[trace->nwork++];
}

static int read_rows(
	struct trace *trace, const struct reader *reader, struct cursor *cursor, size_t *room, struct error *err)
{
	int got;

	while ((got = cursor_next(cursor, err)) == 1) {
		struct activity *work = work_add(trace, room);

		if (!work || reader->read(trace, cursor, work) < 0)
			return -1;
		if (work->end < work->start || work->end <= 0) {
			trace->nwork--;
			trace->unusable++;
		}
	}
	return got;
}

/* Total order, so that the same rows give the same report whatever their order in the file. */
static int by_start(const void *left, const void *right)
{
	const struct activity *a = left, *b = right;
	const int order[] = {
		int64_order(a->start, b->start),
		int64_order(a->end, b->end),
		int64_order(a->device, b->device),
		int64_order(a->process, b->process),
		int64_order(a->stream, b->stream),
		int64_order(a->cls, b->cls),
		int64_order(a->correlation, b->correlation),
		int64_order(a->bytes, b->bytes),
	};

	for (size_t i = 0; i < sizeof(order) / sizeof(order[0]); i++) {
		if (order[i])
			return order[i];
	}
	return 0;
}

static int load_work(struct trace *trace, struct store *store, struct error *err)
{
	size_t room = 0;

	for (size_t i = 0; i < sizeof(readers) / sizeof(readers[0]); i++) {
		struct cursor *cursor;
		int result;

		if (!store_has(store, readers[i].table))
			continue;
		cursor = store_rows(store, readers[i].table, -1, err);
		if (!cursor)
			return -1;
		result = read_rows(trace, &readers[i], cursor, &room, err);
		cursor_close(cursor);
		if (result < 0)
			return -1;
	}
	if (trace->nwork > 1)
		qsort(trace->work, trace->nwork, sizeof(*trace->work), by_start);
	return 0;
}

int trace_load(struct trace *trace, struct store *store, struct error *err)
{
	*trace = (struct trace){.texts = json_object()};
	if (!trace->texts)
		return -1;
	if (load_work(trace, store, err) < 0 || trace_ranges(trace, store, err) < 0)
		return -1;
	return trace->nranges ? trace_calls(trace, store, err) : 0;
}

void trace_free(struct trace *trace)
{
	free(trace->work);
	free(trace->by_call);
	free(trace->ranges);
	json_decref(trace->texts);
	*trace = (struct trace){0};
}
