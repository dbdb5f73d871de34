/* memory-stream.c: see memory-stream.h. */
#include "util/memory-stream.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

enum { FIRST_ROOM = 512 };

struct memory {
	char **text; /* the caller's */
	size_t *size;
	char *bytes; /* NUL-terminated */
	size_t used, room;
	bool failed;
};

/* Makes room for so many bytes and a NUL. */
static bool memory_stream_reserve(struct memory *memory, size_t more)
{
	size_t need = memory->used + more + 1, room = memory->room;
	char *bytes;

	if (need <= room)
		return true;
	while (room < need)
		room *= 2;
	bytes = realloc(memory->bytes, room);
	if (!bytes)
		return false;
	memory->bytes = bytes;
	memory->room = room;
	return true;
}

static ssize_t write_memory(void *cookie, const char *bytes, size_t size)
{
	struct memory *memory = cookie;

	if (memory->failed || !memory_stream_reserve(memory, size)) {
		memory->failed = true;
		return -1;
	}
	memcpy(memory->bytes + memory->used, bytes, size);
	memory->used += size;
	memory->bytes[memory->used] = '\0';
	return (ssize_t)size;
}

/* ftell() asks for the place that it is at. */
static int seek_memory(void *cookie, off64_t *offset, int whence)
{
	const struct memory *memory = cookie;

	if (whence != SEEK_CUR || *offset != 0)
		return -1;
	*offset = (off64_t)memory->used;
	return 0;
}

static int close_memory(void *cookie)
{
	struct memory *memory = cookie;
	int result = memory->failed ? -1 : 0;

	if (memory->failed) {
		free(memory->bytes);
	} else {
		*memory->text = memory->bytes;
		*memory->size = memory->used;
	}
	free(memory);
	return result;
}

FILE *memory_stream(char **text, size_t *size)
{
	static const cookie_io_functions_t functions = {
		.write = write_memory, .seek = seek_memory, .close = close_memory};
	struct memory *memory = calloc(1, sizeof(*memory));
	FILE *stream = NULL;

	*text = NULL;
	*size = 0;
	if (!memory)
		return NULL;
	*memory = (struct memory){.text = text, .size = size, .bytes = calloc(1, FIRST_ROOM), .room = FIRST_ROOM};
	if (memory->bytes)
		stream = fopencookie(memory, "w", functions);
	if (stream)
		return stream;
	free(memory->bytes);
	free(memory);
	return NULL;
}
