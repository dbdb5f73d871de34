/* wide.c: see wide.h. What CUPTI entered is called all the same. */
#include "trace/inject/wide.h"

#include <stdatomic.h>
#include <wchar.h>

#include <nvtx3/nvToolsExt.h>

enum way { WAY_PUSH, WAY_START };

/* CUPTI's functions; NULL: it has none. They are the same in all tables. */
static _Atomic(NvtxFunctionPointer) behind[WIDE_WAYS];
static atomic_size_t counted;

static int NVTX_API push_counted(const wchar_t *text)
{
	int(NVTX_API * next)(const wchar_t *) = (int(NVTX_API *)(const wchar_t *))atomic_load(&behind[WAY_PUSH]);

	atomic_fetch_add(&counted, 1);
	return next ? next(text) : NVTX_NO_PUSH_POP_TRACKING;
}

static nvtxRangeId_t NVTX_API start_counted(const wchar_t *text)
{
	nvtxRangeId_t(NVTX_API * next)(const wchar_t *) =
		(nvtxRangeId_t(NVTX_API *)(const wchar_t *))atomic_load(&behind[WAY_START]);

	atomic_fetch_add(&counted, 1);
	return next ? next(text) : 0;
}

static const struct {
	unsigned id;
	NvtxFunctionPointer counts;
} ways[WIDE_WAYS] = {
	[WAY_PUSH] = {NVTX_CBID_CORE_RangePushW, (NvtxFunctionPointer)push_counted},
	[WAY_START] = {NVTX_CBID_CORE_RangeStartW, (NvtxFunctionPointer)start_counted},
};

/* Where the table has the function; NULL without. */
static NvtxFunctionPointer *wide_place(void *get_table, int way)
{
	NvtxGetExportTableFunc_t get;
	const NvtxExportTableCallbacks *callbacks;
	NvtxFunctionTable table = NULL;
	unsigned size = 0;

	*(void **)&get = get_table;
	callbacks = get ? get(NVTX_ETID_CALLBACKS) : NULL;
	if (!callbacks || callbacks->GetModuleFunctionTable(NVTX_CB_MODULE_CORE, &table, &size) != 1 ||
		ways[way].id >= size)
		return NULL;
	return table[ways[way].id];
}

struct wide_table wide_begin(void *get_table)
{
	struct wide_table table = {.get = get_table};

	for (int way = 0; way < WIDE_WAYS; way++) {
		const NvtxFunctionPointer *place = wide_place(get_table, way);

		table.before[way] = place ? *place : NULL;
	}
	return table;
}

/* What nobody has entered anew is NVTX's own way to here: it must not be called. */
void wide_listen(const struct wide_table *table)
{
	for (int way = 0; way < WIDE_WAYS; way++) {
		NvtxFunctionPointer *place = wide_place(table->get, way);

		if (!place || *place == ways[way].counts)
			continue;
		if (*place != table->before[way])
			atomic_store(&behind[way], *place);
		*place = ways[way].counts;
	}
}

size_t wide_ranges(void)
{
	return atomic_load(&counted);
}
