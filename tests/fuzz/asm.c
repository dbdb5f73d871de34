/* asm.c: machine code as nvdisasm prints it: loops, copies and waits. Input: a line for each instruction; one that ends
 * in a colon is the label of the next. */
#include <stdlib.h>
#include <string.h>

#include "analyze/asm/asm.h"
#include "fuzz.h"
#include "util/alloc.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = fuzz_text(data, size), *rest = text, *line;
	struct asm_instruction *list = NULL;
	const char *label = NULL;
	struct asm_kernel kernel;
	size_t n = 0, room = 0;

	while ((line = strsep(&rest, "\n")) != NULL) {
		size_t length = strlen(line);

		if (length > 0 && line[length - 1] == ':') {
			line[length - 1] = '\0';
			label = line;
			continue;
		}
		xgrow(&list, n, &room, sizeof(*list));
		list[n] = (struct asm_instruction){.offset = n, .text = line, .label = label, .samples = length % 3};
		n++;
		label = NULL;
	}
	asm_read(list, n, &kernel);
	fuzz_check(kernel.way < ASM_WAYS, "no way of copying");
	fuzz_check(
		kernel.shape != ASM_SHAPE_ROUNDS || (kernel.first < n && kernel.last < n), "a loop outside the kernel");
	fuzz_check(kernel.ahead.value >= 0 && kernel.buffers.value >= 0, "fewer tiles than none");
	free(list);
	free(text);
	return 0;
}
