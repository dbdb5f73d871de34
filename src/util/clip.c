/* clip.c: see clip.h. */
#include "util/clip.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* The buffer is full: removes a character that was cut in two from its end. */
static void drop_part(char *text, size_t size)
{
	size_t end = size - 1, start = end;

	while (start > 0 && end - start < 3 && ((unsigned char)text[start - 1] & 0xC0) == 0x80)
		start--;
	if (start > 0 && (unsigned char)text[start - 1] >= 0xC0) {
		unsigned char lead = (unsigned char)text[start - 1];
		size_t whole = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;

		if (end - (start - 1) < whole)
			text[start - 1] = '\0';
	}
}

static void print_at(char *text, size_t size, const char *format, va_list args)
{
	int length = vsnprintf(text, size, format, args);

	if (length < 0)
		*text = '\0';
	else if ((size_t)length >= size)
		drop_part(text, size);
}

void clip_print(char *text, size_t size, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	print_at(text, size, format, args);
	va_end(args);
}

void clip_append(char *text, size_t size, const char *format, ...)
{
	size_t used = strlen(text);
	va_list args;

	va_start(args, format);
	print_at(text + used, size - used, format, args);
	va_end(args);
}
