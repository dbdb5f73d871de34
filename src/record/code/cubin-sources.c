/* cubin-sources.c: see cubin-sources.h. The section .debug_line has a unit for each text that was compiled:
 *
 *     length of the rest (4 bytes), version (2), length of the header behind it (4), settings, lengths of opcodes,
 *     folders, each ended by NUL, and an empty one,
 *     files: name, ended by NUL, number of the folder from 1, time, size (LEB128 each); and an empty name
 *     the program with the lines */
#include "record/code/cubin-sources.h"

#include <stdbool.h>
#include <string.h>

#include "record/code/cubin-file.h"

#define LINE_SECTION ".debug_line"

/* Folders with a higher number are not looked for. */
enum { FOLDERS_MOST = 4096 };

/* Bytes between the lengths and the lengths of opcodes: in versions before 4, and the one more of version 4. */
enum { LINE_VERSION_LEAST = 2, LINE_VERSION_MOST = 4, LINE_SETTINGS = 4 };

/* What is left of a table. Behind the first error it is empty. */
struct line_bytes {
	const unsigned char *at;
	size_t left;
};

/* ---- bytes ---- */

static const unsigned char *line_take(struct line_bytes *bytes, uint64_t size)
{
	const unsigned char *at = bytes->at;

	if (size > bytes->left) {
		bytes->left = 0;
		return NULL;
	}
	bytes->at += size;
	bytes->left -= (size_t)size;
	return at;
}

/* Little endian, of 1 to 8 bytes; 0 behind an error. */
static uint64_t line_number(struct line_bytes *bytes, unsigned size)
{
	const unsigned char *at = line_take(bytes, size);
	uint64_t number = 0;

	for (unsigned i = 0; at && i < size; i++)
		number |= (uint64_t)at[i] << (8 * i);
	return number;
}

/* Only small ones are needed: higher bits are passed over. */
static uint64_t line_leb128(struct line_bytes *bytes)
{
	uint64_t number = 0;
	unsigned shift = 0;

	while (bytes->left > 0) {
		uint64_t byte = line_number(bytes, 1);

		if (shift < 63)
			number |= (byte & 0x7f) << shift;
		shift += 7;
		if ((byte & 0x80) == 0)
			break;
	}
	return number;
}

/* "" behind an error, and at the end of a list. */
static const char *line_text(struct line_bytes *bytes)
{
	const unsigned char *end = bytes->left > 0 ? memchr(bytes->at, '\0', bytes->left) : NULL;

	if (!end)
		bytes->left = 0;
	return end ? (const char *)line_take(bytes, (uint64_t)(end - bytes->at) + 1) : "";
}

/* ---- a unit ---- */

/* Passes over the folders. */
static void skip_folders(struct line_bytes *bytes)
{
	while (*line_text(bytes) != '\0')
		;
}

/* Folder `number` of the list; "" if there is none. */
static const char *line_folder(struct line_bytes folders, uint64_t number)
{
	const char *folder = "";

	if (number > FOLDERS_MOST)
		return "";
	for (uint64_t i = 0; i < number; i++) {
		folder = line_text(&folders);
		if (*folder == '\0')
			break;
	}
	return folder;
}

/* Returns how many files were told, `most` at most. */
static size_t take_line_files(struct line_bytes header, size_t most, cubin_source_taker *take, void *user)
{
	struct line_bytes folders = header;
	size_t n = 0;

	skip_folders(&header);
	while (n < most) {
		const char *name = line_text(&header);
		uint64_t folder = line_leb128(&header);

		if (*name == '\0')
			break;
		(void)line_leb128(&header);
		(void)line_leb128(&header);
		take(user, line_folder(folders, folder), name);
		n++;
	}
	return n;
}

static size_t take_unit(struct line_bytes unit, size_t most, cubin_source_taker *take, void *user)
{
	uint64_t version = line_number(&unit, 2), length = line_number(&unit, 4), opcodes;
	struct line_bytes header = {unit.at, unit.left < length ? unit.left : (size_t)length};

	if (version < LINE_VERSION_LEAST || version > LINE_VERSION_MOST)
		return 0;
	(void)line_take(&header, version == LINE_VERSION_MOST ? LINE_SETTINGS + 1 : LINE_SETTINGS);
	opcodes = line_number(&header, 1);
	if (opcodes == 0)
		return 0;
	(void)line_take(&header, opcodes - 1);
	return take_line_files(header, most, take, user);
}

/* ---- the file ---- */

static void take_units(struct line_bytes section, cubin_source_taker *take, void *user)
{
	size_t n = 0;

	while (section.left > 0 && n < CUBIN_SOURCES_MOST) {
		uint64_t length = line_number(&section, 4);
		const unsigned char *at = line_take(&section, length);

		if (at)
			n += take_unit((struct line_bytes){at, (size_t)length}, CUBIN_SOURCES_MOST - n, take, user);
	}
}

static bool is_line_section(const char *name)
{
	return name && strcmp(name, LINE_SECTION) == 0;
}

void cubin_sources(const void *cubin, size_t size, cubin_source_taker *take, void *user)
{
	struct cubin_file file;
	Elf64_Shdr header;

	if (!cubin_file_open(cubin, size, &file))
		return;
	for (uint32_t i = 0; i < file.nsections; i++) {
		if (!cubin_file_section(&file, i, &header) || header.sh_type != SHT_PROGBITS ||
			!is_line_section(cubin_file_name(&file, &header)))
			continue;
		take_units((struct line_bytes){file.at + header.sh_offset, header.sh_size}, take, user);
		return;
	}
}
