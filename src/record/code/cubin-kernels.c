/* cubin-kernels.c: see cubin-kernels.h. */
#include "record/code/cubin-kernels.h"

#include <stdlib.h>
#include <string.h>

#include "record/code/cubin-file.h"
#include "util/hash.h"

#define TEXT_PREFIX ".text."
#define CONSTANT_PREFIX ".nv.constant"

/* A symbol's st_other has this bit if it is a kernel. Functions that kernels call do not have it. */
enum { SYMBOL_IS_KERNEL = 0x10 };

/* What is known of a section, by its number. */
struct section_code {
	uint64_t hash; /* sum over its own bytes and those of its constants, so that their order does not count */
	bool is_code, is_kernel;
};

struct cubin_reading {
	struct cubin_file file;
	struct section_code *section;
	uint64_t left;    /* bytes that may be read: sections of a damaged file overlap, and would take for ever */
	uint64_t common;  /* hash of what all kernels of the file may use */
	bool has_kernels; /* its symbols tell which functions are kernels */
};

static bool section_begins(const char *name, const char *prefix)
{
	return strncmp(name, prefix, strlen(prefix)) == 0;
}

/* The content's hash. The kind of section counts, which is the beginning of its name: ".nv.constant2". */
static uint64_t hash_section(const struct cubin_file *file, const Elf64_Shdr *header, const char *name)
{
	uint64_t kind = hash_bytes(0, name, strnlen(name, sizeof(CONSTANT_PREFIX)));

	return hash_bytes(kind, file->at + header->sh_offset, header->sh_size);
}

/* Constants of a kernel name the section of its code. Those of all kernels name none. */
static void take_section(struct cubin_reading *reading, uint32_t n, const Elf64_Shdr *header, const char *name)
{
	bool owned = (header->sh_flags & SHF_INFO_LINK) != 0 && header->sh_info < reading->file.nsections;

	if (section_begins(name, TEXT_PREFIX)) {
		reading->section[n].is_code = true;
		reading->section[n].hash += hash_section(&reading->file, header, TEXT_PREFIX);
	} else if (section_begins(name, CONSTANT_PREFIX) && owned) {
		reading->section[header->sh_info].hash += hash_section(&reading->file, header, name);
	} else if (section_begins(name, CONSTANT_PREFIX) || strcmp(name, ".nv.global.init") == 0) {
		reading->common += hash_section(&reading->file, header, name);
	}
}

static void mark_kernels(struct cubin_reading *reading, const Elf64_Shdr *symbols)
{
	const unsigned char *at = reading->file.at + symbols->sh_offset;
	Elf64_Sym symbol;

	for (uint64_t left = symbols->sh_size; left >= sizeof(symbol); left -= sizeof(symbol), at += sizeof(symbol)) {
		memcpy(&symbol, at, sizeof(symbol));
		if (ELF64_ST_TYPE(symbol.st_info) != STT_FUNC || (symbol.st_other & SYMBOL_IS_KERNEL) == 0 ||
			symbol.st_shndx >= reading->file.nsections)
			continue;
		reading->section[symbol.st_shndx].is_kernel = true;
		reading->has_kernels = true;
	}
}

/* Counts what a section makes us read. False where that is more than a sound file has. */
static bool may_read(struct cubin_reading *reading, const Elf64_Shdr *header, const char *name)
{
	uint64_t size = strlen(name) + (header->sh_type == SHT_NOBITS ? 0 : header->sh_size);

	if (size > reading->left)
		return false;
	reading->left -= size;
	return true;
}

/* False if the file is damaged. */
static bool read_sections(struct cubin_reading *reading)
{
	Elf64_Shdr header;

	for (uint32_t n = 1; n < reading->file.nsections; n++) {
		const char *name = cubin_file_section(&reading->file, n, &header)
					   ? cubin_file_name(&reading->file, &header)
					   : NULL;

		if (!name || !may_read(reading, &header, name))
			return false;
		if (header.sh_type == SHT_PROGBITS)
			take_section(reading, n, &header, name);
		else if (header.sh_type == SHT_SYMTAB)
			mark_kernels(reading, &header);
	}
	return true;
}

static bool section_is_kernel(const struct cubin_reading *reading, uint32_t n)
{
	const struct section_code *section = &reading->section[n];

	return section->is_code && (section->is_kernel || !reading->has_kernels);
}

static void tell_kernels(
	struct cubin_reading *reading, void (*take)(void *user, const struct cubin_kernel *kernel), void *user)
{
	Elf64_Shdr header;

	for (uint32_t n = 1; n < reading->file.nsections; n++)
		if (reading->section[n].is_code && !section_is_kernel(reading, n))
			reading->common += reading->section[n].hash;
	for (uint32_t n = 1; n < reading->file.nsections; n++) {
		uint64_t hash = hash_bytes(reading->common, &reading->section[n].hash, sizeof(uint64_t));

		if (!section_is_kernel(reading, n) || !cubin_file_section(&reading->file, n, &header))
			continue;
		take(user, &(struct cubin_kernel){cubin_file_name(&reading->file, &header) + strlen(TEXT_PREFIX),
				   hash ? hash : 1, header.sh_size});
	}
}

bool cubin_kernels(
	const void *cubin, size_t size, void (*take)(void *user, const struct cubin_kernel *kernel), void *user)
{
	enum { TIMES_READ = 4 }; /* a sound file has each byte in one section; names share theirs */
	struct cubin_reading reading = {.left = TIMES_READ * (uint64_t)size};
	bool sound;

	if (!cubin || !cubin_file_open(cubin, size, &reading.file))
		return false;
	reading.section = calloc((size_t)reading.file.nsections + 1, sizeof(*reading.section));
	if (!reading.section)
		return false;
	sound = read_sections(&reading);
	if (sound)
		tell_kernels(&reading, take, user);
	free(reading.section);
	return sound;
}
