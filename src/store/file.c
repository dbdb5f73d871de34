/* file.c: see file.h. */
#include "store/file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int file_write_all(int fd, const void *data, size_t size)
{
	const char *at = data;

	while (size > 0) {
		ssize_t n = write(fd, at, size);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return errno;
		at += n;
		size -= (size_t)n;
	}
	return 0;
}

int file_is_full(int errnum)
{
	return errnum == ENOSPC || errnum == EDQUOT || errnum == EFBIG;
}

int file_write_error(struct error *err, const char *path, int errnum)
{
	if (errnum == EFBIG)
		return error_set(err,
			"cannot write %s: no space left under the file size limit: raise it (ulimit -f), "
			"or choose another folder with -o",
			path);
	if (file_is_full(errnum))
		return error_set(err,
			"cannot write %s: no space left on the disk: free some space or choose another "
			"folder with -o",
			path);
	return error_set(err, "cannot write %s: %s: choose another folder with -o", path, strerror(errnum));
}

int file_memory_error(struct error *err, const char *doing, const char *path)
{
	return error_set(err, "cannot %s %s: out of memory: close other programs", doing, path);
}

char *file_plain_path(const char *path)
{
	char *plain;

	return asprintf(&plain, "%s%s", *path == '/' ? "" : "./", path) < 0 ? NULL : plain;
}

char *file_uri(const char *path, const char *query)
{
	static const char hex[] = "0123456789ABCDEF";
	static const char head[] = "file:";
	char *uri = malloc(sizeof head + strlen("./") + 3 * strlen(path) + strlen("?") + strlen(query));
	char *out;

	if (uri == NULL)
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
