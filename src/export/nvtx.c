/* nvtx.c: NVTX ranges and marks for an export, with the names of their domains. */
#include <stdlib.h>
#include <string.h>

#include "model/trace/trace.h"
#include "store/event.h"
#include "store/store.h"
#include "export/walk.h"
#include "util/number.h"

enum nvtx_type { NVTX_MARK = 34, NVTX_PUSH_POP = 59, NVTX_START_END = 60, NVTX_DOMAIN = 75 };

/* Domain numbers count per process. */
struct domain {
	int64_t process, id;
	char *name;
};

struct nvtx {
	struct domain *domains;
	size_t n, room;
	int64_t last;
};

static int nvtx_add_domain(struct nvtx *nvtx, const struct cursor *row)
{
	const char *name = cursor_text(row, NVTX_text);

	if (!name)
		name = cursor_text(row, NVTX_textId);
	if (!name)
		return 0;
	if (nvtx->n == nvtx->room) {
		size_t more = nvtx->room ? 2 * nvtx->room : 16;
		struct domain *domains = realloc(nvtx->domains, more * sizeof(*domains));

		if (!domains)
			return -1;
		nvtx->domains = domains;
		nvtx->room = more;
	}
	nvtx->domains[nvtx->n] = (struct domain){
		process_of(cursor_int(row, NVTX_globalTid)), cursor_int(row, NVTX_domainId), strdup(name)};
	return nvtx->domains[nvtx->n].name ? (nvtx->n++, 0) : -1;
}

static int nvtx_by_domain(const void *left, const void *right)
{
	const struct domain *a = left, *b = right;

	return a->process != b->process ? int64_order(a->process, b->process) : int64_order(a->id, b->id);
}

/* A first look: the domains' rows may stand anywhere, and open ranges end with the last thing that was recorded. */
static int nvtx_look(struct export *ex, struct nvtx *nvtx)
{
	struct cursor *cursor = store_rows(ex->store, TABLE_NVTX, -1, ex->err);
	int got = -1;

	if (!cursor)
		return -1;
	while ((got = cursor_next(cursor, ex->err)) == 1) {
		int64_t start = cursor_int(cursor, NVTX_start), end = cursor_int(cursor, NVTX_end);
		int64_t later = end > start ? end : start;

		if (later > nvtx->last && export_times_good(start, later))
			nvtx->last = later;
		if (cursor_int(cursor, NVTX_eventType) == NVTX_DOMAIN && nvtx_add_domain(nvtx, cursor) < 0) {
			got = export_no_memory(ex);
			break;
		}
	}
	cursor_close(cursor);
	if (nvtx->n > 1)
		qsort(nvtx->domains, nvtx->n, sizeof(*nvtx->domains), nvtx_by_domain);
	return got;
}

static const char *domain_name(const struct nvtx *nvtx, int64_t thread, int64_t id)
{
	struct domain key = {process_of(thread), id, NULL};
	const struct domain *found =
		nvtx->n ? bsearch(&key, nvtx->domains, nvtx->n, sizeof(key), nvtx_by_domain) : NULL;

	return found ? found->name : NULL;
}

static int give_range(struct export *ex, const struct nvtx *nvtx, const struct cursor *row, int64_t type)
{
	const char *text = cursor_text(row, NVTX_text);
	struct export_range range = {
		.row = row,
		.start = cursor_int(row, NVTX_start),
		.end = cursor_int(row, NVTX_end),
		.thread = cursor_int(row, NVTX_globalTid),
		.text = text ? text : cursor_text(row, NVTX_textId),
		.kind = type == NVTX_MARK        ? EXPORT_MARK
			: type == NVTX_START_END ? EXPORT_START_END
						 : EXPORT_PUSH_POP,
	};

	range.domain = domain_name(nvtx, range.thread, cursor_int(row, NVTX_domainId));
	if (!range.text)
		range.text = "";
	range.open = type != NVTX_MARK && cursor_null(row, NVTX_end);
	if (type == NVTX_MARK)
		range.end = range.start;
	else if (range.open)
		range.end = nvtx->last;
	return export_usable(ex, range.start, range.end) ? ex->hooks->range(ex, &range) : 0;
}

static int give_ranges(struct export *ex, const struct nvtx *nvtx, struct cursor *cursor)
{
	int got;

	while ((got = cursor_next(cursor, ex->err)) == 1) {
		int64_t type = cursor_int(cursor, NVTX_eventType);

		if (type != NVTX_MARK && type != NVTX_PUSH_POP && type != NVTX_START_END)
			continue;
		if (give_range(ex, nvtx, cursor, type) < 0 || export_step(ex) < 0)
			return -1;
	}
	return got;
}

int export_nvtx(struct export *ex)
{
	struct nvtx nvtx = {.last = ex->last};
	int rc = nvtx_look(ex, &nvtx);

	if (rc == 0) {
		struct cursor *cursor = store_rows(ex->store, TABLE_NVTX, NVTX_start, ex->err);

		rc = cursor ? give_ranges(ex, &nvtx, cursor) : -1;
		cursor_close(cursor);
	}
	for (size_t i = 0; i < nvtx.n; i++)
		free(nvtx.domains[i].name);
	free(nvtx.domains);
	return rc;
}
