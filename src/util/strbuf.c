/* strbuf.c: see strbuf.h. */
#include "util/strbuf.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "util/alloc.h"

enum { FIRST_ROOM = 64 };

/* Room for `more` bytes and the NUL. */
static void strbuf_reserve(struct strbuf *buf, size_t more)
{
	size_t need;

	if (__builtin_add_overflow(buf->length, more, &need) || __builtin_add_overflow(need, 1, &need))
		out_of_memory();
	if (need <= buf->room)
		return;
	buf->room = need < FIRST_ROOM ? FIRST_ROOM : need + need / 2;
	buf->text = xrealloc(buf->text, buf->room);
}

void strbuf_add(struct strbuf *buf, const void *data, size_t size)
{
	strbuf_reserve(buf, size);
	if (size > 0)
		memcpy(buf->text + buf->length, data, size);
	buf->length += size;
	buf->text[buf->length] = '\0';
}

void strbuf_puts(struct strbuf *buf, const char *text)
{
	strbuf_add(buf, text, strlen(text));
}

void strbuf_putc(struct strbuf *buf, char c)
{
	strbuf_add(buf, &c, 1);
}

void strbuf_printf(struct strbuf *buf, const char *format, ...)
{
	va_list args, again;
	int length;

	/* Mostly there is room at once. */
	strbuf_reserve(buf, FIRST_ROOM);
	va_start(args, format);
	va_copy(again, args);
	length = vsnprintf(buf->text + buf->length, buf->room - buf->length, format, args);
	va_end(args);
	if (length >= 0 && (size_t)length >= buf->room - buf->length) {
		strbuf_reserve(buf, (size_t)length);
		vsnprintf(buf->text + buf->length, (size_t)length + 1, format, again);
	}
	va_end(again);
	buf->length += length > 0 ? (size_t)length : 0;
	buf->text[buf->length] = '\0';
}

void strbuf_clear(struct strbuf *buf)
{
	buf->length = 0;
	if (buf->text)
		buf->text[0] = '\0';
}

char *strbuf_take(struct strbuf *buf)
{
	char *text = buf->text ? buf->text : xstrdup("");

	*buf = (struct strbuf){0};
	return text;
}

void strbuf_free(struct strbuf *buf)
{
	free(buf->text);
	*buf = (struct strbuf){0};
}
