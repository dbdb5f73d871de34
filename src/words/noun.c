/* noun.c: see noun.h. */
#include "words/noun.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>
#include <strings.h>

#include "tree/tree.h"
#include "util/clip.h"

static bool is_letter(char c)
{
	return isalnum((unsigned char)c) || (c & 0x80);
}

/* Where the word of this length stands in a title, without regard to case; NULL if it does not. */
static const char *noun_find_word(const char *title, const char *word, size_t length)
{
	for (const char *at = title; *at; at++) {
		if ((at == title || !is_letter(at[-1])) && strncasecmp(at, word, length) == 0 && !is_letter(at[length]))
			return at;
	}
	return NULL;
}

static bool is_abbreviation(const char *word, size_t length)
{
	for (size_t i = 0; i < length; i++) {
		if (!isupper((unsigned char)word[i]) && !isdigit((unsigned char)word[i]))
			return false;
	}
	return length > 1;
}

static bool ends_in(const char *word, size_t length, const char *end)
{
	size_t n = strlen(end);

	return length > n && strncmp(word + length - n, end, n) == 0;
}

/* "scan" gives "scans", "copy" "copies", "hash" "hashes"; "tiles" is taken for a plural. */
static void plural(const char *word, size_t length, char *noun)
{
	bool vowel = length > 1 && strchr("aeiou", word[length - 2]);

	if (ends_in(word, length, "y") && !vowel)
		clip_print(noun, NOUN_SIZE, "%.*sies", (int)length - 1, word);
	else if (ends_in(word, length, "ss") || ends_in(word, length, "x") || ends_in(word, length, "ch") ||
		 ends_in(word, length, "sh"))
		clip_print(noun, NOUN_SIZE, "%.*ses", (int)length, word);
	else if (ends_in(word, length, "s"))
		clip_print(noun, NOUN_SIZE, "%.*s", (int)length, word);
	else
		clip_print(noun, NOUN_SIZE, "%.*ss", (int)length, word);
}

/* Whether the part of a name, of this length, makes a noun. */
static bool noun_of_part(const char *part, size_t length, const char *title, char *noun)
{
	const char *at = length > 1 && length < NOUN_SIZE - 4 ? noun_find_word(title, part, length) : NULL;

	if (!at)
		return false;
	if (is_abbreviation(at, length))
		clip_print(noun, NOUN_SIZE, "%.*s", (int)length, at);
	else
		plural(part, length, noun);
	return true;
}

void family_noun(const json_t *family, char *noun)
{
	const char *name = tree_text(family, "name"), *title = tree_text(family, "title"), *part = name;

	if (strcmp(tree_text(family, "bound_by"), "PCIe") == 0) {
		clip_print(noun, NOUN_SIZE, "copies");
		return;
	}
	while (*part) {
		size_t length = strcspn(part, "-");

		if (noun_of_part(part, length, title, noun))
			return;
		part += length;
		part += *part == '-';
	}
	clip_print(noun, NOUN_SIZE, "%s", name);
}
