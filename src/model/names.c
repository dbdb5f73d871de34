/* names.c: what kinds of device work are called: keys for the tree, words for people. */
#include "model/names.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "analyze/analyze.h"
#include "model/recording.h"
#include "model/trace/trace.h"
#include "store/store.h"
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

/* The label of an enumeration in lower case, hyphens as spaces: "Host-to-Device" is "host to device". */
static void enum_words(const char *table, int kind, char *text, size_t size)
{
	const char *label = schema_enum_label(table, kind);

	snprintf(text, size, "%s", label ? label : "");
	for (char *c = text; *c; c++)
		*c = (char)(*c == '-' ? ' ' : tolower((unsigned char)*c));
}

void memory_words(const struct model *model, int kind, char *text, size_t size)
{
	(void)model;
	enum_words("ENUM_CUDA_MEM_KIND", kind, text, size);
}

void direction_words(const struct model *model, const struct activity *copy, char *text, size_t size)
{
	(void)model;
	if (copy->cls == WORK_OTHER)
		enum_words("ENUM_CUDA_MEMCPY_OPER", copy->copy_kind, text, size);
	else
		snprintf(text, size, "%s", class_words(copy->cls));
	if (!text[0])
		snprintf(text, size, "copy");
}

int copy_memory(const struct activity *copy)
{
	return copy->cls == WORK_D2H ? copy->dst_kind : copy->src_kind;
}

static void names_copy_words(const struct model *model, const struct activity *copy, char *text, size_t size)
{
	char bytes[FORMAT_SIZE], direction[64], memory[64];

	format_bytes(bytes, sizeof(bytes), (double)copy->bytes);
	direction_words(model, copy, direction, sizeof(direction));
	memory_words(model, copy_memory(copy), memory, sizeof(memory));
	if (copy->cls == WORK_OTHER || !memory[0])
		snprintf(text, size, "%s %s", bytes, direction);
	else
		snprintf(text, size, "%s %s, %s", bytes, direction, memory);
}

void activity_words(const struct model *model, const struct activity *work, char *text, size_t size)
{
	char bytes[FORMAT_SIZE];

	if (work->name) {
		snprintf(text, size, "%s", work->name);
	} else if (work->copy_kind != COPY_KIND_NONE) {
		names_copy_words(model, work, text, size);
	} else {
		format_bytes(bytes, sizeof(bytes), (double)work->bytes);
		snprintf(text, size, "memset of %s", bytes);
	}
}
