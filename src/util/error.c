/* error.c: see error.h. */
#include "util/error.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "util/utf8.h"

int error_set(struct error *err, const char *format, ...)
{
	va_list args;

	if (err == NULL)
		return -1;
	va_start(args, format);
	vsnprintf(err->text, sizeof err->text, format, args);
	va_end(args);
	utf8_one_line(err->text); /* names of a foreign file must not steer the terminal */
	return -1;
}

int error_prefix(struct error *err, const char *format, ...)
{
	char old[sizeof err->text];
	va_list args;
	size_t used;

	if (err == NULL)
		return -1;
	memcpy(old, err->text, sizeof old);
	va_start(args, format);
	vsnprintf(err->text, sizeof err->text, format, args);
	va_end(args);
	used = strlen(err->text);
	snprintf(err->text + used, sizeof err->text - used, ": %s", old);
	utf8_one_line(err->text);
	return -1;
}
