/* name-list.h: the first few different names of many, for an error message. */
#ifndef DBPROF_CONTRAST_NAME_LIST_H
#define DBPROF_CONTRAST_NAME_LIST_H

#include <stdbool.h>
#include <stddef.h>

enum { NAME_LIST_MOST = 5 };

/* Begins as {0}. */
struct name_list {
	char *name[NAME_LIST_MOST]; /* owned */
	size_t n;
	bool has_more;
};

void name_list_add(struct name_list *list, const char *name);

/* "'a', 'b' and others", long names cut, for free(); NULL if there is none. Empties the list. */
char *name_list_take(struct name_list *list);

void name_list_free(struct name_list *list);

#endif
