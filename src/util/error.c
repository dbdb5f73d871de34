/* error.c: see error.h. */
#include "util/error.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "util/utf8.h"

static void error_put(struct error *err, bool of_system, const char *format, va_list args)
{
	if (!err)
		return;
	vsnprintf(err->text, sizeof(err->text), format, args);
	utf8_one_line(err->text);
	err->of_system = of_system;
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
	char old[sizeof(err->text)];
	va_list args;
	size_t used;

	if (!err)
		return -1;
	memcpy(old, err->text, sizeof(old));
	va_start(args, format);
	vsnprintf(err->text, sizeof(err->text), format, args);
	va_end(args);
	used = strlen(err->text);
	snprintf(err->text + used, sizeof(err->text) - used, ": %s", old);
	utf8_one_line(err->text);
	return -1;
}
