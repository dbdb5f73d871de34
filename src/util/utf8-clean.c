/* utf8-clean.c: copies texts and replaces what is no UTF-8. See utf8.h. */
#include "util/utf8.h"

#include <string.h>

#include "util/alloc.h"

static const char replacement[] = "\xEF\xBF\xBD"; /* U+FFFD */

/* Whether XML, and so SVG and HTML, may hold the character. */
static bool printable(uint32_t code)
{
	if (code < 0x20)
		return code == '\t' || code == '\n' || code == '\r';
	return code != 0xFFFE && code != 0xFFFF;
}

static char *clean_copy(const char *text, size_t size, size_t *clean_size, bool visible)
{
	const unsigned char *s = (const unsigned char *)text;
	char *clean, *to;

	/* One byte becomes three at most. */
	clean = to = xreallocarray(NULL, size + 1, sizeof(replacement) - 1);
	for (size_t i = 0; i < size;) {
		uint32_t code = 0;
		size_t n = utf8_character(s + i, size - i, &code);
		bool keep = n > 0 && printable(code) &&
			    !(visible && (utf8_reorders(code) || (code >= 0x7F && code < 0xA0)));
		size_t written = keep ? n : sizeof(replacement) - 1;

		memcpy(to, keep ? text + i : replacement, written);
		to += written;
		i += n ? n : 1;
	}
	*to = '\0';
	if (clean_size)
		*clean_size = (size_t)(to - clean);
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
