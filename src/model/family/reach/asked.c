/* asked.c: see asked.h. */
#include "model/family/reach/asked.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "model/family/family-rows.h"
#include "model/family/measured.h"
#include "model/recording.h"
#include "model/trace/trace.h"
#include "store/store.h"
#include "util/alloc.h"
#include "util/number.h"

/* The longest kernel of a reference in a case, whose names are looked for. */
struct wanted {
	int64_t start;
	const char *asked; /* as the file has it; borrowed from struct wishes */
	struct measured *m;
};

/* Of a family: an element per reference and case in `kernel`, and per reference in `asked`. Owned. */
struct wishes {
	struct wanted *kernel;
	size_t n;
	char **asked;
	size_t nasked;
};

/* When the kernel that takes longest in the median launch began; false without one. */
static bool longest_start(const struct model *model, const struct measured *m, int64_t *start)
{
	int64_t longest = -1;

	for (size_t i = 0; i < m->work.n; i++) {
		struct activity item;

		trace_activity(&model->trace, m->work.item[i], &item);
		if (item.cls != WORK_KERNEL || item.end - item.start <= longest)
			continue;
		longest = item.end - item.start;
		*start = item.start;
	}
	return longest >= 0;
}

/* Whether one of the parts of `asked`, which have '|' between them, stands in the name. */
static bool is_asked_name(const char *name, const char *asked)
{
	for (const char *part = asked; *part; part += strspn(part, "|")) {
		const size_t length = strcspn(part, "|");

		if (length > 0 && memmem(name, strlen(name), part, length))
			return true;
		part += length;
	}
	return false;
}

static void wish_for_variant(
	const struct family_rows *f, struct measured *own, const char *asked, struct wishes *wishes)
{
	char *kept = xstrdup(asked);

	wishes->asked[wishes->nasked++] = kept;
	for (size_t i = 0; i < f->cases.count; i++) {
		int64_t start;

		if (longest_start(f->model, &own[i], &start))
			wishes->kernel[wishes->n++] = (struct wanted){start, kept, &own[i]};
	}
}

/* A redacted recording may hide what was asked for, so the file is read again. */
static void find_wishes(const struct family_rows *f, struct wishes *wishes)
{
	static const int columns[] = {VARIANT_family, VARIANT_name, VARIANT_kind, VARIANT_kernelName};
	struct cursor *cursor = store_columns(f->model->store, TABLE_VARIANT, columns, 4, NULL);

	wishes->kernel = xcalloc(f->variants.count * f->cases.count + 1, sizeof(*wishes->kernel));
	wishes->asked = xcalloc(f->variants.count + 1, sizeof(*wishes->asked));
	while (cursor && wishes->nasked < f->variants.count && cursor_next(cursor, NULL) > 0) {
		const char *family = cursor_text(cursor, VARIANT_family), *name = cursor_text(cursor, VARIANT_name);
		const char *asked = cursor_text_in_file(cursor, VARIANT_kernelName);
		struct measured *own = NULL;

		if (asked && family && name && strcmp(family, f->name) == 0)
			own = measured_of(f, name);
		if (own && f->cases.count && strcmp(own->kind, "reference") == 0)
			wish_for_variant(f, own, asked, wishes);
	}
	cursor_close(cursor);
}

static int by_wanted_start(const void *left, const void *right)
{
	const struct wanted *a = left, *b = right;

	return int64_order(a->start, b->start);
}

/* The first that began at `start` or later. */
static size_t wanted_from(const struct wishes *wishes, int64_t start)
{
	size_t low = 0, high = wishes->n;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (wishes->kernel[middle].start < start)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static bool column_is_asked(const struct cursor *cursor, int column, const char *asked)
{
	const char *name = cursor_text_in_file(cursor, column);

	return name && is_asked_name(name, asked);
}

/* The names of a kernel. The trace keeps short ones only: of a template the whole name tells. */
static void take_names(const struct cursor *cursor, const struct wanted *wanted)
{
	const char *whole = cursor_text(cursor, KERNEL_demangledName);
	const char *shown = whole ? whole : cursor_text(cursor, KERNEL_mangledName);

	if (!shown || wanted->m->longest)
		return;
	wanted->m->longest = xstrdup(shown);
	wanted->m->as_asked = column_is_asked(cursor, KERNEL_demangledName, wanted->asked) ||
			      column_is_asked(cursor, KERNEL_mangledName, wanted->asked);
}

/* One pass over all kernels, of which there may be many. */
static void take_all_names(const struct family_rows *f, const struct wishes *wishes)
{
	static const int columns[] = {KERNEL_start, KERNEL_demangledName, KERNEL_mangledName};
	struct cursor *cursor = store_columns(f->model->store, TABLE_KERNEL, columns, 3, NULL);

	while (cursor && cursor_next(cursor, NULL) > 0) {
		const int64_t start = cursor_int(cursor, KERNEL_start);

		for (size_t i = wanted_from(wishes, start); i < wishes->n && wishes->kernel[i].start == start; i++)
			take_names(cursor, &wishes->kernel[i]);
	}
	cursor_close(cursor);
}

/* What a library was seen to run in one case counts in those that were not traced. */
static void judge_asked(const struct family_rows *f, struct measured *own)
{
	bool other = false;

	for (size_t i = 0; i < f->cases.count; i++)
		other |= !own[i].as_asked;
	for (size_t i = 0; i < f->cases.count; i++)
		if (other && !own[i].longest)
			own[i].as_asked = false;
}

void asked_check(struct family_rows *f)
{
	struct wishes wishes = {NULL, 0, NULL, 0};

	for (size_t i = 0; i < f->variants.count * f->cases.count; i++)
		f->measured[i].as_asked = true;
	find_wishes(f, &wishes);
	if (wishes.n > 0) {
		qsort(wishes.kernel, wishes.n, sizeof(*wishes.kernel), by_wanted_start);
		take_all_names(f, &wishes);
	}
	for (size_t v = 0; v < f->variants.count; v++)
		judge_asked(f, measured_at(f, v));
	for (size_t i = 0; i < wishes.nasked; i++)
		free(wishes.asked[i]);
	free(wishes.asked);
	free(wishes.kernel);
}
