/* strbuf.h: a text that grows. */
#ifndef DBPROF_UTIL_STRBUF_H
#define DBPROF_UTIL_STRBUF_H

#include <stdarg.h>
#include <stddef.h>

/* Begins as {0}. `text` is NULL until something is written, then NUL-terminated. The buffer owns it. */
struct strbuf {
	char *text;
	size_t length, room;
};

void strbuf_add(struct strbuf *buf, const void *data, size_t size);
void strbuf_puts(struct strbuf *buf, const char *text);
void strbuf_putc(struct strbuf *buf, char c);
void strbuf_printf(struct strbuf *buf, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Empties it, and keeps its room. */
void strbuf_clear(struct strbuf *buf);

/* The text, for free(); "" if nothing was written. The buffer is empty then. */
char *strbuf_take(struct strbuf *buf);

void strbuf_free(struct strbuf *buf);

#endif
