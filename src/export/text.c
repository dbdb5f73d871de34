/* text.c: see text.h. */
#include "export/text.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The digits of `number`, at least `least` of them, end at `end`. Returns where they begin. */
static char *digits(char *end, uint64_t number, int least)
{
	for (; number != 0 || least > 0; number /= 10, least--)
		*--end = (char)('0' + number % 10);
	return end;
}

static uint64_t magnitude(int64_t number)
{
	return number < 0 ? 0 - (uint64_t)number : (uint64_t)number;
}

void text_int(struct strbuf *text, int64_t number)
{
	char room[24], *end = room + sizeof(room), *at = digits(end, magnitude(number), 1);

	if (number < 0)
		*--at = '-';
	strbuf_add(text, at, (size_t)(end - at));
}

void text_us(struct strbuf *text, int64_t ns)
{
	char room[28], *end = room + sizeof(room), *at = digits(end, magnitude(ns) % 1000, 3);

	*--at = '.';
	at = digits(at, magnitude(ns) / 1000, 1);
	if (ns < 0)
		*--at = '-';
	strbuf_add(text, at, (size_t)(end - at));
}

void text_real(struct strbuf *text, double number)
{
	char room[32];

	if (!isfinite(number))
		number = 0;
	for (int precision = 15; precision <= 17; precision += 2) {
		snprintf(room, sizeof(room), "%.*g", precision, number);
		if (strtod(room, NULL) == number)
			break;
	}
	strbuf_puts(text, room);
}

/* How many bytes from `s` on can stand in a JSON string as they are. */
static size_t text_plain(const unsigned char *s)
{
	size_t n = 0;

	while (s[n] >= 0x20 && s[n] != '"' && s[n] != '\\' && s[n] != 0x7F &&
		!(s[n] == 0xE2 && s[n + 1] == 0x80 && (s[n + 2] | 1) == 0xA9))
		n++;
	return n;
}

/* Writes the character at `s` escaped; returns its length. */
static size_t escape(struct strbuf *text, const unsigned char *s)
{
	static const char letters[] = "\"\"\\\\\bb\ff\nn\rr\tt";
	const char *pair = NULL;
	char code[8];

	for (const char *p = letters; *p != '\0' && !pair; p += 2)
		pair = (unsigned char)*p == *s ? p : NULL;
	if (pair) {
		strbuf_add(text, (const char[]){'\\', pair[1]}, 2);
		return 1;
	}
	snprintf(code, sizeof(code), "\\u%04x", *s == 0xE2 ? 0x2000u + (s[2] & 0x3Fu) : *s);
	strbuf_puts(text, code);
	return *s == 0xE2 ? 3 : 1;
}

void text_quoted(struct strbuf *text, const char *string)
{
	const unsigned char *s = (const unsigned char *)string;

	strbuf_add(text, "\"", 1);
	while (*s != '\0') {
		size_t n = text_plain(s);

		strbuf_add(text, (const char *)s, n);
		s += n;
		if (*s != '\0')
			s += escape(text, s);
	}
	strbuf_add(text, "\"", 1);
}

void text_cell(struct strbuf *text, const char *string)
{
	bool formula, quotes;

	if (!string || *string == '\0')
		return;
	formula = strchr("=+-@\t\r", *string) != NULL;
	quotes = formula || strpbrk(string, ",\"\r\n");
	strbuf_add(text, "\"'", quotes ? formula ? 2 : 1 : 0);
	for (const char *s = string; *s != '\0';) {
		size_t n = quotes ? strcspn(s, "\"") : strlen(s);

		strbuf_add(text, s, n);
		s += n;
		if (*s == '"') {
			strbuf_add(text, "\"\"", 2);
			s++;
		}
	}
	strbuf_add(text, "\"", quotes ? 1 : 0);
}
