/* cubin.c: see cubin.h. */
#include "record/code/cubin.h"

#include <string.h>

#include "record/code/cubin-file.h"

/* Since Volta an instruction takes 16 bytes, little endian; its operation is in the lowest bits. All forms of the
 * barrier (BAR with the number of the barrier as a constant or in a register) have these nine bits in common;
 * tests/gpu/stalls.test compares that with the disassembler. */
enum { INSTRUCTION = 16, OPERATION_MASK = 0x1ff, OPERATION_BAR = 0x11d };

struct bytes {
	const unsigned char *at;
	size_t size;
};

static bool is_code_of(const char *name, const char *function)
{
	static const char text[] = ".text.";
	const size_t prefix = sizeof(text) - 1;

	return name && strncmp(name, text, prefix) == 0 && strcmp(name + prefix, function) == 0;
}

static bool cubin_find_code(const void *cubin, size_t size, const char *function, struct bytes *code)
{
	struct cubin_file file;
	Elf64_Shdr header;

	if (!cubin_file_open(cubin, size, &file))
		return false;
	for (uint32_t i = 0; i < file.nsections; i++) {
		if (cubin_file_section(&file, i, &header) && header.sh_type == SHT_PROGBITS &&
			is_code_of(cubin_file_name(&file, &header), function)) {
			*code = (struct bytes){file.at + header.sh_offset, header.sh_size};
			return true;
		}
	}
	return false;
}

bool cubin_barrier_before(const void *cubin, size_t size, const char *function, uint64_t offset, uint64_t *barrier)
{
	struct bytes code;

	if (!cubin_find_code(cubin, size, function, &code) || offset > code.size)
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
