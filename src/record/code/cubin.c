/* cubin.c: see cubin.h. */
#include "record/code/cubin.h"

#include <elf.h>
#include <string.h>

/* Since Volta an instruction takes 16 bytes, little endian; its operation is in the lowest bits. All forms of the
 * barrier (BAR with the number of the barrier as a constant or in a register) have these nine bits in common;
 * tests/gpu/stalls.test compares that with the disassembler. */
enum { INSTRUCTION = 16, OPERATION_MASK = 0x1ff, OPERATION_BAR = 0x11d };

struct bytes {
	const unsigned char *at;
	size_t size;
};

static bool cubin_is_within(size_t size, uint64_t offset, uint64_t length)
{
	return offset <= size && length <= size - offset;
}

/* The header of section `n`, which must exist. */
static bool cubin_section(const struct bytes *file, const Elf64_Ehdr *elf, unsigned n, Elf64_Shdr *out)
{
	uint64_t offset = elf->e_shoff + (uint64_t)n * sizeof(*out);

	if (offset < elf->e_shoff || !cubin_is_within(file->size, offset, sizeof(*out)))
		return false;
	memcpy(out, file->at + offset, sizeof(*out));
	return out->sh_type == SHT_NOBITS || cubin_is_within(file->size, out->sh_offset, out->sh_size);
}

/* Whether the name at `offset` in the table of names is ".text." and the function's. */
static bool is_code_of(const struct bytes *names, uint64_t offset, const char *function)
{
	static const char text[] = ".text.";
	const size_t prefix = sizeof(text) - 1, length = strlen(function);

	if (!cubin_is_within(names->size, offset, prefix + length + 1))
		return false;
	return memcmp(names->at + offset, text, prefix) == 0 &&
	       memcmp(names->at + offset + prefix, function, length + 1) == 0;
}

static bool cubin_find_code(const struct bytes *file, const char *function, struct bytes *code)
{
	Elf64_Ehdr elf;
	Elf64_Shdr header;
	struct bytes names;

	if (file->size < sizeof(elf))
		return false;
	memcpy(&elf, file->at, sizeof(elf));
	if (memcmp(elf.e_ident, ELFMAG, SELFMAG) != 0 || elf.e_ident[EI_CLASS] != ELFCLASS64 ||
		elf.e_shentsize != sizeof(header) || !cubin_section(file, &elf, elf.e_shstrndx, &header))
		return false;
	if (header.sh_type != SHT_STRTAB)
		return false;
	names = (struct bytes){file->at + header.sh_offset, header.sh_size};
	for (unsigned i = 0; i < elf.e_shnum; i++) {
		if (cubin_section(file, &elf, i, &header) && header.sh_type == SHT_PROGBITS &&
			is_code_of(&names, header.sh_name, function)) {
			*code = (struct bytes){file->at + header.sh_offset, header.sh_size};
			return true;
		}
	}
	return false;
}

bool cubin_barrier_before(const void *cubin, size_t size, const char *function, uint64_t offset, uint64_t *barrier)
{
	const struct bytes file = {cubin, size};
	struct bytes code;

	if (!cubin_find_code(&file, function, &code) || offset > code.size)
		return false;
	for (uint64_t at = offset / INSTRUCTION * INSTRUCTION; at >= INSTRUCTION;) {
		unsigned low;

		at -= INSTRUCTION;
		low = code.at[at] | (unsigned)code.at[at + 1] << 8;
		if ((low & OPERATION_MASK) == OPERATION_BAR) {
			*barrier = at;
			return true;
		}
	}
	return false;
}
