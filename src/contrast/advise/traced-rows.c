/* traced-rows.c: see traced-rows.h. */
#include "contrast/advise/traced-rows.h"

#include "contrast/step/cells.h"

/* Those that a recording has once, such as its facts, are our own. */
static const enum table_id traced_tables[] = {TABLE_GPU, TABLE_CUDADEVICE, TABLE_CONTEXT, TABLE_STREAM, TABLE_PROCESS,
	TABLE_THREAD, TABLE_TRACEDPROCESS, TABLE_CODE, TABLE_KERNEL, TABLE_MEMCPY, TABLE_MEMSET, TABLE_GRAPHTRACE,
	TABLE_RUNTIME, TABLE_SYNCHRONIZATION, TABLE_CUDAEVENT, TABLE_NVTX, TABLE_OVERHEAD, TABLE_DIAGNOSTIC};

int rows_of_traced_run(struct recording *rec, const char *traced, int64_t start, struct error *err)
{
	struct store *store = store_open(traced, err);
	int code = store ? 0 : -1;

	for (size_t i = 0; i < sizeof(traced_tables) / sizeof(traced_tables[0]) && code == 0; i++)
		code = copy_table(rec, store, traced_tables[i], start, err);
	store_close(store);
	return code;
}
