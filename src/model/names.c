/* names.c: see names.h. */
#include "model/names.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/trace/trace.h"
#include "store/copies.h"
#include "util/format.h"

const char *class_key(enum work_class cls)
{
	static const char *const keys[WORK_CLASSES] = {
		[WORK_H2D] = "h2d", [WORK_D2H] = "d2h", [WORK_KERNEL] = "kernel", [WORK_OTHER] = "other"};

	return keys[cls];
}

const char *class_words(enum work_class cls)
{
	static const char *const words[WORK_CLASSES] = {
		[WORK_H2D] = "host to device",
		[WORK_D2H] = "device to host",
		[WORK_KERNEL] = "kernels",
		[WORK_OTHER] = "other",
	};

	return words[cls];
}

int copy_memory(const struct activity *copy)
{
	return copy_memory_kind(copy->copy_kind, copy->src_kind, copy->dst_kind);
}

static void names_copy_words(const struct activity *copy, char *text, size_t size)
{
	char bytes[FORMAT_SIZE], direction[64], memory[64];

	format_bytes(bytes, sizeof(bytes), (double)copy->bytes);
	direction_words(copy->copy_kind, direction, sizeof(direction));
	memory_words(copy_memory(copy), memory, sizeof(memory));
	if (copy->cls == WORK_OTHER || !memory[0])
		snprintf(text, size, "%s %s", bytes, direction);
	else
		snprintf(text, size, "%s %s, %s", bytes, direction, memory);
}

void activity_words(const struct activity *work, char *text, size_t size)
{
	char bytes[FORMAT_SIZE];

	if (work->name) {
		snprintf(text, size, "%s", work->name);
	} else if (work->copy_kind != COPY_KIND_NONE) {
		names_copy_words(work, text, size);
	} else {
		format_bytes(bytes, sizeof(bytes), (double)work->bytes);
		snprintf(text, size, "memset of %s", bytes);
	}
}

/* Behind a substitution of a mangled name: "St", "S_", "S0_" ... */
static const char *behind_substitution(const char *at)
{
	at++;
	if (*at == 't')
		return at + 1;
	at += strcspn(at, "_");
	return *at ? at + 1 : at;
}

const char *function_identifier(const char *symbol, size_t *length)
{
	bool is_nested = strncmp(symbol, "_ZN", 3) == 0;
	const char *at = symbol + (is_nested ? 3 : 2), *last = NULL;

	*length = strlen(symbol);
	if (strncmp(symbol, "_Z", 2) != 0)
		return symbol;
	at += is_nested ? strspn(at, "rVK") : 0;
	do {
		char *name;
		size_t size;

		if (is_nested && *at == 'S')
			at = behind_substitution(at);
		at += strspn(at, "L"); /* static */
		size = strtoul(at, &name, 10);
		if (name == at || strlen(name) < size)
			break;
		last = name;
		*length = size;
		at = name + size;
	} while (is_nested);
	return last;
}
