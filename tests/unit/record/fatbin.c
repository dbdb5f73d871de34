/* fatbin.c: PTX is found in what nvcc writes, and a damaged file is no harm. No GPU. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "record/code/fatbin.h"
#include "fixtures/scratch.h"
#include "util/file/file.h"
#include "util/file/outfile.h"

/* ---- a made-up object: one container with machine code, PTX and compressed PTX; padding; another with PTX ---- */

enum { ELF_CODE = 2, PTX = 1 };

static const char names[] = "\0.shstrtab\0.nv_fatbin";
static const char text[] = "//\n\t.file\t1 \"/home/me/kernels/a.cu\"\n.file 2 \"b.h\", 3, 4\nmov.u32 %r1, \"/x/y\";\n";
static const char shown[] = "//\n\t.file\t1 \"a.cu\"\n.file 2 \"b.h\", 3, 4\nmov.u32 %r1, \"/x/y\";\n";

struct entry {
	uint16_t kind, version;
	uint32_t header_size;
	uint64_t size;
	uint32_t compressed, options, content, arch, source_at, source_size;
	char source[24];
	char payload[120];
};

struct container {
	uint32_t magic;
	uint16_t version, header_size;
	uint64_t size;
};

struct file {
	Elf64_Ehdr elf;
	char names[24];
	struct container head;
	struct entry entries[3];
	char padding[16];
	struct container head2;
	struct entry entry2;
	Elf64_Shdr sections[3];
};

static void fill_entry(struct entry *entry, unsigned kind, unsigned arch)
{
	*entry = (struct entry){.kind = (uint16_t)kind,
		.header_size = offsetof(struct entry, payload),
		.size = sizeof entry->payload,
		.arch = arch,
		.source_at = offsetof(struct entry, source),
		.source_size = 8,
		.source = "dir/a.cu"};
	memcpy(entry->payload, text, sizeof text);
}

static void fill(struct file *file)
{
	memset(file, 0, sizeof *file);
	memcpy(file->elf.e_ident, ELFMAG, SELFMAG);
	file->elf.e_ident[EI_CLASS] = ELFCLASS64;
	file->elf.e_shoff = offsetof(struct file, sections);
	file->elf.e_shentsize = sizeof(Elf64_Shdr);
	file->elf.e_shnum = 3;
	file->elf.e_shstrndx = 1;
	memcpy(file->names, names, sizeof names);
	file->head = (struct container){0xba55ed50, 1, sizeof file->head, sizeof file->entries};
	fill_entry(&file->entries[0], ELF_CODE, 80);
	fill_entry(&file->entries[1], PTX, 80);
	fill_entry(&file->entries[2], PTX, 90);
	file->entries[2].compressed = 50;
	file->head2 = (struct container){0xba55ed50, 1, sizeof file->head2, sizeof file->entry2};
	fill_entry(&file->entry2, PTX, 100);
	file->sections[1] = (Elf64_Shdr){.sh_name = 1,
		.sh_type = SHT_STRTAB,
		.sh_offset = offsetof(struct file, names),
		.sh_size = sizeof names};
	file->sections[2] = (Elf64_Shdr){.sh_name = 11,
		.sh_type = SHT_PROGBITS,
		.sh_offset = offsetof(struct file, head),
		.sh_size = offsetof(struct file, sections) - offsetof(struct file, head)};
}

static void plain_ptx_is_found(void **state)
{
	struct file file;
	struct fatbin walk = {.file = (const char *)&file, .size = sizeof file};
	struct fatbin_ptx ptx;
	char *copy;

	(void)state;
	fill(&file);
	assert_true(fatbin_next(&walk, &ptx));
	assert_int_equal(ptx.arch, 80);
	assert_int_equal(ptx.source_size, 8);
	assert_memory_equal(ptx.source, "dir/a.cu", 8);
	assert_int_equal(ptx.size, strlen(text));
	copy = fatbin_text(&ptx);
	assert_string_equal(copy, shown);
	free(copy);
	assert_true(fatbin_next(&walk, &ptx));
	assert_int_equal(ptx.arch, 100);
	assert_false(fatbin_next(&walk, &ptx));
	assert_false(fatbin_next(&walk, &ptx));
}

