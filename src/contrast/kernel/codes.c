/* codes.c: see codes.h. */
#include "contrast/kernel/codes.h"

#include <stdlib.h>

#include "store/texts.h"
#include "util/alloc.h"
#include "util/number.h"

static int by_process_and_name(const void *left, const void *right)
{
	const struct code *a = left, *b = right;

	if (a->process != b->process)
		return int64_order(a->process, b->process);
	return (a->name > b->name) - (a->name < b->name);
}

/* A name that was loaded more than once keeps one place. */
static void join_names(struct codes *codes)
{
	size_t n = 0;

	for (size_t i = 0; i < codes->n; i++) {
		struct code *last = n ? &codes->code[n - 1] : NULL;

		if (!last || by_process_and_name(last, &codes->code[i]) != 0)
			codes->code[n++] = codes->code[i];
		else if (last->hash != codes->code[i].hash)
			last->known = CODES_SEVERAL;
	}
	codes->n = n;
}

static void take_code(struct codes *codes, struct texts *texts, const struct cursor *row)
{
	const char *hash = cursor_text(row, CODE_hash);
	struct code code = {.process = cursor_int(row, CODE_globalPid), .known = CODES_ONE};
	char *end;

	/* A module that was not read. */
	if (cursor_null(row, CODE_mangledName) || !hash)
		return;
	code.name = texts_column_number(texts, row, CODE_mangledName);
	code.hash = strtoull(hash, &end, 16);
	if (*end != '\0' || !code.name)
		return;
	xgrow(&codes->code, codes->n, &codes->room, sizeof(*codes->code));
	codes->code[codes->n++] = code;
}

int codes_read(struct codes *codes, struct store *store, struct texts *texts, struct error *err)
{
	static const int columns[] = {CODE_globalPid, CODE_mangledName, CODE_hash};
	struct cursor *row = store_columns(store, TABLE_CODE, columns, 3, err);
	int more;

	if (!row)
		return -1;
	while ((more = cursor_next(row, err)) > 0)
		take_code(codes, texts, row);
	cursor_close(row);
	if (codes->n > 1)
		qsort(codes->code, codes->n, sizeof(*codes->code), by_process_and_name);
	join_names(codes);
	return more;
}

struct code codes_find(const struct codes *codes, int64_t process, uint32_t name)
{
	const struct code key = {.process = process, .name = name};
	const struct code *found =
		codes->n ? bsearch(&key, codes->code, codes->n, sizeof(key), by_process_and_name) : NULL;

	return found ? *found : key;
}

enum codes_known codes_together(enum codes_known a, enum codes_known b)
{
	if (a == CODES_SEVERAL || b == CODES_SEVERAL)
		return CODES_SEVERAL;
	return a == CODES_ONE && b == CODES_ONE ? CODES_ONE : CODES_NONE;
}

void codes_free(struct codes *codes)
{
	free(codes->code);
	*codes = (struct codes){0};
}
