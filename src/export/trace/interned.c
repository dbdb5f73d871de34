/* interned.c: see interned.h. */
#include "export/trace/interned.h"

#include <stdlib.h>
#include <string.h>

#include "util/alloc.h"

/* A program has some thousand names; a stranger's may all differ. */
enum { TEXTS_MOST = 1 << 16, TEXT_BYTES_MOST = 1 << 23 };

struct interned_text {
	int64_t kind;
	uint64_t hash, number;
	char *text; /* NULL: free */
};

static uint64_t interned_hash(int64_t kind, const char *text)
{
	uint64_t x = (uint64_t)kind * UINT64_C(0x9E3779B97F4A7C15);

	for (const unsigned char *s = (const unsigned char *)text; *s; s++)
		x = (x ^ *s) * UINT64_C(0x100000001B3);
	return x ^ x >> 29;
}

static struct interned_text *interned_slot(
	const struct interned *interned, int64_t kind, uint64_t hash, const char *text)
{
	for (size_t i = (size_t)hash;; i++) {
		struct interned_text *slot = &interned->texts[i & (interned->room - 1)];

		if (!slot->text || (slot->hash == hash && slot->kind == kind && strcmp(slot->text, text) == 0))
			return slot;
	}
}

static void interned_grow(struct interned *interned)
{
	struct interned larger = *interned;

	larger.room = interned->room ? 2 * interned->room : 256;
	larger.texts = xcalloc(larger.room, sizeof(*larger.texts));
	for (size_t i = 0; i < interned->room; i++) {
		const struct interned_text *old = &interned->texts[i];

		if (old->text)
			*interned_slot(&larger, old->kind, old->hash, old->text) = *old;
	}
	free(interned->texts);
	*interned = larger;
}

uint64_t interned_number(struct interned *interned, int64_t kind, const char *text, bool *is_new)
{
	uint64_t hash = interned_hash(kind, text);
	struct interned_text *slot;

	if (2 * (interned->n + 1) > interned->room)
		interned_grow(interned);
	slot = interned_slot(interned, kind, hash, text);
	*is_new = !slot->text;
	if (*is_new) {
		*slot = (struct interned_text){kind, hash, ++interned->numbers, xstrdup(text)};
		interned->n++;
		interned->bytes += strlen(text);
	}
	return slot->number;
}

bool interned_is_full(const struct interned *interned)
{
	return interned->n >= TEXTS_MOST || interned->bytes >= TEXT_BYTES_MOST;
}

void interned_clear(struct interned *interned)
{
	for (size_t i = 0; i < interned->room; i++)
		free(interned->texts[i].text);
	free(interned->texts);
	*interned = (struct interned){0};
}
