/* memo.c: see memo.h. */
#include "store/scan/memo.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "store/store-private.h"
#include "store/texts.h"
#include "util/alloc.h"
#include "util/hash.h"

enum { IDS = 1 << 12, TEXTS = 1 << 10, LONGEST = 240 };

struct memo_id {
	int64_t id;
	uint32_t number;
	bool is_known;
};

struct memo_bytes {
	uint64_t hash;
	uint32_t number; /* 0: none is known here */
	uint32_t length;
	char bytes[LONGEST];
};

struct memo {
	struct texts *texts;
	struct memo_id ids[IDS];
	struct memo_bytes list[TEXTS];
};

struct memo *memo_new(struct texts *texts)
{
	struct memo *memo = xcalloc(1, sizeof(*memo));

	memo->texts = texts;
	return memo;
}

void memo_free(struct memo *memo)
{
	free(memo);
}

static uint32_t shared_number(struct memo *memo, const char *text)
{
	return text ? texts_number(memo->texts, text) : 0;
}

uint32_t memo_name(struct memo *memo, const struct store *store, int64_t id)
{
	struct memo_id *here = &memo->ids[(uint64_t)id % IDS];

	if (!here->is_known || here->id != id)
		*here = (struct memo_id){id, shared_number(memo, store_name(store, id)), true};
	return here->number;
}

/* The place for a text: *is_there says whether it holds that one. NULL if the text is too long to be kept. */
static struct memo_bytes *memo_place(struct memo *memo, const char *text, size_t length, bool *is_there)
{
	struct memo_bytes *here;
	uint64_t hash;

	if (length > LONGEST)
		return NULL;
	hash = hash_bytes(0, text, length);
	here = &memo->list[hash % TEXTS];
	*is_there =
		here->number && here->hash == hash && here->length == length && memcmp(here->bytes, text, length) == 0;
	if (*is_there)
		return here;
	here->hash = hash;
	here->length = (uint32_t)length;
	memcpy(here->bytes, text, length);
	return here;
}

uint32_t memo_text(struct memo *memo, const char *text)
{
	bool is_there;
	struct memo_bytes *here = memo_place(memo, text, strlen(text), &is_there);

	if (!here)
		return shared_number(memo, text);
	if (!is_there)
		here->number = shared_number(memo, text);
	return here->number;
}

static uint32_t mended_number(struct memo *memo, enum table_id table, const char *bytes, size_t length)
{
	char *text = xstrndup(bytes, length), *mended = store_mended(table, text);
	uint32_t number = shared_number(memo, mended ? mended : text);

	free(mended);
	free(text);
	return number;
}

/* SQLite hands out texts with their end behind them: the first NUL is the end. */
uint32_t memo_kept_text(struct memo *memo, enum table_id table, const char *bytes, size_t size)
{
	size_t length = strnlen(bytes, size);
	bool is_there;
	struct memo_bytes *here = memo_place(memo, bytes, length, &is_there);

	if (!here)
		return mended_number(memo, table, bytes, length);
	if (!is_there)
		here->number = mended_number(memo, table, bytes, length);
	return here->number;
}
