/* fatbin.c: see fatbin.h. */
#include "record/code/fatbin.h"

#include <elf.h>
#include <stdint.h>
#include <string.h>

#include "util/alloc.h"

#define CONTAINER_MAGIC UINT32_C(0xba55ed50)

enum { KIND_PTX = 1, ALIGNMENT = 8 };

/* The beginning of a container; entries follow. */
struct container {
	uint32_t magic;
	uint16_t version, header_size;
	uint64_t size; /* of all entries */
};

/* The beginning of an entry; the name of its source and its payload follow. */
struct entry {
	uint16_t kind, version;
	uint32_t header_size;
	uint64_t size;       /* of the payload, padded */
	uint32_t compressed; /* bytes of the compressed payload, 0 if it is plain */
	uint32_t options_at, version_of_content;
	uint32_t arch;
	uint32_t source_at, source_size; /* within the header */
};

static bool fatbin_is_within(size_t size, uint64_t offset, uint64_t length)
{
	return offset <= size && length <= size - offset;
}

/* ---- the section ---- */

static bool fatbin_section(const struct fatbin *walk, const Elf64_Ehdr *elf, unsigned n, Elf64_Shdr *out)
{
	uint64_t offset = elf->e_shoff + (uint64_t)n * sizeof(*out);

	if (offset < elf->e_shoff || !fatbin_is_within(walk->size, offset, sizeof(*out)))
		return false;
	memcpy(out, walk->file + offset, sizeof(*out));
	return out->sh_type == SHT_NOBITS || fatbin_is_within(walk->size, out->sh_offset, out->sh_size);
}

static bool is_fatbin(const struct fatbin *walk, const Elf64_Shdr *names, const Elf64_Shdr *header)
{
	static const char name[] = ".nv_fatbin";

	return header->sh_type == SHT_PROGBITS && fatbin_is_within(names->sh_size, header->sh_name, sizeof(name)) &&
	       memcmp(walk->file + names->sh_offset + header->sh_name, name, sizeof(name)) == 0;
}

static bool find_section(struct fatbin *walk)
{
	Elf64_Shdr names, header;
	Elf64_Ehdr elf;

	if (walk->size < sizeof(elf))
		return false;
	memcpy(&elf, walk->file, sizeof(elf));
	if (memcmp(elf.e_ident, ELFMAG, SELFMAG) != 0 || elf.e_ident[EI_CLASS] != ELFCLASS64 ||
		elf.e_shentsize != sizeof(header) || !fatbin_section(walk, &elf, elf.e_shstrndx, &names) ||
		names.sh_type != SHT_STRTAB)
		return false;
	for (unsigned i = 0; i < elf.e_shnum; i++) {
		if (fatbin_section(walk, &elf, i, &header) && is_fatbin(walk, &names, &header)) {
			walk->at = walk->end = header.sh_offset;
			walk->section_end = header.sh_offset + header.sh_size;
			return true;
		}
	}
	return false;
}

/* ---- containers and entries ---- */

/* Goes from the end of one container into the next. */
static bool open_container(struct fatbin *walk)
{
	struct container head;

	for (; fatbin_is_within(walk->section_end, walk->end, sizeof(head)); walk->end += ALIGNMENT) {
		memcpy(&head, walk->file + walk->end, sizeof(head));
		if (head.magic != CONTAINER_MAGIC)
			continue; /* padding */
		if (head.header_size < sizeof(head) ||
			!fatbin_is_within(walk->section_end, walk->end + head.header_size, head.size))
			return false;
		walk->at = walk->end + head.header_size;
		walk->end = walk->at + head.size;
		return true;
	}
	return false;
}

/* Takes the entry at walk->at and goes past it. False if the file is damaged. */
static bool take_entry(struct fatbin *walk, struct entry *head, const char **at)
{
	if (!fatbin_is_within(walk->end, walk->at, sizeof(*head)))
		return false;
	*at = walk->file + walk->at;
	memcpy(head, *at, sizeof(*head));
	if (head->header_size < sizeof(*head) || !fatbin_is_within(walk->end, walk->at, head->header_size) ||
		!fatbin_is_within(walk->end, walk->at + head->header_size, head->size))
		return false;
	walk->at += head->header_size + head->size;
	return true;
}

/* Whether the entry is plain PTX whose source is known. */
static bool is_plain_ptx(const struct entry *head, const char *at, struct fatbin_ptx *out)
{
	if (head->kind != KIND_PTX || head->compressed != 0 || head->source_size == 0 || head->arch > 10000 ||
		!fatbin_is_within(head->header_size, head->source_at, head->source_size))
		return false;
	out->source = at + head->source_at;
	out->source_size = strnlen(out->source, head->source_size);
	out->arch = (int)head->arch;
	out->text = at + head->header_size;
	out->size = strnlen(out->text, head->size);
	return true;
}

bool fatbin_next(struct fatbin *walk, struct fatbin_ptx *out)
{
	struct entry head;
	const char *at;

	if (walk->section_end == 0 && !find_section(walk))
		return false;
	for (;;) {
		if (walk->at >= walk->end && !open_container(walk))
			return false;
		if (walk->at >= walk->end)
			continue; /* an empty one */
		if (!take_entry(walk, &head, &at))
			return false;
		if (is_plain_ptx(&head, at, out))
			return true;
	}
}

/* ---- the text ---- */

/* Copies one line, without the folder of a `.file N "FOLDER/NAME"`. Returns the end of the copy. */
static char *copy_line(char *to, const char *line, size_t size)
{
	const char *word = line, *end = line + size, *quote, *slash;

	while (word < end && (*word == ' ' || *word == '\t'))
		word++;
	quote = end - word > 5 && memcmp(word, ".file", 5) == 0 ? memchr(word, '"', (size_t)(end - word)) : NULL;
	slash = !quote ? NULL : memrchr(quote, '/', (size_t)(end - quote));
	if (!slash) {
		memcpy(to, line, size);
		return to + size;
	}
	memcpy(to, line, (size_t)(quote + 1 - line));
	to += quote + 1 - line;
	memcpy(to, slash + 1, (size_t)(end - slash - 1));
	return to + (end - slash - 1);
}

char *fatbin_text(const struct fatbin_ptx *ptx)
{
	char *copy = xmalloc(ptx->size + 1), *to = copy;
	const char *end = ptx->text + ptx->size;

	for (const char *line = ptx->text; line < end;) {
		const char *newline = memchr(line, '\n', (size_t)(end - line));
		size_t size = (size_t)((!newline ? end : newline + 1) - line);

		to = copy_line(to, line, size);
		line += size;
	}
	*to = '\0';
	return copy;
}