/* Walks to the end; returns how many texts there were. Each byte of a text is read. */
static int walk_through(const void *file, size_t size)
{
	struct fatbin walk = {.file = file, .size = size};
	struct fatbin_ptx ptx;
	int n = 0;

	while (fatbin_next(&walk, &ptx)) {
		free(fatbin_text(&ptx));
		assert_true(++n < 100);
	}
	return n;
}

/* Cut off anywhere, in memory of just that size, which the address sanitizer guards. */
static void cut_files_are_no_harm(void **state)
{
	struct file file;

	(void)state;
	fill(&file);
	for (size_t size = 0; size < sizeof file; size++) {
		char *part = malloc(size + 1);

		assert_non_null(part);
		memcpy(part, &file, size);
		assert_true(walk_through(part, size) <= 2);
		free(part);
	}
}

static void damaged_files_are_no_harm(void **state)
{
	struct file *file = malloc(sizeof *file);

	(void)state;
	assert_non_null(file);
	for (size_t at = 0; at < sizeof *file; at++) {
		fill(file);
		((unsigned char *)file)[at] ^= 0xff;
		(void)walk_through(file, sizeof *file);
	}
	fill(file);
	file->head2 = (struct container){0xba55ed50, 1, 0, 0}; /* no way forward */
	assert_int_equal(walk_through(file, sizeof *file), 1);
	fill(file);
	file->entries[0].size = UINT64_MAX - 8;
	assert_int_equal(walk_through(file, sizeof *file), 0);
	free(file);
}

/* ---- nvcc's own ---- */

static const char kernel[] = "__global__ void fill_with(int *out, int x) { out[threadIdx.x] = x; }\n";

static void run_nvcc(const char *options)
{
	char command[2048];

	snprintf(command, sizeof command,
		"cd '%s' && \"$NVCC\" ${NVCC_CCBIN:+-ccbin \"$NVCC_CCBIN\"} -shared -Xcompiler -fPIC "
		"-Wno-deprecated-gpu-targets %s -o k.so k.cu >&2",
		scratch, options);
	if (system(command) != 0)
		fail_msg("nvcc failed: %s", command);
}

/* Architectures of the PTX with the kernel, as bits from 80 on in steps of 10. */
static unsigned archs_of_object(void)
{
	struct fatbin walk = {0};
	struct error err = {0};
	struct fatbin_ptx ptx;
	unsigned found = 0;
	char *bytes = file_read(in_scratch("k.so"), &walk.size, &err);

	assert_non_null(bytes);
	walk.file = bytes;
	while (fatbin_next(&walk, &ptx)) {
		char *copy = fatbin_text(&ptx);

		assert_non_null(copy);
		assert_non_null(strstr(copy, ".entry _Z9fill_withPii"));
		assert_true(ptx.source_size >= 4 && memcmp(ptx.source + ptx.source_size - 4, "k.cu", 4) == 0);
		found |= 1u << (ptx.arch - 80) / 10;
		free(copy);
	}
	free(bytes);
	return found;
}

static void nvcc_writes_what_is_read(void **state)
{
	(void)state;
	if (getenv("NVCC") == NULL || *getenv("NVCC") == '\0')
		skip();
	assert_int_equal(file_replace(in_scratch("k.cu"), kernel, sizeof kernel - 1, NULL), 0);
	run_nvcc("-lineinfo --no-compress -gencode 'arch=compute_80,code=[sm_80,compute_80]' "
		 "-gencode 'arch=compute_90,code=[sm_90,compute_90]'");
	assert_int_equal(archs_of_object(), 3);
	run_nvcc("-lineinfo --no-compress -arch=sm_90");
	assert_int_equal(archs_of_object(), 2);
	run_nvcc("-lineinfo --no-compress -gencode arch=compute_90,code=sm_90");
	assert_int_equal(archs_of_object(), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(plain_ptx_is_found),
		cmocka_unit_test(cut_files_are_no_harm),
		cmocka_unit_test(damaged_files_are_no_harm),
		scratch_test(nvcc_writes_what_is_read),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
