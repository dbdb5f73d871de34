/* sqlite.c: recordings and exports by their bytes: SQLite files, whole and damaged. */
#include "fuzz.h"
#include "reader.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char path[FUZZ_PATH];

	fuzz_write(fuzz_path(path, "recording.sqlite"), data, size);
	fuzz_read(path, fuzz_hash(data, size));
	return 0;
}
