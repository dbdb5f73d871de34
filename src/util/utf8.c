/* utf8.c: see utf8.h. */
#include "util/utf8.h"

#include <stdint.h>
#include <string.h>

static const char replacement[] = "\xEF\xBF\xBD";

/* The length of the well-formed character at `s`, of which `left` bytes are there; 0 if there is none. */
static size_t utf8_character(const unsigned char *s, size_t left, uint32_t *code)
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

/* Whether XML, and so SVG and HTML, may hold the character. */
static bool printable(uint32_t code)
{
	if (code < 0x20)
		return code == '\t' || code == '\n' || code == '\r';
	return code != 0xFFFE && code != 0xFFFF;
}

/* Marks and overrides of right-to-left text, and what ends a line or a paragraph. */
static bool reorders(uint32_t code)
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

size_t utf8_clean_into(char *clean, const char *text, size_t size, bool visible)
{
	const unsigned char *s = (const unsigned char *)text;
	char *to = clean;

	for (size_t i = 0; i < size;) {
		uint32_t code = 0;
		size_t n = utf8_character(s + i, size - i, &code);
		bool keep = n > 0 && printable(code) && !(visible && (reorders(code) || (code >= 0x7F && code < 0xA0)));
		size_t written = keep ? n : sizeof(replacement) - 1;

		memcpy(to, keep ? text + i : replacement, written);
		to += written;
		i += n ? n : 1;
	}
	*to = '\0';
	return (size_t)(to - clean);
}

void utf8_one_line(char *text)
{
	const unsigned char *s = (const unsigned char *)text;
	uint32_t code;

	for (size_t left = strlen(text), n; left > 0; s += n, left -= n) {
		n = utf8_character(s, left, &code);
		if (n == 0 || reorders(code))
			*text++ = '?';
		else if (code < 0x20 || (code >= 0x7F && code < 0xA0))
			*text++ = ' ';
		else
			text = (char *)memmove(text, s, n) + n;
		n = n > 0 ? n : 1;
	}
	*text = '\0';
}
