/* source.c: code in recordings: variants' regions in .cu texts, kernels in PTX texts and their instructions. Input: the
 * name or symbol, a line break, the text. */
#include <stdlib.h>
#include <string.h>

#include "analyze/analyze.h"
#include "fuzz.h"
#include "model/family/source.h"
#include "util/utf8.h"

static void cut_variant(const char *text, size_t size, const char *name)
{
	struct source_code code;
	struct error err = {0};
	int found = source_variant(text, size, name, &code, &err);

	if (found < 0)
		fuzz_check_error(&err);
	if (found > 0)
		fuzz_check(utf8_valid(code.text) && code.nlines > 0, "code that is not whole");
	source_code_free(&code);
}

static void cut_kernel(const char *text, size_t size, const char *symbol)
{
	struct ptx_entry entry;
	struct error err = {0};
	int found = source_ptx(text, size, symbol, &entry, &err);

	if (found < 0)
		fuzz_check_error(&err);
	if (found > 0)
		fuzz_check(utf8_valid(entry.text), "a kernel that is not UTF-8");
	for (int i = 0; i < entry.ninstructions; i++)
		fuzz_check(ptx_classify(entry.instructions[i]) < PTX_KINDS, "no kind of instruction");
	ptx_entry_free(&entry);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const uint8_t *end = size == 0 ? NULL : memchr(data, '\n', size);
	char *name, *text;

	if (end == NULL)
		return 0;
	name = fuzz_text(data, (size_t)(end - data));
	size -= (size_t)(end + 1 - data);
	/* The size is given: no NUL has to follow. */
	text = malloc(size == 0 ? 1 : size);
	fuzz_check(text != NULL, "out of memory");
	memcpy(text, end + 1, size);
	cut_variant(text, size, name);
	cut_kernel(text, size, name);
	free(text);
	free(name);
	return 0;
}
