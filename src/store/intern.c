/* intern.c: an open-addressing hash table of texts. */
#include "store/intern.h"

#include <stdlib.h>
#include <string.h>

struct entry {
	uint64_t hash;
	int64_t id; /* 0: free */
	char *text;
};

struct intern {
	struct entry *entries;
	size_t capacity; /* a power of two */
	size_t used;
};

enum { FIRST_CAPACITY = 256 };

struct intern *intern_new(void)
{
	struct intern *in = malloc(sizeof *in);

	if (in == NULL)
		return NULL;
	*in = (struct intern){.capacity = FIRST_CAPACITY};
	in->entries = calloc(in->capacity, sizeof *in->entries);
	if (in->entries == NULL) {
		free(in);
		return NULL;
	}
	return in;
}

void intern_free(struct intern *in)
{
	if (in == NULL)
		return;
	for (size_t i = 0; i < in->capacity; i++)
		free(in->entries[i].text);
	free(in->entries);
	free(in);
}

/* FNV-1a, 64 bits. */
static uint64_t hash_of(const char *text)
{
	uint64_t hash = 14695981039346656037u;

	for (; *text != '\0'; text++)
		hash = (hash ^ (unsigned char)*text) * 1099511628211u;
	return hash;
}

/* The entry of `text`, or the free one where it belongs. */
static struct entry *find(struct entry *entries, size_t capacity, uint64_t hash, const char *text)
{
	size_t i = (size_t)hash & (capacity - 1);

	while (entries[i].id != 0 && (entries[i].hash != hash || strcmp(entries[i].text, text) != 0))
		i = (i + 1) & (capacity - 1);
	return &entries[i];
}

static int grow(struct intern *in)
{
	size_t capacity = in->capacity * 2;
	struct entry *entries = calloc(capacity, sizeof *entries);

	if (entries == NULL)
		return -1;
	for (size_t i = 0; i < in->capacity; i++)
		if (in->entries[i].id != 0)
			*find(entries, capacity, in->entries[i].hash, in->entries[i].text) = in->entries[i];
	free(in->entries);
	in->entries = entries;
	in->capacity = capacity;
	return 0;
}

int64_t intern_id(struct intern *in, const char *text, bool *is_new)
{
	uint64_t hash = hash_of(text);
	struct entry *entry = find(in->entries, in->capacity, hash, text);

	*is_new = entry->id == 0;
	if (!*is_new)
		return entry->id;
	if (in->used + 1 > in->capacity / 2) {
		if (grow(in) != 0)
			return 0;
		entry = find(in->entries, in->capacity, hash, text);
	}
	entry->text = strdup(text);
	if (entry->text == NULL)
		return 0;
	entry->hash = hash;
	entry->id = (int64_t)++in->used;
	return entry->id;
}
