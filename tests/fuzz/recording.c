/* recording.c: recordings and exports of Nsight Systems, by their tables and values: see rows.h. */
#include "fuzz.h"
#include "reader.h"
#include "rows.h"

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed)
{
	return rows_mutate(data, size, max_size, seed);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char path[FUZZ_PATH];

	fuzz_path(path, "recording.sqlite");
	if (rows_make(path, data, size))
		fuzz_read(path, fuzz_hash(data, size));
	return 0;
}
