/* recordings.h: short ways to write and open recordings in a scratch folder. Include after "scratch.h". */
#ifndef DBPROF_TESTS_RECORDINGS_H
#define DBPROF_TESTS_RECORDINGS_H

#include "store/store.h"

/* The session's start of these recordings: 2023-11-14 22:13:20 UTC. */
#define EPOCH INT64_C(1700000000000000000)

static inline struct recording *create(const char *name)
{
	struct error err = {""};
	struct recording *rec = recording_create(in_scratch(name), EPOCH, &err);

	assert_string_equal(err.text, "");
	assert_non_null(rec);
	return rec;
}

static inline void write_row(struct recording *rec, enum table_id table, const struct value *row)
{
	struct error err = {""};

	recording_row(rec, table, row, &err);
	assert_string_equal(err.text, "");
}

static inline void finish(struct recording *rec)
{
	struct error err = {""};

	recording_finish(rec, &err);
	assert_string_equal(err.text, "");
}

static inline struct store *open_store(const char *name)
{
	struct error err = {""};
	struct store *store = store_open(in_scratch(name), &err);

	assert_string_equal(err.text, "");
	assert_non_null(store);
	return store;
}

static inline void write_kernel(struct recording *rec, int64_t start, int device, int64_t pid, const char *name)
{
	const struct value row[KERNEL_NUMBER] = {
		[KERNEL_start] = VALUE_OF_INT(EPOCH + start),
		[KERNEL_end] = VALUE_OF_INT(EPOCH + start + 10),
		[KERNEL_deviceId] = VALUE_OF_INT(device),
		[KERNEL_globalPid] = VALUE_OF_INT(pid << 24),
		[KERNEL_demangledName] = VALUE_OF_TEXT(name),
		[KERNEL_shortName] = VALUE_OF_TEXT(name),
	};

	write_row(rec, TABLE_KERNEL, row);
}

#endif
