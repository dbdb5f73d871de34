/* nvtx.c: see nvtx.h. */
#include "export/nvtx.h"

#include "export/state.h"
#include "store/nvtx.h"

/* The rows, and the latest time of anything: the end of a range that was never closed. */
struct nvtx_rows {
	struct nvtx nvtx;
	int64_t last;
};

/* A first look: the domains' rows may stand anywhere, and open ranges end with the last thing that was recorded. */
static int nvtx_look(struct export *ex, struct nvtx_rows *rows)
{
	struct cursor *cursor = store_rows(ex->store, TABLE_NVTX, -1, ex->err);
	int got = -1;

	while (cursor && (got = cursor_next(cursor, ex->err)) == 1) {
		int64_t start = cursor_int(cursor, NVTX_start), end = cursor_int(cursor, NVTX_end);
		int64_t later = end > start ? end : start;

		if (later > rows->last && export_times_good(start, later))
			rows->last = later;
		if (nvtx_kind(&rows->nvtx, cursor) == NVTX_DOMAIN)
			nvtx_add_domain(&rows->nvtx, cursor);
	}
	cursor_close(cursor);
	return got;
}

static void give_range(struct export *ex, struct nvtx_rows *rows, const struct cursor *row, export_take_range *take)
{
	enum nvtx_kind kind = nvtx_kind(&rows->nvtx, row);
	const char *text = nvtx_text(row);
	struct export_range range = {
		.row = row,
		.start = cursor_int(row, NVTX_start),
		.end = cursor_int(row, NVTX_end),
		.thread = cursor_int(row, NVTX_globalTid),
		.text = text ? text : "",
		.kind = kind == NVTX_MARK        ? EXPORT_MARK
			: kind == NVTX_START_END ? EXPORT_START_END
						 : EXPORT_PUSH_POP,
		.open = kind != NVTX_MARK && cursor_null(row, NVTX_end),
	};

	if (kind == NVTX_OTHER || kind == NVTX_DOMAIN)
		return;
	range.domain = nvtx_domain(&rows->nvtx, range.thread, cursor_int(row, NVTX_domainId));
	if (range.kind == EXPORT_MARK)
		range.end = range.start;
	else if (range.open)
		range.end = rows->last;
	take(ex, &range);
}

static int give_ranges(struct export *ex, struct nvtx_rows *rows, export_take_range *take)
{
	struct cursor *cursor = store_rows(ex->store, TABLE_NVTX, NVTX_start, ex->err);
	int got = -1;

	while (cursor && (got = cursor_next(cursor, ex->err)) == 1) {
		give_range(ex, rows, cursor, take);
		if (export_step(ex) < 0) {
			got = -1;
			break;
		}
	}
	cursor_close(cursor);
	return got;
}

int export_nvtx(struct export *ex, export_take_range *take)
{
	struct nvtx_rows rows = {.last = ex->last};
	int rc;

	nvtx_begin(&rows.nvtx, ex->store);
	rc = nvtx_look(ex, &rows);
	if (rc == 0)
		rc = give_ranges(ex, &rows, take);
	nvtx_end(&rows.nvtx);
	return rc;
}
