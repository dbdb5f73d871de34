/* args.c: see args.h. */
#include "export/trace/args.h"

#include <stdio.h>

#include "export/state.h"
#include "export/text.h"
#include "export/trace/event.h"

/* A column that may be NULL. */
static void arg_column(struct strbuf *text, const char *key, const struct cursor *row, int column)
{
	if (!cursor_null(row, column))
		arg_int(text, key, cursor_int(row, column));
}

static void arg_extent(struct strbuf *text, const char *key, const struct cursor *row, int x)
{
	if (cursor_null(row, x))
		return;
	arg_begin(text, key);
	strbuf_puts(text, "\"");
	for (int i = 0; i < 3; i++) {
		strbuf_puts(text, i ? "x" : "");
		text_int(text, cursor_int(row, x + i));
	}
	strbuf_puts(text, "\"");
}

/* ---- device work ---- */

static void kernel_args(struct strbuf *args, const struct cursor *row)
{
	arg_text(args, "kernel", cursor_text(row, KERNEL_demangledName));
	arg_extent(args, "grid", row, KERNEL_gridX);
	arg_extent(args, "block", row, KERNEL_blockX);
	arg_column(args, "registers per thread", row, KERNEL_registersPerThread);
	arg_column(args, "static shared memory", row, KERNEL_staticSharedMemory);
	arg_column(args, "dynamic shared memory", row, KERNEL_dynamicSharedMemory);
	arg_column(args, "local memory per thread", row, KERNEL_localMemoryPerThread);
	arg_column(args, "graph node", row, KERNEL_graphNodeId);
}

/* Bytes per ns are GB/s. */
static void memory_args(struct export *ex, struct strbuf *args, const struct export_work *work)
{
	static const char kinds[] = "ENUM_CUDA_MEM_KIND";

	arg_int(args, "bytes", work->bytes);
	if (work->end > work->start)
		arg_real(args, "GB/s", (double)work->bytes / (double)(work->end - work->start));
	if (work->src_kind >= 0)
		arg_text(args, "from", store_enum_label(ex->store, kinds, work->src_kind));
	if (work->dst_kind >= 0)
		arg_text(args, "to", store_enum_label(ex->store, kinds, work->dst_kind));
	if (work->table == TABLE_MEMSET)
		arg_column(args, "value", work->row, MEMSET_value);
	arg_column(args, "graph node", work->row,
		work->table == TABLE_MEMSET ? (int)MEMSET_graphNodeId : (int)MEMCPY_graphNodeId);
}

void work_args(struct export *ex, struct strbuf *text, const struct export_work *work)
{
	if (work->table == TABLE_KERNEL)
		kernel_args(text, work->row);
	else
		memory_args(ex, text, work);
	arg_int(text, "correlation", work->correlation);
}

/* ---- NVTX ---- */

static void payload_args(struct strbuf *args, const struct cursor *row)
{
	static const int integers[] = {NVTX_uint64Value, NVTX_int64Value, NVTX_uint32Value, NVTX_int32Value};
	static const int reals[] = {NVTX_doubleValue, NVTX_floatValue};
	bool there = false;

	for (size_t i = 0; i < sizeof(integers) / sizeof(integers[0]) && !there; i++) {
		arg_column(args, "payload", row, integers[i]);
		there = !cursor_null(row, integers[i]);
	}
	for (size_t i = 0; i < sizeof(reals) / sizeof(reals[0]) && !there; i++) {
		there = !cursor_null(row, reals[i]);
		if (there)
			arg_real(args, "payload", cursor_real(row, reals[i]));
	}
}

void range_args(struct strbuf *args, const struct export_range *range)
{
	char color[16];

	arg_column(args, "category", range->row, NVTX_category);
	if (!cursor_null(range->row, NVTX_color)) {
		snprintf(color, sizeof(color), "#%06X", (unsigned)(cursor_int(range->row, NVTX_color) & 0xFFFFFF));
		arg_text(args, "color", color);
	}
	payload_args(args, range->row);
	if (range->open)
		arg_text(args, "end", "never closed");
}
