/* nvtx.c: see nvtx.h. */
#include "store/nvtx.h"

#include <stdlib.h>

#include "store/event.h"
#include "util/alloc.h"
#include "util/number.h"

/* ENUM_NSYS_EVENT_TYPE; those with a T come from a text file that was imported. */
enum nvtx_type {
	TYPE_MARK = 34,
	TYPE_PUSH_POP = 59,
	TYPE_START_END = 60,
	TYPE_T_MARK = 65,
	TYPE_T_PUSH_POP = 70,
	TYPE_T_START_END = 71,
	TYPE_DOMAIN = 75
};

/* Domain numbers count per process. */
struct nvtx_domain {
	int64_t process, id;
	char *name; /* owned */
};

void nvtx_begin(struct nvtx *nvtx, struct store *store)
{
	*nvtx = (struct nvtx){0};
	for (int i = 0; i < NVTX_EVENT_TYPES; i++)
		nvtx->type[i] = (int16_t)store_enum_number(store, "ENUM_NSYS_EVENT_TYPE", i);
}

void nvtx_end(struct nvtx *nvtx)
{
	for (size_t i = 0; i < nvtx->ndomains; i++)
		free(nvtx->domains[i].name);
	free(nvtx->domains);
}

enum nvtx_kind nvtx_kind_of(const struct nvtx *nvtx, const int64_t *type, bool ends)
{
	if (!type)
		return ends ? NVTX_PUSH_POP : NVTX_OTHER;
	switch (*type >= 0 && *type < NVTX_EVENT_TYPES ? nvtx->type[*type] : 0) {
	case TYPE_MARK:
	case TYPE_T_MARK:
		return NVTX_MARK;
	case TYPE_PUSH_POP:
	case TYPE_T_PUSH_POP:
		return NVTX_PUSH_POP;
	case TYPE_START_END:
	case TYPE_T_START_END:
		return NVTX_START_END;
	case TYPE_DOMAIN:
		return NVTX_DOMAIN;
	default:
		return NVTX_OTHER;
	}
}

enum nvtx_kind nvtx_kind(const struct nvtx *nvtx, const struct cursor *row)
{
	int64_t type = cursor_int(row, NVTX_eventType);

	return nvtx_kind_of(nvtx, cursor_null(row, NVTX_eventType) ? NULL : &type, !cursor_null(row, NVTX_end));
}

const char *nvtx_text(const struct cursor *row)
{
	const char *text = cursor_text(row, NVTX_text);

	return text ? text : cursor_text(row, NVTX_textId);
}

void nvtx_name_domain(struct nvtx *nvtx, int64_t thread, int64_t id, const char *name)
{
	if (!name)
		return;
	xgrow(&nvtx->domains, nvtx->ndomains, &nvtx->room, sizeof(*nvtx->domains));
	nvtx->domains[nvtx->ndomains++] = (struct nvtx_domain){process_of(thread), id, xstrdup(name)};
	nvtx->sorted = false;
}

void nvtx_add_domain(struct nvtx *nvtx, const struct cursor *row)
{
	nvtx_name_domain(nvtx, cursor_int(row, NVTX_globalTid), cursor_int(row, NVTX_domainId), nvtx_text(row));
}

static int by_process_and_id(const void *left, const void *right)
{
	const struct nvtx_domain *a = left, *b = right;

	return a->process != b->process ? int64_order(a->process, b->process) : int64_order(a->id, b->id);
}

const char *nvtx_domain(struct nvtx *nvtx, int64_t thread, int64_t id)
{
	struct nvtx_domain key = {process_of(thread), id, NULL};
	const struct nvtx_domain *found;

	if (nvtx->ndomains == 0)
		return NULL;
	if (!nvtx->sorted)
		qsort(nvtx->domains, nvtx->ndomains, sizeof(*nvtx->domains), by_process_and_id);
	nvtx->sorted = true;
	found = bsearch(&key, nvtx->domains, nvtx->ndomains, sizeof(key), by_process_and_id);
	return found ? found->name : NULL;
}
