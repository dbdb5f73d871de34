/* utf8.c: see utf8.h. */
#include "store/utf8.h"

#include <stdlib.h>
#include <string.h>

/* Length of the well-formed character at `s`, 0 if there is none. Reads no byte behind the terminating NUL. */
static size_t char_length(const unsigned char *s)
{
	unsigned char low = 0x80, high = 0xbf; /* of the second byte */
	size_t length;

	if (s[0] < 0x80)
		return 1;
	if (s[0] < 0xc2 || s[0] > 0xf4)
		return 0;
	length = s[0] < 0xe0 ? 2 : s[0] < 0xf0 ? 3 : 4;
	if (s[0] == 0xe0)
		low = 0xa0;
	else if (s[0] == 0xed)
		high = 0x9f;
	else if (s[0] == 0xf0)
		low = 0x90;
	else if (s[0] == 0xf4)
		high = 0x8f;
	if (s[1] < low || s[1] > high)
		return 0;
	for (size_t i = 2; i < length; i++)
		if ((s[i] & 0xc0) != 0x80)
			return 0;
	return length;
}

bool utf8_valid(const char *text)
{
	const unsigned char *s = (const unsigned char *)text;

	while (*s != '\0') {
		size_t length = char_length(s);

		if (length == 0)
			return false;
		s += length;
	}
	return true;
}

char *utf8_repair(const char *text)
{
	char *copy = strdup(text);
	char *s = copy;

	if (copy == NULL)
		return NULL;
	while (*s != '\0') {
		size_t length = char_length((const unsigned char *)s);

		if (length == 0)
			*s = '?';
		s += length == 0 ? 1 : length;
	}
	return copy;
}
