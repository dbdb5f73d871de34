/* asked.c: see asked.h. */
#include "model/family/reach/asked.h"

#include <stdbool.h>
#include <string.h>

#include "model/family/measured.h"
#include "model/recording.h"
#include "model/trace/trace.h"
#include "store/store.h"
#include "util/alloc.h"

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

/* The names of the kernel that began at `start`. The trace keeps short ones only: of a template the whole name tells.
 */
static void take_names(const struct model *model, struct measured *m, int64_t start)
{
	static const int columns[] = {KERNEL_start, KERNEL_demangledName, KERNEL_mangledName};
	struct cursor *cursor = store_columns(model->store, TABLE_KERNEL, columns, 3, NULL);

	while (cursor && !m->longest && cursor_next(cursor, NULL) > 0) {
		const char *whole = cursor_text(cursor, KERNEL_demangledName);
		const char *mangled = cursor_text(cursor, KERNEL_mangledName);

		if (cursor_int(cursor, KERNEL_start) != start || (!whole && !mangled))
			continue;
		m->longest = xstrdup(whole ? whole : mangled);
		m->as_asked =
			(whole && is_asked_name(whole, m->asked)) || (mangled && is_asked_name(mangled, m->asked));
	}
	cursor_close(cursor);
}

void asked_check(const struct model *model, struct measured *m)
{
	int64_t start;

	m->as_asked = true;
	if (m->asked && longest_start(model, m, &start))
		take_names(model, m, start);
}
