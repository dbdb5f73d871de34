/* utf8.c: see utf8.h. Takes no memory: it is also part of the library that `dbprof trace` puts into programs. */
#include "util/utf8.h"

#include <string.h>

size_t utf8_character(const unsigned char *s, size_t left, uint32_t *code)
{
	static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000}; /* shorter forms exist below these: refused */
	size_t size = s[0] < 0x80 ? 1 : s[0] >> 5 == 6 ? 2 : s[0] >> 4 == 14 ? 3 : s[0] >> 3 == 30 ? 4 : 0;

	if (size == 0 || size > left)
		return 0;
	*code = size == 1 ? s[0] : s[0] & (0x7Fu >> size);
	for (size_t i = 1; i < size; i++) {
		if (s[i] >> 6 != 2)
			return 0;
		*code = *code << 6 | (s[i] & 0x3Fu);
	}
	return *code < least[size] || *code > 0x10FFFF || (*code >= 0xD800 && *code <= 0xDFFF) ? 0 : size;
}

bool utf8_reorders(uint32_t code)
{
	return code == 0x61C || code == 0x200E || code == 0x200F || (code >= 0x2028 && code <= 0x202E) ||
	       (code >= 0x2066 && code <= 0x2069);
}

bool utf8_valid(const char *text)
{
	const unsigned char *s = (const unsigned char *)text;
	uint32_t code;

	for (size_t left = strlen(text), n; left > 0; s += n, left -= n) {
		n = utf8_character(s, left, &code);
		if (n == 0)
			return false;
	}
	return true;
}

void utf8_one_line(char *text)
{
	const unsigned char *s = (const unsigned char *)text;
	uint32_t code;

	for (size_t left = strlen(text), n; left > 0; s += n, left -= n) {
		n = utf8_character(s, left, &code);
		if (n == 0 || utf8_reorders(code))
			*text++ = '?';
		else if (code < 0x20 || (code >= 0x7F && code < 0xA0))
			*text++ = ' ';
		else
			text = (char *)memmove(text, s, n) + n;
		n = n > 0 ? n : 1;
	}
	*text = '\0';
}
