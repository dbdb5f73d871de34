/* likeness.c: see likeness.h. */
#include "contrast/kernel/likeness.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>
#include <strings.h>

struct name_word {
	const char *text; /* in the name; NULL behind the last one */
	size_t length;
};

static bool words_part(char before, char next)
{
	if (isalpha((unsigned char)before) && isalpha((unsigned char)next))
		return islower((unsigned char)before) && isupper((unsigned char)next);
	return !isdigit((unsigned char)before) || !isdigit((unsigned char)next);
}

/* The first word from `at` on. */
static struct name_word next_word(const char *at)
{
	size_t length = 1;

	while (*at != '\0' && !isalnum((unsigned char)*at))
		at++;
	if (*at == '\0')
		return (struct name_word){NULL, 0};
	while (at[length] != '\0' && !words_part(at[length - 1], at[length]))
		length++;
	return (struct name_word){at, length};
}

static bool words_equal(struct name_word a, struct name_word b)
{
	return a.length == b.length && strncasecmp(a.text, b.text, a.length) == 0;
}

/* Whether the name has the word before `end`, which is a place in it, or NULL: anywhere. */
static bool name_has_word(const char *name, const char *end, struct name_word word)
{
	struct name_word each = next_word(name);

	while (each.text && each.text != end) {
		if (words_equal(each, word))
			return true;
		each = next_word(each.text + each.length);
	}
	return false;
}

size_t names_likeness(const char *a, const char *b)
{
	static const struct name_word nothing = {"kernel", 6};
	size_t likeness = 0;

	if (strnlen(a, LIKENESS_NAME_MOST + 1) > LIKENESS_NAME_MOST ||
		strnlen(b, LIKENESS_NAME_MOST + 1) > LIKENESS_NAME_MOST)
		return 0;
	for (struct name_word word = next_word(a); word.text; word = next_word(word.text + word.length)) {
		if (!words_equal(word, nothing) && !name_has_word(a, word.text, word) && name_has_word(b, NULL, word))
			likeness += word.length;
	}
	return likeness;
}
