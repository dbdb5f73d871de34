/* texts.c: see texts.h. */
#include "store/texts.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "store/intern.h"
#include "util/alloc.h"
#include "util/utf8.h"

/* A name by its id in StringIds, so that its text need not be looked for again. */
struct known_name {
	int64_t id;
	uint32_t number; /* 0: none is known here */
};

enum { NAMES_KNOWN = 1 << 12 };

/* Texts stand in pieces that stay where they are, each twice as long as the one before: one thread may look at a text
 * while another one adds some. */
enum { FIRST_PIECE = 256, PIECES = 32 };

struct texts {
	pthread_mutex_t lock;
	struct intern *seen;        /* as they stand in the recording */
	const char **clean[PIECES]; /* by their numbers - 1; owned where they are not those of `seen` */
	size_t n;
	struct known_name names[NAMES_KNOWN]; /* those looked up last */
};

struct texts *texts_new(void)
{
	struct texts *texts = xcalloc(1, sizeof(*texts));
	pthread_mutexattr_t attributes;

	/* It is held for less time than it takes to sleep. */
	pthread_mutexattr_init(&attributes);
	pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_ADAPTIVE_NP);
	pthread_mutex_init(&texts->lock, &attributes);
	pthread_mutexattr_destroy(&attributes);
	texts->seen = intern_new(SIZE_MAX);
	if (!texts->seen)
		out_of_memory();
	return texts;
}

/* Where the i-th text stands. */
static const char **texts_place(const struct texts *texts, size_t i)
{
	size_t piece = 0, length = FIRST_PIECE;

	for (; i >= length; length *= 2, piece++)
		i -= length;
	return texts->clean[piece] + i;
}

void texts_free(struct texts *texts)
{
	if (!texts)
		return;
	for (size_t i = 0; i < texts->n; i++) {
		const char *clean = *texts_place(texts, i);

		if (clean != intern_text(texts->seen, (uint32_t)i + 1))
			free((char *)clean);
	}
	for (size_t piece = 0; piece < PIECES; piece++)
		free(texts->clean[piece]);
	intern_free(texts->seen);
	pthread_mutex_destroy(&texts->lock);
	free(texts);
}

/* The clean text; NULL if it is clean as it is, as most are. */
static char *texts_cleaned(const char *seen)
{
	const char *at = seen;
	char *clean;

	while (*at >= ' ' && *at <= '~')
		at++;
	if (!*at)
		return NULL;
	clean = utf8_clean(seen, strlen(seen), NULL);
	if (strcmp(clean, seen) != 0)
		return clean;
	free(clean);
	return NULL;
}

/* Adds the text that was seen last. */
static void texts_add(struct texts *texts)
{
	const char *seen = intern_text(texts->seen, (uint32_t)texts->n + 1);
	char *clean = texts_cleaned(seen);
	size_t piece = 0, first = 0;

	for (; texts->n > first; piece++)
		first += (size_t)FIRST_PIECE << piece;
	if (texts->n == first)
		texts->clean[piece] = xcalloc((size_t)FIRST_PIECE << piece, sizeof(*texts->clean[piece]));
	*texts_place(texts, texts->n++) = clean ? clean : seen;
}

uint32_t texts_number(struct texts *texts, const char *text)
{
	bool is_new;
	uint32_t id;

	pthread_mutex_lock(&texts->lock);
	id = intern_id(texts->seen, text, &is_new);
	if (id == 0)
		out_of_memory();
	if (is_new)
		texts_add(texts);
	pthread_mutex_unlock(&texts->lock);
	return id;
}

const char *texts_text(const struct texts *texts, uint32_t number)
{
	return number ? *texts_place(texts, number - 1) : NULL;
}

const char *texts_keep(struct texts *texts, const char *text)
{
	return texts_text(texts, texts_number(texts, text));
}

static uint32_t texts_read(struct texts *texts, const struct cursor *row, int column)
{
	const char *text = cursor_text(row, column);

	return text ? texts_number(texts, text) : 0;
}

uint32_t texts_column_in_file(struct texts *texts, const struct cursor *row, int column)
{
	const char *text = cursor_text_in_file(row, column);

	return text ? texts_number(texts, text) : 0;
}

uint32_t texts_column_number(struct texts *texts, const struct cursor *row, int column)
{
	struct known_name *known;
	int64_t id;

	if (!cursor_name_id(row, column, &id))
		return texts_read(texts, row, column);
	known = &texts->names[(uint64_t)id % NAMES_KNOWN];
	if (known->number == 0 || known->id != id)
		*known = (struct known_name){id, texts_read(texts, row, column)};
	return known->number;
}
