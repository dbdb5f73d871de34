/* intern.c: an open-addressing hash table of texts. */
#include "store/intern.h"

#include <stdlib.h>
#include <string.h>

#include "util/hash.h"

struct entry {
	uint64_t hash;
	char *text;
};

/* A text that comes again mostly has the same address. So its number is guessed from the address, and the text is
 * hashed only if the guess is wrong. */
enum { FIRST_CAPACITY = 256, GUESSES = 256 };

struct intern {
	struct entry *entries; /* by number - 1 */
	uint32_t *slots;       /* hash table of numbers; 0: free */
	size_t capacity;       /* number of slots, a power of two; there is room for half as many entries */
	size_t used;           /* entries */
	size_t left;           /* bytes below the limit */
	uint32_t guesses[GUESSES];
};

static int intern_allocate(struct intern *in)
{
	in->entries = calloc(in->capacity / 2, sizeof(*in->entries));
	in->slots = calloc(in->capacity, sizeof(*in->slots));
	return !in->entries || !in->slots ? -1 : 0;
}

struct intern *intern_new(size_t limit)
{
	struct intern *in = calloc(1, sizeof(*in));

	if (!in)
		return NULL;
	in->capacity = FIRST_CAPACITY;
	in->left = limit;
	if (intern_allocate(in) != 0) {
		intern_free(in);
		return NULL;
	}
	return in;
}

void intern_free(struct intern *in)
{
	if (!in)
		return;
	for (size_t i = 0; i < in->used; i++)
		free(in->entries[i].text);
	free(in->entries);
	free(in->slots);
	free(in);
}

/* The slot of `text`, or the free one where it belongs. */
static uint32_t *intern_find(const struct intern *in, uint64_t hash, const char *text)
{
	size_t i = (size_t)hash & (in->capacity - 1);

	while (in->slots[i] != 0) {
		const struct entry *entry = &in->entries[in->slots[i] - 1];

		if (entry->hash == hash && strcmp(entry->text, text) == 0)
			break;
		i = (i + 1) & (in->capacity - 1);
	}
	return &in->slots[i];
}

/* Doubles the room; all is as it was if memory is short. */
static int intern_grow(struct intern *in)
{
	struct intern larger = {.capacity = 2 * in->capacity};

	if (intern_allocate(&larger) != 0) {
		free(larger.entries);
		free(larger.slots);
		return -1;
	}
	memcpy(larger.entries, in->entries, in->used * sizeof(*in->entries));
	for (size_t i = 0; i < in->used; i++)
		*intern_find(&larger, larger.entries[i].hash, larger.entries[i].text) = (uint32_t)i + 1;
	free(in->entries);
	free(in->slots);
	in->entries = larger.entries;
	in->slots = larger.slots;
	in->capacity = larger.capacity;
	return 0;
}

/* Adds a text that is not there; 0 if there is no room for it. */
static uint32_t intern_add(struct intern *in, uint64_t hash, const char *text, size_t length)
{
	struct entry entry = {.hash = hash};

	if (length >= in->left || in->left - length < INTERN_ENTRY_COST || in->used == UINT32_MAX)
		return 0;
	if (in->used == in->capacity / 2 && intern_grow(in) != 0)
		return 0;
	entry.text = malloc(length + 1);
	if (!entry.text)
		return 0;
	memcpy(entry.text, text, length + 1);
	*intern_find(in, hash, text) = (uint32_t)in->used + 1;
	in->entries[in->used++] = entry;
	in->left -= length + INTERN_ENTRY_COST;
	return (uint32_t)in->used;
}

uint32_t intern_id(struct intern *in, const char *text, bool *is_new)
{
	uint32_t *guess = &in->guesses[((uintptr_t)text ^ (uintptr_t)text >> 8) % GUESSES];
	size_t length;
	uint64_t hash;

	*is_new = false;
	if (*guess != 0 && strcmp(in->entries[*guess - 1].text, text) == 0)
		return *guess;
	length = strlen(text);
	hash = hash_bytes(0, text, length);
	*guess = *intern_find(in, hash, text);
	if (*guess == 0) {
		*guess = intern_add(in, hash, text, length);
		*is_new = *guess != 0;
	}
	return *guess;
}

bool intern_has(const struct intern *in, const char *text)
{
	return *intern_find(in, hash_bytes(0, text, strlen(text)), text) != 0;
}

const char *intern_text(const struct intern *in, uint32_t id)
{
	return in->entries[id - 1].text;
}
