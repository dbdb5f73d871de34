/* args.c: see args.h. */
#include "export/trace/args.h"

#include <stdio.h>

#include "export/state.h"
#include "export/trace/event.h"
#include "export/trace/form.h"

/* A column that may be NULL. */
static void arg_column(struct export *ex, struct strbuf *args, const char *key, const struct cursor *row, int column)
{
	if (!cursor_null(row, column))
		arg_int(ex, args, key, cursor_int(row, column));
}

/* "1x2x3", from the column x on; "" if there is none. */
static void extent_words(const struct cursor *row, int x, char *words, size_t size)
{
	words[0] = '\0';
	if (!cursor_null(row, x))
		snprintf(words, size, "%lldx%lldx%lld", (long long)cursor_int(row, x),
			(long long)cursor_int(row, x + 1), (long long)cursor_int(row, x + 2));
}

/* ---- device work ---- */

static const struct {
	const char *key;
	int column;
} kernel_numbers[] = {
	{"registers per thread", KERNEL_registersPerThread},
	{"static shared memory", KERNEL_staticSharedMemory},
	{"dynamic shared memory", KERNEL_dynamicSharedMemory},
	{"local memory per thread", KERNEL_localMemoryPerThread},
};

enum { KERNEL_NUMBERS = sizeof(kernel_numbers) / sizeof(kernel_numbers[0]) };

/* All in one text, which the launches of a kernel share: "scan(float*) <<<1x2x3, 64x1x1>>>, registers per thread 32".
 */
static void kernel_words(struct export *ex, struct strbuf *args, const struct cursor *row)
{
	const char *name = cursor_text(row, KERNEL_demangledName);
	char grid[64], block[64];
	struct strbuf words = {0};

	extent_words(row, KERNEL_gridX, grid, sizeof(grid));
	extent_words(row, KERNEL_blockX, block, sizeof(block));
	strbuf_puts(&words, name ? name : "");
	if (*grid || *block)
		strbuf_printf(&words, "%s<<<%s, %s>>>", name ? " " : "", grid, block);
	for (int i = 0; i < KERNEL_NUMBERS; i++) {
		if (!cursor_null(row, kernel_numbers[i].column))
			strbuf_printf(&words, "%s%s %lld", words.length > 0 ? ", " : "", kernel_numbers[i].key,
				(long long)cursor_int(row, kernel_numbers[i].column));
	}
	arg_text(ex, args, "kernel", words.text);
	strbuf_free(&words);
}

static void kernel_args(struct export *ex, struct strbuf *args, const struct cursor *row)
{
	char words[64];

	arg_text(ex, args, "kernel", cursor_text(row, KERNEL_demangledName));
	extent_words(row, KERNEL_gridX, words, sizeof(words));
	arg_text(ex, args, "grid", words);
	extent_words(row, KERNEL_blockX, words, sizeof(words));
	arg_text(ex, args, "block", words);
	for (int i = 0; i < KERNEL_NUMBERS; i++)
		arg_column(ex, args, kernel_numbers[i].key, row, kernel_numbers[i].column);
}

/* Bytes per ns are GB/s. */
static void memory_args(struct export *ex, struct strbuf *args, const struct export_work *work)
{
	static const char kinds[] = "ENUM_CUDA_MEM_KIND";

	arg_int(ex, args, "bytes", work->bytes);
	if (work->end > work->start && !trace_of(ex)->form->brief)
		arg_real(ex, args, "GB/s", (double)work->bytes / (double)(work->end - work->start));
	/* The name of a copy says where its bytes are. */
	if (work->src_kind >= 0 && !trace_of(ex)->form->brief)
		arg_text(ex, args, "from", store_enum_label(ex->store, kinds, work->src_kind));
	if (work->dst_kind >= 0 && (work->table == TABLE_MEMSET || !trace_of(ex)->form->brief))
		arg_text(ex, args, "to", store_enum_label(ex->store, kinds, work->dst_kind));
	if (work->table == TABLE_MEMSET)
		arg_column(ex, args, "value", work->row, MEMSET_value);
	arg_column(ex, args, "graph node", work->row,
		work->table == TABLE_MEMSET ? (int)MEMSET_graphNodeId : (int)MEMCPY_graphNodeId);
}

void work_args(struct export *ex, struct strbuf *args, const struct export_work *work)
{
	if (work->table == TABLE_GRAPHTRACE)
		arg_column(ex, args, "executable graph", work->row, GRAPHTRACE_graphExecId);
	else if (work->table != TABLE_KERNEL)
		memory_args(ex, args, work);
	else if (trace_of(ex)->form->brief)
		kernel_words(ex, args, work->row);
	else
		kernel_args(ex, args, work->row);
	if (work->table == TABLE_KERNEL)
		arg_column(ex, args, "graph node", work->row, KERNEL_graphNodeId);
}

/* ---- NVTX ---- */

static void payload_args(struct export *ex, struct strbuf *args, const struct cursor *row)
{
	static const int integers[] = {NVTX_uint64Value, NVTX_int64Value, NVTX_uint32Value, NVTX_int32Value};
	static const int reals[] = {NVTX_doubleValue, NVTX_floatValue};
	bool there = false;

	for (size_t i = 0; i < sizeof(integers) / sizeof(integers[0]) && !there; i++) {
		arg_column(ex, args, "payload", row, integers[i]);
		there = !cursor_null(row, integers[i]);
	}
	for (size_t i = 0; i < sizeof(reals) / sizeof(reals[0]) && !there; i++) {
		there = !cursor_null(row, reals[i]);
		if (there)
			arg_real(ex, args, "payload", cursor_real(row, reals[i]));
	}
}

void range_args(struct export *ex, struct strbuf *args, const struct export_range *range)
{
	char color[16];

	arg_column(ex, args, "category", range->row, NVTX_category);
	if (!cursor_null(range->row, NVTX_color)) {
		snprintf(color, sizeof(color), "#%06X", (unsigned)(cursor_int(range->row, NVTX_color) & 0xFFFFFF));
		arg_text(ex, args, "color", color);
	}
	payload_args(ex, args, range->row);
	if (range->open)
		arg_text(ex, args, "end", "never closed");
}
