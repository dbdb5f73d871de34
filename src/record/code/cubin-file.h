/* cubin-file.h: the sections of a cubin, which is an ELF file. Nothing is read outside of its bytes, whatever it says.
 * Works in somebody else's program: allocates nothing. */
#ifndef DBPROF_RECORD_CODE_CUBIN_FILE_H
#define DBPROF_RECORD_CODE_CUBIN_FILE_H

#include <elf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct cubin_file {
	const unsigned char *at; /* borrowed */
	size_t size;
	uint64_t sections_at;
	uint32_t nsections;
	const char *names; /* of sections; within the file */
	size_t names_size;
};

/* False if this is no cubin, or one without names of sections. */
bool cubin_file_open(const void *bytes, size_t size, struct cubin_file *out);

/* The header of section `n`. False if it, or what it describes, is not in the file. */
bool cubin_file_section(const struct cubin_file *file, uint32_t n, Elf64_Shdr *out);

/* A section's name, with its NUL; NULL if it has none in the file. */
const char *cubin_file_name(const struct cubin_file *file, const Elf64_Shdr *section);

#endif
