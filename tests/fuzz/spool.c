/* spool.c: spools. Input: a first byte 0 and a spool as it is; or, so that checksums keep nothing out, any other byte
 * and bodies of rows, each behind its length in two bytes, low one first. */
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "store/spool/format.h"
#include "store/store.h"

/* The spool of these bodies; *made is its size. */
static unsigned char *frame(const uint8_t *data, size_t size, size_t *made)
{
	struct spool_header header = {.byte_order = SPOOL_BYTE_ORDER, .schema = spool_schema()};
	unsigned char *out = malloc(sizeof header + 4 * size + 16), *at = out;
	uint32_t checksum = spool_schema();

	fuzz_check(out != NULL, "out of memory");
	memcpy(header.magic, SPOOL_MAGIC, sizeof header.magic);
	memcpy(at, &header, sizeof header);
	at += sizeof header;
	while (size >= 2) {
		size_t length = data[0] | (size_t)data[1] << 8;

		data += 2;
		size -= 2;
		if (length > size)
			length = size;
		for (size_t left = length; left >= 0x80 || (*at++ = (unsigned char)left, false); left >>= 7)
			*at++ = (unsigned char)(left | 0x80);
		memcpy(at, data, length);
		checksum = spool_checksum(checksum, data, length);
		memcpy(at + length, &checksum, sizeof checksum);
		at += length + sizeof checksum;
		data += length;
		size -= length;
	}
	*made = (size_t)(at - out);
	return out;
}

/* Drops some rows, as `dbprof trace` does. */
static bool take(void *user, enum table_id table, const struct value *row)
{
	size_t *n = user;

	(void)table;
	(void)row;
	return ++*n % 3 != 0;
}

/* Changes others. */
static void change(void *user, enum table_id table, struct value *row)
{
	const struct table *t = schema_table(table);

	(void)user;
	for (int i = 0; i < t->ncolumns; i += 2) {
		if (row[i].kind == VALUE_TEXT && row[i].text != NULL && strlen(row[i].text) % 2 == 0)
			row[i].text = "edited";
		if (row[i].kind == VALUE_INT && row[i].integer % 4 == 0)
			row[i] = (struct value){0};
	}
}

static void into_recording(const char *spool, const struct recording_edit *with)
{
	char path[FUZZ_PATH];
	struct error err = {0};
	struct recording *rec;
	bool torn = false;

	rec = recording_create(fuzz_path(path, "recording.sqlite"), 1000, &err);
	fuzz_check(rec != NULL, "cannot create a recording");
	if (recording_edit_spool(rec, spool, with, &torn, &err) != 0) {
		fuzz_check_error(&err);
		recording_abandon(rec);
	} else if (recording_finish(rec, &err) != 0) {
		fuzz_check_error(&err);
	} else {
		struct store *store = store_open(path, &err);

		/* Its rows may say that it is of a newer version. */
		if (store == NULL)
			fuzz_check_error(&err);
		store_close(store);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char path[FUZZ_PATH];
	unsigned char *spool = NULL;
	size_t made = size - 1;
	struct error err = {0};
	size_t n = 0;
	struct recording_edit edit = {.user = &n, .take = take, .change = change};
	bool torn = false;

	if (size == 0)
		return 0;
	if (data[0] != 0)
		spool = frame(data + 1, size - 1, &made);
	fuzz_write(fuzz_path(path, "spool"), spool == NULL ? data + 1 : spool, made);
	free(spool);
	for (int i = 0; i < TABLES_NUMBER; i++)
		edit.columns[i] = UINT64_C(0x5555555555555555);
	if (recording_edit_spool(NULL, path, &edit, &torn, &err) != 0)
		fuzz_check_error(&err);
	else if (n > 0)
		into_recording(path, data[0] % 2 == 0 ? &edit : NULL);
	return 0;
}
