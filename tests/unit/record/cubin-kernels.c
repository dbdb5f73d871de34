/* cubin-kernels.c: which kernels a cubin has, and what changes their hashes. No GPU. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fixtures/scratch.h"
#include "record/code/cubin-kernels.h"
#include "util/file/file.h"
#include "util/file/outfile.h"

static const char names[] =
	"\0.shstrtab\0.symtab\0.text.one\0.text.two\0.text.helper\0.nv.constant2.one\0.nv.constant3";
enum {
	NAME_NAMES = 1,
	NAME_SYMBOLS = 11,
	NAME_ONE = 19,
	NAME_TWO = 29,
	NAME_HELPER = 39,
	NAME_OWN = 52,
	NAME_COMMON = 70
};
enum { NAMES = 1, SYMBOLS, ONE, TWO, HELPER, OWN, COMMON, SECTIONS };
enum { KERNEL = 0x10 }; /* of st_other */

/* Two kernels, a function that they may call, constants of the first kernel and of both. */
struct file {
	Elf64_Ehdr elf;
	char names[sizeof names];
	unsigned char one[48], two[32], helper[16], own[8], common[8];
	Elf64_Sym symbols[4];
	Elf64_Shdr sections[SECTIONS];
};

#define SECTION(number, of_name, of_type, member)                                                                      \
	file->sections[number] = (Elf64_Shdr)                                                                          \
	{                                                                                                              \
		.sh_name = of_name, .sh_type = of_type, .sh_offset = offsetof(struct file, member),                    \
		.sh_size = sizeof file->member                                                                         \
	}

static void fill(struct file *file)
{
	memset(file, 0, sizeof *file);
	memcpy(file->elf.e_ident, ELFMAG, SELFMAG);
	file->elf.e_ident[EI_CLASS] = ELFCLASS64;
	file->elf.e_shoff = offsetof(struct file, sections);
	file->elf.e_shentsize = sizeof(Elf64_Shdr);
	file->elf.e_shnum = SECTIONS;
	file->elf.e_shstrndx = NAMES;
	memcpy(file->names, names, sizeof names);
	SECTION(NAMES, NAME_NAMES, SHT_STRTAB, names);
	SECTION(SYMBOLS, NAME_SYMBOLS, SHT_SYMTAB, symbols);
	SECTION(ONE, NAME_ONE, SHT_PROGBITS, one);
	SECTION(TWO, NAME_TWO, SHT_PROGBITS, two);
	SECTION(HELPER, NAME_HELPER, SHT_PROGBITS, helper);
	SECTION(OWN, NAME_OWN, SHT_PROGBITS, own);
	SECTION(COMMON, NAME_COMMON, SHT_PROGBITS, common);
	file->sections[OWN].sh_flags = SHF_INFO_LINK;
	file->sections[OWN].sh_info = ONE;
	for (int i = 1; i < 4; i++)
		file->symbols[i] = (Elf64_Sym){.st_info = ELF64_ST_INFO(STB_GLOBAL, STT_FUNC),
			.st_other = i < 3 ? KERNEL : 0,
			.st_shndx = (Elf64_Half)(ONE + i - 1)};
}

/* ---- what is told ---- */

/* What was told: the hashes of "one", "two" and "helper", 0 where it is no kernel. */
struct told {
	uint64_t one, two, helper;
	uint64_t one_bytes;
	int n;
};

static void take(void *user, const struct cubin_kernel *kernel)
{
	struct told *told = user;

	told->n++;
	assert_int_not_equal(kernel->hash, 0);
	if (strcmp(kernel->name, "one") == 0) {
		told->one_bytes = kernel->bytes;
		told->one = kernel->hash;
	} else if (strcmp(kernel->name, "two") == 0) {
		told->two = kernel->hash;
	} else if (strcmp(kernel->name, "helper") == 0) {
		told->helper = kernel->hash;
	} else {
		fail_msg("a kernel '%s'", kernel->name);
	}
}

static struct told told_of(const struct file *file)
{
	struct told told = {0};

	assert_true(cubin_kernels(file, sizeof *file, take, &told));
	return told;
}

static void functions_that_kernels_call_are_no_kernels(void **state)
{
	struct file file;
	struct told told;

	(void)state;
	fill(&file);
	told = told_of(&file);
	assert_int_equal(told.n, 2);
	assert_int_equal(told.one_bytes, sizeof file.one);
	assert_int_equal(told.helper, 0);
	assert_int_not_equal(told.one, told.two);
	/* A file whose symbols are stripped: each function may be a kernel. */
	file.sections[SYMBOLS].sh_type = SHT_NOTE;
	assert_int_equal(told_of(&file).n, 3);
}

/* Which of both hashes change when a byte does. */
static void assert_changes(size_t byte, bool one, bool two)
{
	struct file file;
	struct told before, after;

	fill(&file);
	before = told_of(&file);
	((unsigned char *)&file)[byte] ^= 1;
	after = told_of(&file);
	assert_int_equal(before.one != after.one, one);
	assert_int_equal(before.two != after.two, two);
}

