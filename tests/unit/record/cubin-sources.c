/* cubin-sources.c: which source files the line tables of a cubin name. No GPU. */
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
#include "record/code/cubin-sources.h"
#include "util/file/file.h"

/* ---- a cubin with a line table ---- */

static const char names[] = "\0.shstrtab\0.debug_line";
enum { NAMES = 1, LINES, SECTIONS, NAME_NAMES = 1, NAME_LINES = 11, TABLE_MOST = 1 << 16 };

struct file {
	Elf64_Ehdr elf;
	char names[sizeof names];
	Elf64_Shdr sections[SECTIONS];
	unsigned char table[TABLE_MOST];
};

static struct file made;

/* Puts the table behind the rest, so that reading beyond it is found. Returns the size of the file. */
static size_t make_file(const void *table, size_t size)
{
	memset(&made, 0, sizeof made);
	memcpy(made.elf.e_ident, ELFMAG, SELFMAG);
	made.elf.e_ident[EI_CLASS] = ELFCLASS64;
	made.elf.e_shoff = offsetof(struct file, sections);
	made.elf.e_shentsize = sizeof(Elf64_Shdr);
	made.elf.e_shnum = SECTIONS;
	made.elf.e_shstrndx = NAMES;
	memcpy(made.names, names, sizeof names);
	made.sections[NAMES] = (Elf64_Shdr){.sh_name = NAME_NAMES,
		.sh_type = SHT_STRTAB,
		.sh_offset = offsetof(struct file, names),
		.sh_size = sizeof names};
	made.sections[LINES] = (Elf64_Shdr){.sh_name = NAME_LINES,
		.sh_type = SHT_PROGBITS,
		.sh_offset = offsetof(struct file, table),
		.sh_size = size};
	memcpy(made.table, table, size);
	return offsetof(struct file, table) + size;
}

/* A unit: 10 bytes before the settings, 14 of settings and lengths of opcodes (one more setting in version 4), then
 * `lists`. Returns its size. */
static size_t make_unit(unsigned char *out, unsigned version, const char *lists, size_t size)
{
	const unsigned char settings[] = {1, 1, 0xfb, 14, 10, 0, 1, 1, 1, 1, 0, 0, 0, 1};
	size_t more = version == 4, behind = more + sizeof settings + size;
	uint32_t length = (uint32_t)(6 + behind), header = (uint32_t)behind;
	uint16_t number = (uint16_t)version;

	memcpy(out, &length, 4);
	memcpy(out + 4, &number, 2);
	memcpy(out + 6, &header, 4);
	memset(out + 10, 1, more);
	memcpy(out + 10 + more, settings, sizeof settings);
	memcpy(out + 10 + more + sizeof settings, lists, size);
	return 4 + length;
}

/* ---- what is told ---- */

struct told {
	char text[4096];
	size_t n;
};

static void take(void *user, const char *folder, const char *name)
{
	struct told *told = user;
	size_t at = strlen(told->text);

	told->n++;
	if (at + strlen(folder) + strlen(name) + 3 < sizeof told->text)
		snprintf(told->text + at, sizeof told->text - at, "%s|%s ", folder, name);
}

/* The cubin's bytes stand in a block of their own, so that a tool finds a read behind them. */
static struct told told_of(const void *bytes, size_t size)
{
	struct told told = {.n = 0};
	char *copy = malloc(size + (size == 0));

	assert_non_null(copy);
	memcpy(copy, bytes, size);
	cubin_sources(copy, size, take, &told);
	free(copy);
	return told;
}

static const char two[] = "/a\0/b c\0\0x.cu\0\2\0\0inner.h\0\1\200\1\5alone.cu\0\0\0\0far.h\0\7\0\0";
#define TWO_TOLD "/b c|x.cu /a|inner.h |alone.cu |far.h "

static void files_are_told_with_their_folders(void **state)
{
	unsigned char table[512];
	size_t first, size;
	struct told told;

	(void)state;
	first = make_unit(table, 2, two, sizeof two);
	told = told_of(&made, make_file(table, first));
	assert_string_equal(told.text, TWO_TOLD);
	/* Units follow each other; one of a version that is not known is passed over. */
	size = first + make_unit(table + first, 5, two, sizeof two);
	size += make_unit(table + size, 4, "\0b.py\0\0\0\0", 10);
	told = told_of(&made, make_file(table, size));
	assert_string_equal(told.text, TWO_TOLD "|b.py ");
}

static void a_table_has_no_more_than_its_bytes(void **state)
{
	unsigned char table[512];
	size_t size = make_unit(table, 2, two, sizeof two);

	(void)state;
	for (size_t cut = 0; cut < size; cut++) {
		struct told told = told_of(&made, make_file(table, cut));

		assert_in_range(told.n, 0, 4);
		assert_in_range(told_of(&made, make_file(table, size) - cut - 1).n, 0, 0);
	}
	/* Every byte may say anything. */
	for (size_t i = 0; i < size; i++)
		for (unsigned byte = 0; byte < 256; byte += 15) {
			unsigned char was = table[i];

			table[i] = (unsigned char)byte;
			(void)told_of(&made, make_file(table, size));
			table[i] = was;
		}
}

static void many_files_are_cut(void **state)
{
	static char lists[TABLE_MOST / 2];
	static unsigned char table[TABLE_MOST];
	size_t at = 1;

	(void)state;
	while (at + 8 < sizeof lists) {
		memcpy(lists + at, "f\0\1\0\0", 5);
		at += 5;
	}
	assert_int_equal(told_of(&made, make_file(table, make_unit(table, 3, lists, at + 1))).n, CUBIN_SOURCES_MOST);
}

/* What nvcc writes. */
static void nvcc_names_its_sources(void **state)
{
	char command[2048], *cubin;
	struct error err = {0};
	size_t size;
	FILE *source;
	struct told told;

	(void)state;
	if (system("command -v nvcc >/dev/null 2>&1") != 0)
		skip();
	source = fopen(in_scratch("named.cu"), "w");
	assert_non_null(source);
	fputs("__global__ void k(float *a) { *a += 1; }\n", source);
	fclose(source);
	snprintf(command, sizeof command, "cd '%s' && nvcc -lineinfo -cubin -arch=sm_90 -o named.cubin named.cu",
		scratch);
	if (system(command) != 0)
		skip();
	cubin = file_read(in_scratch("named.cubin"), &size, &err);
	assert_non_null(cubin);
	told = told_of(cubin, size);
	free(cubin);
	snprintf(command, sizeof command, "%s|named.cu ", scratch);
	assert_string_equal(told.text, command);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(files_are_told_with_their_folders),
		cmocka_unit_test(a_table_has_no_more_than_its_bytes),
		cmocka_unit_test(many_files_are_cut),
		scratch_test(nvcc_names_its_sources),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
