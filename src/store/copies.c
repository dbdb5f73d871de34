/* copies.c: see copies.h. */
#include "store/copies.h"

#include <ctype.h>
#include <stdio.h>

#include "store/store.h"

/* Of ENUM_CUDA_MEMCPY_OPER. */
enum { HOST_TO_DEVICE = 1, DEVICE_TO_HOST = 2, HOST_TO_ARRAY = 3, ARRAY_TO_HOST = 4 };

enum copy_way copy_way(int kind)
{
	switch (kind) {
	case HOST_TO_DEVICE:
	case HOST_TO_ARRAY:
	case MIGRATION_IN:
		return COPY_IN;
	case DEVICE_TO_HOST:
	case ARRAY_TO_HOST:
	case MIGRATION_OUT:
		return COPY_OUT;
	default:
		return COPY_ELSEWHERE;
	}
}

/* The label of an enumeration in lower case, hyphens as spaces: "Host-to-Device" is "host to device". */
static void label_words(const char *table, int number, char *text, size_t size)
{
	const char *label = schema_enum_label(table, number);

	snprintf(text, size, "%s", label ? label : "");
	for (char *c = text; *c; c++)
		*c = (char)(*c == '-' ? ' ' : tolower((unsigned char)*c));
}

/* Arrays and migrations are not told apart from plain copies. */
void direction_words(int kind, char *text, size_t size)
{
	enum copy_way way = copy_way(kind);
	int plain = way == COPY_IN ? HOST_TO_DEVICE : way == COPY_OUT ? DEVICE_TO_HOST : kind;

	label_words("ENUM_CUDA_MEMCPY_OPER", plain, text, size);
	if (!text[0])
		snprintf(text, size, "copy");
}

void memory_words(int kind, char *text, size_t size)
{
	label_words("ENUM_CUDA_MEM_KIND", kind, text, size);
}

int copy_memory_kind(int kind, int source, int target)
{
	return copy_way(kind) == COPY_OUT ? target : source;
}
