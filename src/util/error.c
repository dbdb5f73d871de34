/* error.c: see error.h. */
#include "util/error.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "util/utf8.h"

/* A message that is too long loses what is in its middle, such as most of a path: its end says what was wrong. It is
 * formatted in place first, since there may be no memory. */
static void cut_middle(struct error *err, const char *format, va_list args, size_t length)
{
	static const char gap[] = " ... ";
	const size_t head = sizeof(err->text) / 3, tail = sizeof(err->text) - head - sizeof(gap);
	char *all = malloc(length + 1);

	if (!all)
		return;
	vsnprintf(all, length + 1, format, args);
	memcpy(err->text + head, gap, sizeof(gap) - 1);
	memcpy(err->text + head + sizeof(gap) - 1, all + length - tail, tail + 1);
	free(all);
}

static void error_put(struct error *err, bool of_system, const char *format, va_list args)
{
	va_list again;
	int length;

	if (!err)
		return;
	va_copy(again, args);
	length = vsnprintf(err->text, sizeof(err->text), format, args);
	if (length >= (int)sizeof(err->text))
		cut_middle(err, format, again, (size_t)length);
	va_end(again);
	utf8_one_line(err->text);
	err->of_system = of_system;
}

static void __attribute__((format(printf, 3, 4))) put_again(struct error *err, bool of_system, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	error_put(err, of_system, format, args);
	va_end(args);
}

bool error_is_of_system(const struct error *err)
{
	return err->text[0] != '\0' && err->of_system;
}

int(error_set)(struct error *err, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	error_put(err, false, format, args);
	va_end(args);
	return -1;
}

int(error_system)(struct error *err, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	error_put(err, true, format, args);
	va_end(args);
	return -1;
}

int(error_prefix)(struct error *err, const char *format, ...)
{
	struct error prefix = {0};
	char old[sizeof(err->text)];
	va_list args;

	if (!err)
		return -1;
	memcpy(old, err->text, sizeof(old));
	va_start(args, format);
	error_put(&prefix, false, format, args);
	va_end(args);
	put_again(err, err->of_system, "%s: %s", prefix.text, old);
	return -1;
}
