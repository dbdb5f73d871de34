/* cubin.c: barriers are found in machine code, and a damaged file is no harm. No GPU. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "record/code/cubin.h"

/* The low 16 bits of instructions, as an H100's disassembly has them. */
enum { NOP = 0x7918, BAR_CONSTANT = 0x7b1d, BAR_REGISTER = 0x731d, LDS = 0x7984 };

static const char names[] = "\0.names\0.text.other\0.text.kernel";
enum { NAME_NAMES = 1, NAME_OTHER = 8, NAME_KERNEL = 20 };

/* An ELF file with the code of "other", five barriers, and of "kernel". */
struct file {
	Elf64_Ehdr elf;
	char names[sizeof names];
	unsigned char other[5][16], kernel[5][16];
	Elf64_Shdr sections[4];
};

static void put(unsigned char instruction[16], unsigned low)
{
	instruction[0] = (unsigned char)low;
	instruction[1] = (unsigned char)(low >> 8);
}

static void fill(struct file *file)
{
	static const unsigned code[] = {NOP, BAR_CONSTANT, LDS, BAR_REGISTER, NOP};

	memset(file, 0, sizeof *file);
	memcpy(file->elf.e_ident, ELFMAG, SELFMAG);
	file->elf.e_ident[EI_CLASS] = ELFCLASS64;
	file->elf.e_shoff = offsetof(struct file, sections);
	file->elf.e_shentsize = sizeof(Elf64_Shdr);
	file->elf.e_shnum = 4;
	file->elf.e_shstrndx = 1;
	memcpy(file->names, names, sizeof names);
	for (int i = 0; i < 5; i++) {
		put(file->other[i], BAR_CONSTANT);
		put(file->kernel[i], code[i]);
	}
	file->sections[1] = (Elf64_Shdr){.sh_name = NAME_NAMES,
		.sh_type = SHT_STRTAB,
		.sh_offset = offsetof(struct file, names),
		.sh_size = sizeof names};
	file->sections[2] = (Elf64_Shdr){.sh_name = NAME_OTHER,
		.sh_type = SHT_PROGBITS,
		.sh_offset = offsetof(struct file, other),
		.sh_size = sizeof file->other};
	file->sections[3] = (Elf64_Shdr){.sh_name = NAME_KERNEL,
		.sh_type = SHT_PROGBITS,
		.sh_offset = offsetof(struct file, kernel),
		.sh_size = sizeof file->kernel};
}

static bool look(const struct file *file, const char *function, uint64_t offset, uint64_t *barrier)
{
	*barrier = 999;
	return cubin_barrier_before(file, sizeof *file, function, offset, barrier);
}

static void the_nearest_barrier_before_is_found(void **state)
{
	struct file file;
	uint64_t at;

	(void)state;
	fill(&file);
	assert_false(look(&file, "kernel", 0, &at));
	assert_false(look(&file, "kernel", 16, &at));
	assert_int_equal(at, 999);
	assert_true(look(&file, "kernel", 32, &at));
	assert_int_equal(at, 16);
	assert_true(look(&file, "kernel", 48, &at));
	assert_int_equal(at, 16);
	assert_true(look(&file, "kernel", 64, &at));
	assert_int_equal(at, 48);
	assert_true(look(&file, "other", 16, &at));
	assert_int_equal(at, 0);
}

static void what_is_not_there_is_not_found(void **state)
{
	struct file file;
	uint64_t at;

	(void)state;
	fill(&file);
	assert_false(look(&file, "kern", 64, &at));
	assert_false(look(&file, "kernels", 64, &at));
	assert_false(look(&file, "kernel", sizeof file.kernel + 16, &at));
	file.sections[3].sh_type = SHT_NOBITS;
	assert_false(look(&file, "kernel", 64, &at));
	/* Names of a section without bytes may lie anywhere. */
	fill(&file);
	file.sections[1].sh_type = SHT_NOBITS;
	file.sections[1].sh_offset = UINT64_MAX;
	assert_false(look(&file, "kernel", 64, &at));
}

static void a_damaged_file_is_no_harm(void **state)
{
	struct file good, *bad = malloc(sizeof *bad);
	uint64_t at;

	(void)state;
	assert_non_null(bad);
	fill(&good);
	for (size_t size = 0; size < sizeof good; size++) {
		unsigned char *cut = malloc(size == 0 ? 1 : size);

		assert_non_null(cut);
		memcpy(cut, &good, size);
		(void)cubin_barrier_before(cut, size, "kernel", 64, &at);
		free(cut);
	}
	for (size_t byte = 0; byte < sizeof good; byte++) {
		*bad = good;
		((unsigned char *)bad)[byte] ^= 0xff;
		(void)cubin_barrier_before(bad, sizeof *bad, "kernel", 64, &at);
	}
	free(bad);
	assert_false(cubin_barrier_before("no ELF file", 11, "kernel", 64, &at));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_nearest_barrier_before_is_found),
		cmocka_unit_test(what_is_not_there_is_not_found),
		cmocka_unit_test(a_damaged_file_is_no_harm),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
