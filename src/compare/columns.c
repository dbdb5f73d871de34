/* columns.c: see columns.h. */
#include "compare/columns.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* The bytes of one character at `s`, and whether a terminal would take it for a command or a line break. */
static size_t columns_character(const char *s, bool *control)
{
	unsigned char first = (unsigned char)s[0], second = (unsigned char)(first ? s[1] : 0);
	size_t n = 1;

	while (((unsigned char)s[n] & 0xC0) == 0x80)
		n++;
	*control = first < 0x20 || first == 0x7F || (first == 0xC2 && second < 0xA0);
	return n;
}

/* Of the first `length` bytes. */
static int columns_in(const char *text, size_t length)
{
	const char *end = text + length;
	bool control;
	int n = 0;

	for (; text < end; text += columns_character(text, &control))
		n++;
	return n;
}

int columns_of(const char *text)
{
	return columns_in(text, strlen(text));
}

static void put_part(FILE *out, const char *s, size_t length, int most)
{
	bool cut = columns_in(s, length) > most, control;
	const char *end = s + length;

	for (int i = 0; s < end && i < most - cut; i++) {
		size_t n = columns_character(s, &control);

		if (control)
			fputc(' ', out);
		else
			fwrite(s, 1, n, out);
		s += n;
	}
	if (cut)
		fputs("…", out);
}

void columns_put(FILE *out, const char *s, int most)
{
	put_part(out, s, strlen(s), most);
}

void columns_left(FILE *out, const char *s, int width)
{
	columns_put(out, s, width);
	fprintf(out, "%*s", width > columns_of(s) ? width - columns_of(s) : 0, "");
}

void columns_right(FILE *out, const char *s, int width)
{
	fprintf(out, "%*s", width > columns_of(s) ? width - columns_of(s) : 0, "");
	columns_put(out, s, width);
}

void columns_wrap(FILE *out, const char *first, const char *s)
{
	int indent = columns_of(first), at = indent;

	fputs(first, out);
	while (*s) {
		size_t length = strcspn(s, " ");
		int width = columns_in(s, length);

		if (at > indent && at + 1 + width > COLUMNS_MOST) {
			fprintf(out, "\n%*s", indent, "");
			at = indent;
		}
		if (at > indent)
			fputc(' ', out);
		put_part(out, s, length, COLUMNS_MOST - indent);
		at += width + (at > indent);
		s += length;
		s += *s == ' ';
	}
	fputc('\n', out);
}

int columns_line(FILE *out, const char *first, const char *format, ...)
{
	va_list args;
	char *text;
	int size;

	va_start(args, format);
	size = vasprintf(&text, format, args);
	va_end(args);
	if (size < 0)
		return -1;
	columns_wrap(out, first, text);
	free(text);
	return 0;
}
