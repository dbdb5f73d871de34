/* error.c: see error.h. */
#include "util/error.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static void one_line(char *text)
{
	/* Control characters of a foreign file's name or text must not reach the terminal either. */
	for (; *text != '\0'; text++)
		if ((unsigned char)*text < 0x20 || *text == 0x7f)
			*text = ' ';
}

int(error_set)(struct error *err, const char *format, ...)
{
	va_list args;

	if (err == NULL)
		return -1;
	va_start(args, format);
	vsnprintf(err->text, sizeof err->text, format, args);
	va_end(args);
	one_line(err->text);
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
	vsnprintf(err->text, sizeof err->text, format, args);
	va_end(args);
	used = strlen(err->text);
	snprintf(err->text + used, sizeof err->text - used, ": %s", old);
	one_line(err->text);
	return -1;
}
