/* name-list.c: see name-list.h. */
#include "contrast/name-list.h"

#include <stdlib.h>
#include <string.h>

#include "util/alloc.h"
#include "util/clip.h"
#include "util/strbuf.h"

enum { NAME_LIST_BYTES = 100 }; /* of a name that is shown */

void name_list_add(struct name_list *list, const char *name)
{
	char cut[NAME_LIST_BYTES];

	clip_print(cut, sizeof(cut), "%s", name);
	for (size_t i = 0; i < list->n; i++) {
		if (strcmp(list->name[i], cut) == 0)
			return;
	}
	if (list->n < NAME_LIST_MOST)
		list->name[list->n++] = xstrdup(cut);
	else
		list->has_more = true;
}

static const char *name_separator(const struct name_list *list, size_t i)
{
	if (i == 0)
		return "";
	return i + 1 == list->n && !list->has_more ? " and " : ", ";
}

char *name_list_take(struct name_list *list)
{
	struct strbuf text = {0};

	if (list->n == 0)
		return NULL;
	for (size_t i = 0; i < list->n; i++)
		strbuf_printf(&text, "%s'%s'", name_separator(list, i), list->name[i]);
	if (list->has_more)
		strbuf_puts(&text, " and others");
	name_list_free(list);
	return strbuf_take(&text);
}

void name_list_free(struct name_list *list)
{
	for (size_t i = 0; i < list->n; i++)
		free(list->name[i]);
	*list = (struct name_list){0};
}
