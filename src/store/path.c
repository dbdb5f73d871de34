/* path.c: see path.h. */
#include "store/path.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int path_memory_error(struct error *err, const char *doing, const char *path)
{
	return error_system(err, "cannot %s %s: out of memory: close other programs", doing, path);
}

char *path_plain(const char *path)
{
	char *plain;

	return asprintf(&plain, "%s%s", *path == '/' ? "" : "./", path) < 0 ? NULL : plain;
}

char *path_uri(const char *path, const char *query)
{
	static const char hex[] = "0123456789ABCDEF";
	static const char head[] = "file:";
	char *uri = malloc(sizeof(head) + strlen("./") + 3 * strlen(path) + strlen("?") + strlen(query));
	char *out;

	if (!uri)
		return NULL;
	out = stpcpy(uri, head);
	out = stpcpy(out, *path == '/' ? "" : "./");
	for (const unsigned char *c = (const unsigned char *)path; *c != '\0'; c++) {
		if (*c != '%' && *c != '?' && *c != '#') {
			*out++ = (char)*c;
			continue;
		}
		*out++ = '%';
		*out++ = hex[*c >> 4];
		*out++ = hex[*c & 15];
	}
	*out++ = '?';
	stpcpy(out, query);
	return uri;
}
