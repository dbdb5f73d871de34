/* cubin-file.c: see cubin-file.h. */
#include "record/code/cubin-file.h"

#include <string.h>

/* Names of nested templates are long, but not so long. */
enum { SECTION_NAME_MOST = 1 << 20 };

static bool cubin_is_within(size_t size, uint64_t offset, uint64_t length)
{
	return offset <= size && length <= size - offset;
}

bool cubin_file_section(const struct cubin_file *file, uint32_t n, Elf64_Shdr *out)
{
	uint64_t offset = file->sections_at + (uint64_t)n * sizeof(*out);

	if (n >= file->nsections || offset < file->sections_at || !cubin_is_within(file->size, offset, sizeof(*out)))
		return false;
	memcpy(out, file->at + offset, sizeof(*out));
	return out->sh_type == SHT_NOBITS || cubin_is_within(file->size, out->sh_offset, out->sh_size);
}

/* The number of sections and that of their names. Where they do not fit into the file's header, section 0 has them. */
static bool read_numbers(struct cubin_file *file, const Elf64_Ehdr *elf, uint32_t *names)
{
	Elf64_Shdr zero;

	file->nsections = elf->e_shnum ? elf->e_shnum : 1;
	*names = elf->e_shstrndx;
	if (elf->e_shnum && elf->e_shstrndx != SHN_XINDEX)
		return true;
	if (!cubin_file_section(file, 0, &zero) || zero.sh_size > UINT32_MAX)
		return false;
	if (!elf->e_shnum)
		file->nsections = (uint32_t)zero.sh_size;
	if (elf->e_shstrndx == SHN_XINDEX)
		*names = zero.sh_link;
	return true;
}

bool cubin_file_open(const void *bytes, size_t size, struct cubin_file *out)
{
	Elf64_Ehdr elf;
	Elf64_Shdr header;
	uint32_t names;

	*out = (struct cubin_file){.at = bytes, .size = size};
	if (size < sizeof(elf))
		return false;
	memcpy(&elf, bytes, sizeof(elf));
	if (memcmp(elf.e_ident, ELFMAG, SELFMAG) != 0 || elf.e_ident[EI_CLASS] != ELFCLASS64 ||
		elf.e_shentsize != sizeof(header))
		return false;
	out->sections_at = elf.e_shoff;
	/* So many sections fit into the file, so that nobody makes room for more. */
	if (!read_numbers(out, &elf, &names) || out->nsections > size / sizeof(header) ||
		!cubin_file_section(out, names, &header) || header.sh_type != SHT_STRTAB)
		return false;
	out->names = (const char *)out->at + header.sh_offset;
	out->names_size = header.sh_size;
	return true;
}

const char *cubin_file_name(const struct cubin_file *file, const Elf64_Shdr *section)
{
	size_t left;

	if (section->sh_name >= file->names_size)
		return NULL;
	left = file->names_size - section->sh_name;
	if (left > SECTION_NAME_MOST)
		left = SECTION_NAME_MOST;
	return memchr(file->names + section->sh_name, '\0', left) ? file->names + section->sh_name : NULL;
}
