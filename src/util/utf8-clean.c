/* utf8-clean.c: the half of utf8.h that allocates. */
#include <stdint.h>

#include "util/alloc.h"
#include "util/utf8.h"

static char *clean_copy(const char *text, size_t size, size_t *clean_size, bool visible)
{
	char *clean = xmalloc(size <= (SIZE_MAX - 1) / 3 ? 3 * size + 1 : SIZE_MAX);
	size_t used = utf8_clean_into(clean, text, size, visible);

	if (clean_size)
		*clean_size = used;
	return clean;
}

char *utf8_clean(const char *text, size_t size, size_t *clean_size)
{
	return clean_copy(text, size, clean_size, false);
}

char *utf8_visible(const char *text, size_t size)
{
	return clean_copy(text, size, NULL, true);
}
