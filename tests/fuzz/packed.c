/* packed.c: compressed recordings by their bytes. What they unpack to is for the target sqlite. */
#include "fuzz.h"

#include "store/packed/packed.h"
#include "store/store.h"

static int count(void *user, const void *data, size_t size, struct error *err)
{
	int64_t *bytes = user;

	(void)data;
	(void)err;
	*bytes += (int64_t)size;
	return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char path[FUZZ_PATH];
	struct error err = {0};
	struct store *store;
	int64_t bytes = 0;

	fuzz_write(fuzz_path(path, "recording.sqlite.zst"), data, size);
	store = store_open(path, &err);
	if (store == NULL) {
		fuzz_check_error(&err);
		fuzz_check(!error_is_of_system(&err), "what is wrong with a file is told as a failure of dbprof");
	} else if (packed_is(data, size)) {
		fuzz_check(store_copy(store, count, &bytes, &err) == 0, err.text);
		fuzz_check(bytes <= packed_limit((int64_t)size), "more was unpacked than may be");
	}
	store_close(store);
	return 0;
}
