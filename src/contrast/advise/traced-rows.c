/* traced-rows.c: see traced-rows.h. */
#include "contrast/advise/traced-rows.h"

#include "contrast/step/cells.h"

/* Those that a recording has once, such as its facts, are our own. */
static const enum table_id traced_tables[] = {TABLE_GPU, TABLE_CUDADEVICE, TABLE_CONTEXT, TABLE_STREAM, TABLE_PROCESS,
	TABLE_THREAD, TABLE_TRACEDPROCESS, TABLE_CODE, TABLE_CLUSTER, TABLE_KERNEL, TABLE_MEMCPY, TABLE_MEMSET,
	TABLE_GRAPHTRACE, TABLE_RUNTIME, TABLE_SYNCHRONIZATION, TABLE_CUDAEVENT, TABLE_NVTX, TABLE_OVERHEAD,
	TABLE_DIAGNOSTIC};

/* When the session began that its times are told from (CLOCK_REALTIME, ns). */
static int session_start(struct store *store, int64_t *start, struct error *err)
{
	struct cursor *row = store_rows(store, TABLE_SESSION, -1, err);
	int more = row ? cursor_next(row, err) : -1;

	if (more > 0)
		*start = cursor_int(row, SESSION_utcEpochNs);
	cursor_close(row);
	return more < 0 ? -1 : 0;
}

int rows_of_traced_run(struct recording *rec, const char *traced, struct error *err)
{
	struct store *store = store_open(traced, err);
	int64_t start = 0;
	int code = store ? session_start(store, &start, err) : -1;

	for (size_t i = 0; i < sizeof(traced_tables) / sizeof(traced_tables[0]) && code == 0; i++)
		code = copy_table(rec, store, traced_tables[i], start, err);
	store_close(store);
	return code;
}
