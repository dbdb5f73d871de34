/* utf8.c: see utf8.h. */
#include "util/utf8.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static const char replacement[] = "\xEF\xBF\xBD";

/* The length of the character at `s`, of which `left` bytes are there; 0 if there is none. */
static size_t character(const unsigned char *s, size_t left)
{
	static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000}; /* shorter forms exist below these: refused */
	size_t size = s[0] < 0x80 ? 1 : s[0] >> 5 == 6 ? 2 : s[0] >> 4 == 14 ? 3 : s[0] >> 3 == 30 ? 4 : 0;
	uint32_t code;

	if (size == 1)
		return s[0] >= 0x20 || s[0] == '\t' || s[0] == '\n' || s[0] == '\r';
	if (size == 0 || size > left)
		return 0;
	code = s[0] & (0x7Fu >> size);
	for (size_t i = 1; i < size; i++) {
		if (s[i] >> 6 != 2)
			return 0;
		code = code << 6 | (s[i] & 0x3Fu);
	}
	if (code < least[size] || code > 0x10FFFF || (code >= 0xD800 && code <= 0xDFFF))
		return 0;
	return code == 0xFFFE || code == 0xFFFF ? 0 : size; /* XML refuses these two */
}

char *utf8_clean(const char *text, size_t size, size_t *clean_size)
{
	const unsigned char *s = (const unsigned char *)text;
	char *clean, *to;

	if (size > (SIZE_MAX - 1) / 3)
		return NULL;
	clean = to = malloc(3 * size + 1);
	if (clean == NULL)
		return NULL;
	for (size_t i = 0; i < size;) {
		size_t n = character(s + i, size - i);

		memcpy(to, n ? text + i : replacement, n ? n : 3);
		to += n ? n : 3;
		i += n ? n : 1;
	}
	*to = '\0';
	if (clean_size != NULL)
		*clean_size = (size_t)(to - clean);
	return clean;
}