static void code_and_constants_change_the_hash(void **state)
{
	(void)state;
	assert_changes(offsetof(struct file, one) + 47, true, false);
	assert_changes(offsetof(struct file, two), false, true);
	assert_changes(offsetof(struct file, own), true, false);
	assert_changes(offsetof(struct file, helper) + 15, true, true);
	assert_changes(offsetof(struct file, common), true, true);
	/* The address of a symbol, which is no code. */
	assert_changes(offsetof(struct file, symbols[1].st_value), false, false);
}

static void places_in_the_file_do_not_count(void **state)
{
	struct file file;
	struct told before;
	Elf64_Shdr swap;

	(void)state;
	fill(&file);
	before = told_of(&file);
	swap = file.sections[OWN];
	file.sections[OWN] = file.sections[COMMON];
	file.sections[COMMON] = swap;
	assert_int_equal(told_of(&file).one, before.one);
	assert_int_equal(told_of(&file).two, before.two);
}

static void a_damaged_file_is_no_harm(void **state)
{
	struct file good, *bad = malloc(sizeof *bad);
	struct told told = {0};

	(void)state;
	assert_non_null(bad);
	fill(&good);
	for (size_t size = 0; size < sizeof good; size++) {
		unsigned char *cut = malloc(size == 0 ? 1 : size);

		assert_non_null(cut);
		memcpy(cut, &good, size);
		assert_false(cubin_kernels(cut, size, take, &told));
		free(cut);
	}
	assert_int_equal(told.n, 0);
	assert_false(cubin_kernels(NULL, 0, take, &told));
	assert_false(cubin_kernels("no ELF file", 11, take, &told));
	/* Sections that overlap would make a small file take long. */
	*bad = good;
	for (int i = ONE; i < SECTIONS; i++) {
		bad->sections[i].sh_offset = 0;
		bad->sections[i].sh_size = sizeof good;
	}
	assert_false(cubin_kernels(bad, sizeof *bad, take, &told));
	*bad = good;
	bad->sections[TWO].sh_name = sizeof names;
	assert_false(cubin_kernels(bad, sizeof *bad, take, &told));
	free(bad);
}

/* ---- nvcc's own ---- */

/* The kernel "one" has a constant that no instruction holds, and calls a function; "two" is neither. */
static const char source[] = "__device__ __noinline__ double helper(double x) { return x * x + HELPED; }\n"
			     "extern \"C\" __global__ void one(double *p) { *p = helper(*p) * FACTOR; }\n"
			     "extern \"C\" __global__ void two(int *p) { p[threadIdx.x] = TWO; }\n";

/* Compiles it and hashes its kernels. */
static struct told compiled(const char *options)
{
	struct told told = {0};
	struct error err = {0};
	char command[2048], *bytes;
	size_t size;

	snprintf(command, sizeof command,
		"cd '%s' && \"$NVCC\" ${NVCC_CCBIN:+-ccbin \"$NVCC_CCBIN\"} -cubin -arch=sm_90 -DFACTOR=2.718281828459 "
		"%s -o k.cubin k.cu >&2",
		scratch, options);
	if (system(command) != 0)
		fail_msg("nvcc failed: %s", command);
	bytes = file_read(in_scratch("k.cubin"), &size, &err);
	assert_non_null(bytes);
	assert_true(cubin_kernels(bytes, size, take, &told));
	free(bytes);
	assert_int_equal(told.n, 2);
	return told;
}

static void what_nvcc_makes_is_told_apart(void **state)
{
	struct told first, other;

	(void)state;
	if (getenv("NVCC") == NULL || *getenv("NVCC") == '\0')
		skip();
	assert_int_equal(file_replace(in_scratch("k.cu"), source, sizeof source - 1, NULL), 0);
	first = compiled("-DHELPED=3 -DTWO=2");
	/* The same text again, and with a line table, is the same code. */
	other = compiled("-lineinfo -DHELPED=3 -DTWO=2");
	assert_true(other.one == first.one && other.two == first.two);
	other = compiled("-DHELPED=3 -DTWO=4");
	assert_true(other.one == first.one && other.two != first.two);
	other = compiled("-DHELPED=5 -DTWO=2");
	assert_true(other.one != first.one && other.two == first.two);
	/* With separate compilation the function has a section of its own. */
	first = compiled("-rdc=true -DHELPED=3 -DTWO=2");
	other = compiled("-rdc=true -DHELPED=5 -DTWO=2");
	assert_true(other.one != first.one);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(functions_that_kernels_call_are_no_kernels),
		cmocka_unit_test(code_and_constants_change_the_hash),
		cmocka_unit_test(places_in_the_file_do_not_count),
		cmocka_unit_test(a_damaged_file_is_no_harm),
		scratch_test(what_nvcc_makes_is_told_apart),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
