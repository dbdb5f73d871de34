/* names.c: shortens kernel names. See names.h. */
#include "record/cupti/names.h"

#include <string.h>

/* The beginning of the template arguments that end at `end`; `end` itself if none end there. */
static const char *before_arguments(const char *begin, const char *end)
{
	const char *p = end;
	int depth = 0;

	if (end == begin || end[-1] != '>')
		return end;
	while (p > begin) {
		p--;
		if (*p == '>')
			depth++;
		else if (*p == '<' && --depth == 0)
			return p;
	}
	return end;
}

/* The end of the name, where its parameters begin. "(anonymous namespace)" is not a parameter list, nor are parentheses
 * in template arguments, such as "(int)256". */
static const char *end_of_name(const char *name)
{
	static const char anonymous[] = "(anonymous namespace)";
	int depth = 0;
	const char *p;

	for (p = name; *p != '\0'; p++) {
		if (*p == '<')
			depth++;
		else if (*p == '>' && depth > 0)
			depth--;
		else if (*p == '(' && depth == 0) {
			if (strncmp(p, anonymous, sizeof(anonymous) - 1) != 0)
				break;
			p += sizeof(anonymous) - 2;
		}
	}
	return p;
}

void name_short(const char *demangled, char *out, size_t size)
{
	const char *end = before_arguments(demangled, end_of_name(demangled));
	const char *begin = end;
	size_t length;

	if (size == 0)
		return;
	while (begin > demangled && begin[-1] != ' ' && begin[-1] != ':')
		begin--;
	if (begin == end) {
		begin = demangled;
		end = demangled + strlen(demangled);
	}
	length = (size_t)(end - begin);
	if (length >= size)
		length = size - 1;
	memcpy(out, begin, length);
	out[length] = '\0';
}
