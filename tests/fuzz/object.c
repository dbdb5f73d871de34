/* object.c: object files: machine code from the driver, PTX in shared objects for --load, and their heads. */
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "record/code/cubin.h"
#include "record/code/fatbin.h"
#include "record/plugin/elf.h"

/* Every byte that is given can be read. */
static void walk(const char *file, size_t size)
{
	struct fatbin walk = {.file = file, .size = size};
	struct fatbin_ptx ptx;
	size_t texts = 0;

	while (fatbin_next(&walk, &ptx)) {
		char *text = fatbin_text(&ptx), *source = strndup(ptx.source, ptx.source_size);

		fuzz_check(text != NULL && source != NULL, "out of memory");
		fuzz_check(strlen(text) <= ptx.size, "a text that is longer than what it was made of");
		fuzz_check(++texts <= size, "more texts than bytes");
		free(text);
		free(source);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	/* A block of its own, without a NUL. */
	char *file = malloc(size == 0 ? 1 : size), path[FUZZ_PATH];
	struct error err = {0};
	uint64_t barrier;

	fuzz_check(file != NULL, "out of memory");
	memcpy(file, data, size);
	for (uint64_t offset = 0; offset < 128; offset += 16)
		if (cubin_barrier_before(file, size, "kernel", offset, &barrier))
			fuzz_check(barrier < offset, "a barrier behind the offset");
	(void)cubin_barrier_before(file, size, "kernel", UINT64_MAX, &barrier);
	walk(file, size);
	free(file);
	fuzz_write(fuzz_path(path, "object.so"), data, size);
	if (plugin_elf_check(path, &err) != 0)
		fuzz_check_error(&err);
	return 0;
}
