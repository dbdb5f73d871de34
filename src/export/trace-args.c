/* trace-args.c: the arguments of trace events: what a viewer shows of the one that is selected. */
#include <math.h>
#include <stdio.h>

#include "model/trace/trace.h"
#include "store/store.h"
#include "export/trace.h"

static void arg(struct text *text, const char *key)
{
	bool first = text->used == 0 || text->data[text->used - 1] == '{';

	text_string(text, first ? "\"" : ",\"");
	text_string(text, key);
	text_string(text, "\":");
}

void arg_int(struct text *text, const char *key, int64_t number)
{
	arg(text, key);
	text_int(text, number);
}

void arg_text(struct text *text, const char *key, const char *string)
{
	if (!string || !*string)
		return;
	arg(text, key);
	text_quoted(text, string);
}

void arg_real(struct text *text, const char *key, double number)
{
	if (!isfinite(number))
		return;
	arg(text, key);
	text_real(text, number);
}

/* A column that may be NULL. */
static void arg_column(struct text *text, const char *key, const struct cursor *row, int column)
{
	if (!cursor_null(row, column))
		arg_int(text, key, cursor_int(row, column));
}

static void arg_extent(struct text *text, const char *key, const struct cursor *row, int x)
{
	if (cursor_null(row, x))
		return;
	arg(text, key);
	text_string(text, "\"");
	for (int i = 0; i < 3; i++) {
		text_string(text, i ? "x" : "");
		text_int(text, cursor_int(row, x + i));
	}
	text_string(text, "\"");
}

/* ---- device work ---- */

static void kernel_args(struct text *args, const struct cursor *row)
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
static void memory_args(struct export *ex, struct text *args, const struct export_work *work)
{
	static const char kinds[] = "ENUM_CUDA_MEM_KIND";
	const struct activity *did = &work->did;

	arg_int(args, "bytes", did->bytes);
	if (did->end > did->start)
		arg_real(args, "GB/s", (double)did->bytes / (double)(did->end - did->start));
	if (did->src_kind >= 0)
		arg_text(args, "from", store_enum_label(ex->store, kinds, did->src_kind));
	if (did->dst_kind >= 0)
		arg_text(args, "to", store_enum_label(ex->store, kinds, did->dst_kind));
	if (work->table == TABLE_MEMSET)
		arg_column(args, "value", work->row, MEMSET_value);
	arg_column(args, "graph node", work->row,
		work->table == TABLE_MEMSET ? (int)MEMSET_graphNodeId : (int)MEMCPY_graphNodeId);
}

void work_args(struct export *ex, struct text *text, const struct export_work *work)
{
	if (work->table == TABLE_KERNEL)
		kernel_args(text, work->row);
	else
		memory_args(ex, text, work);
	arg_int(text, "correlation", work->did.correlation);
}

/* ---- NVTX ---- */

static void payload_args(struct text *args, const struct cursor *row)
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

void range_args(struct text *args, const struct export_range *range)
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
