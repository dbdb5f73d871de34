/* columns.c: see columns.h. */
#include "util/columns.h"

#include <limits.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "util/alloc.h"

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

static void put_part(struct strbuf *out, const char *s, size_t length, int most)
{
	bool cut = columns_in(s, length) > most, control;
	const char *end = s + length;

	for (int i = 0; s < end && i < most - cut; i++) {
		size_t n = columns_character(s, &control);

		if (control)
			strbuf_putc(out, ' ');
		else
			strbuf_add(out, s, n);
		s += n;
	}
	if (cut)
		strbuf_puts(out, "…");
}

void columns_put(struct strbuf *out, const char *s, int most)
{
	put_part(out, s, strlen(s), most);
}

void columns_left(struct strbuf *out, const char *s, int width)
{
	columns_put(out, s, width);
	strbuf_printf(out, "%*s", width > columns_of(s) ? width - columns_of(s) : 0, "");
}

void columns_right(struct strbuf *out, const char *s, int width)
{
	strbuf_printf(out, "%*s", width > columns_of(s) ? width - columns_of(s) : 0, "");
	columns_put(out, s, width);
}

/* Words have at most `longest` characters. */
static void wrap_words(struct strbuf *out, const char *first, const char *s, int most, int longest)
{
	int indent = columns_of(first), at = indent;

	strbuf_puts(out, first);
	while (*s) {
		size_t length = strcspn(s, " ");
		int width = columns_in(s, length);

		if (at > indent && at + 1 + width > most) {
			strbuf_printf(out, "\n%*s", indent, "");
			at = indent;
		}
		if (at > indent)
			strbuf_putc(out, ' ');
		put_part(out, s, length, longest);
		at += width + (at > indent);
		s += length;
		s += *s == ' ';
	}
	strbuf_putc(out, '\n');
}

void columns_wrap(struct strbuf *out, const char *first, const char *s)
{
	wrap_words(out, first, s, COLUMNS_MOST, COLUMNS_MOST - columns_of(first));
}

void columns_wrap_at(struct strbuf *out, const char *first, const char *s, int most)
{
	wrap_words(out, first, s, most, INT_MAX);
}

void columns_line(struct strbuf *out, const char *first, const char *format, ...)
{
	va_list args;
	char *text;

	va_start(args, format);
	text = xvasprintf(format, args);
	va_end(args);
	columns_wrap(out, first, text);
	free(text);
}
