/* error.c: see error.h. */
#include "util/error.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "util/utf8.h"

enum { LAST = sizeof(struct error) - 1 };

static void set(struct error *err, bool of_system, const char *format, va_list args)
{
	if (err == NULL)
		return;
	vsnprintf(err->text, LAST, format, args);
	utf8_one_line(err->text);
	err->text[LAST] = (char)of_system;
}

bool error_is_of_system(const struct error *err)
{
	return err->text[0] != '\0' && err->text[LAST] != 0;
}

int(error_set)(struct error *err, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	set(err, false, format, args);
	va_end(args);
	return -1;
}

int(error_system)(struct error *err, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	set(err, true, format, args);
	va_end(args);
	return -1;
}

int(error_prefix)(struct error *err, const char *format, ...)
{
	char old[sizeof err->text];
	va_list args;
	size_t used;

	if (err == NULL)
		return -1;
	memcpy(old, err->text, sizeof old);
	va_start(args, format);
	vsnprintf(err->text, LAST, format, args);
	va_end(args);
	used = strlen(err->text);
	snprintf(err->text + used, LAST - used, ": %s", old);
	utf8_one_line(err->text);
	return -1;
}
