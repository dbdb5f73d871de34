/* nvtx.c: see nvtx.h. */
#include "export/nvtx.h"

#include <stdlib.h>

#include "export/state.h"
#include "store/nvtx.h"
#include "util/alloc.h"

/* The rows, and the latest time of anything: the end of a range that was never closed. */
struct nvtx_rows {
	struct export *ex;
	struct nvtx nvtx;
	struct cursor *cursor;
	int64_t last;
};

/* A first look: the domains' rows may stand anywhere, and open ranges end with the last thing that was recorded. */
static int nvtx_look(struct export *ex, struct nvtx_rows *rows)
{
	struct cursor *cursor = store_rows(ex->store, TABLE_NVTX, -1, ex->err);
	int got = -1;

	while (cursor && (got = cursor_next(cursor, ex->err)) == 1) {
		int64_t start = cursor_time(cursor, NVTX_start), end = cursor_time(cursor, NVTX_end);
		int64_t later = end > start ? end : start;

		if (export_step(ex) < 0) {
			got = -1;
			break;
		}
		if (later > rows->last && export_times_good(start, later))
			rows->last = later;
		if (nvtx_kind(&rows->nvtx, cursor) == NVTX_DOMAIN)
			nvtx_add_domain(&rows->nvtx, cursor);
	}
	cursor_close(cursor);
	return got;
}

/* False if the row is neither a range nor a mark. */
static bool read_range(struct nvtx_rows *rows, struct export_range *range)
{
	const struct cursor *row = rows->cursor;
	enum nvtx_kind kind = nvtx_kind(&rows->nvtx, row);
	const char *text = nvtx_text(row);

	*range = (struct export_range){
		.row = row,
		.start = cursor_time(row, NVTX_start),
		.end = cursor_time(row, NVTX_end),
		.thread = cursor_int(row, NVTX_globalTid),
		.text = text ? text : "",
		.kind = kind == NVTX_MARK        ? EXPORT_MARK
			: kind == NVTX_START_END ? EXPORT_START_END
						 : EXPORT_PUSH_POP,
		.open = kind != NVTX_MARK && cursor_null(row, NVTX_end),
	};
	if (kind == NVTX_OTHER || kind == NVTX_DOMAIN)
		return false;
	range->domain = nvtx_domain(&rows->nvtx, range->thread, cursor_int(row, NVTX_domainId));
	if (range->kind == EXPORT_MARK)
		range->end = range->start;
	else if (range->open)
		range->end = rows->last;
	return true;
}

struct nvtx_rows *nvtx_rows_open(struct export *ex)
{
	struct nvtx_rows *rows = xcalloc(1, sizeof(*rows));

	rows->ex = ex;
	rows->last = ex->last;
	nvtx_begin(&rows->nvtx, ex->store);
	if (nvtx_look(ex, rows) == 0)
		rows->cursor = store_rows(ex->store, TABLE_NVTX, NVTX_start, ex->err);
	if (rows->cursor)
		return rows;
	nvtx_rows_close(rows);
	return NULL;
}

int nvtx_rows_next(struct nvtx_rows *rows, struct export_range *range)
{
	int got;

	do
		got = cursor_next(rows->cursor, rows->ex->err);
	while (got == 1 && !read_range(rows, range));
	return got;
}

void nvtx_rows_close(struct nvtx_rows *rows)
{
	if (!rows)
		return;
	cursor_close(rows->cursor);
	nvtx_end(&rows->nvtx);
	free(rows);
}
