/* path.c: see path.h. */
#include "store/path.h"

#include <string.h>

#include "util/alloc.h"

char *path_plain(const char *path)
{
	return xasprintf("%s%s", *path == '/' ? "" : "./", path);
}

char *path_uri(const char *path, const char *query)
{
	static const char hex[] = "0123456789ABCDEF";
	static const char head[] = "file:";
	char *uri = xmalloc(sizeof(head) + strlen("./") + 3 * strlen(path) + strlen("?") + strlen(query));
	char *out;

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
