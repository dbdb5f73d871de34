/* object.c: object files: machine code from the driver, PTX in shared objects for --load, and their heads. */
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "record/code/cubin-kernels.h"
#include "record/code/cubin-sources.h"
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

/* What is said of the bytes. */
struct kernels {
	size_t size, n;
	uint64_t hash; /* of the last kernel */
};

static void take_kernel(void *user, const struct cubin_kernel *kernel)
{
	struct kernels *kernels = user;

	fuzz_check(kernel->hash != 0, "a hash that means nothing");
	fuzz_check(kernel->bytes <= kernels->size, "more code than bytes");
	fuzz_check(strlen(kernel->name) <= kernels->size, "a name that is longer than the file");
	fuzz_check(++kernels->n <= kernels->size, "more kernels than bytes");
	kernels->hash = kernel->hash;
}

static void take_source(void *user, const char *folder, const char *name)
{
	struct kernels *kernels = user;

	fuzz_check(strlen(folder) + strlen(name) <= kernels->size, "names that are longer than the file");
	fuzz_check(*name != '\0' && ++kernels->n <= CUBIN_SOURCES_MOST, "more sources than may be");
}

/* The same bytes elsewhere have the same kernels. */
static void hash_twice(const char *file, size_t size)
{
	struct kernels first = {.size = size}, again = {.size = size};
	char *copy = malloc(size == 0 ? 1 : size);

	fuzz_check(copy != NULL, "out of memory");
	memcpy(copy, file, size);
	if (!cubin_kernels(file, size, take_kernel, &first))
		fuzz_check(first.n == 0, "kernels of a file that is damaged");
	(void)cubin_kernels(copy, size, take_kernel, &again);
	fuzz_check(first.n == again.n && first.hash == again.hash, "two hashes of the same bytes");
	free(copy);
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
	hash_twice(file, size);
	cubin_sources(file, size, take_source, &(struct kernels){.size = size});
	walk(file, size);
	free(file);
	fuzz_write(fuzz_path(path, "object.so"), data, size);
	if (plugin_elf_check(path, &err) != 0)
		fuzz_check_error(&err);
	return 0;
}
