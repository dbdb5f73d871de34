/* values.c: see values.h. */
#include "config.h"

#include "cmd/values.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/message.h"

bool cmd_number(const char *option, const char *text, long long min, long long max, long long *out)
{
	char *end;

	errno = 0;
	*out = strtoll(text, &end, 10);
	if (errno == 0 && end != text && *end == '\0' && *out >= min && *out <= max)
		return true;
	cmd_error("--%s takes a whole number from %lld to %lld, not '%s'", option, min, max, text);
	return false;
}

/* "text, json or html" */
static void list_words(const struct cmd_word *words, char *list, size_t size)
{
	size_t used = 0;

	for (const struct cmd_word *word = words; word->name && used < size; word++) {
		const char *separator = word == words ? "" : word[1].name ? ", " : " or ";

		used += (size_t)snprintf(list + used, size - used, "%s%s", separator, word->name);
	}
}

/* The word's number in the table, or -1. */
static int find_word(const struct cmd_word *words, const char *text, size_t length)
{
	for (int i = 0; words[i].name; i++)
		if (strlen(words[i].name) == length && strncmp(words[i].name, text, length) == 0)
			return i;
	return -1;
}

bool cmd_word(const char *option, const char *text, const struct cmd_word *words, int *out)
{
	char list[256] = "";

	*out = find_word(words, text, strlen(text));
	if (*out >= 0)
		return true;
	list_words(words, list, sizeof(list));
	cmd_error("--%s takes %s, not '%s'", option, list, text);
	return false;
}

bool cmd_word_list(const char *option, const char *noun, const char *text, const struct cmd_word *words, unsigned *out)
{
	char list[256] = "";

	for (;; text++) {
		size_t length = strcspn(text, ",");
		int word = find_word(words, text, length);

		if (word < 0) {
			list_words(words, list, sizeof(list));
			cmd_error("--%s: there is no %s '%.*s': use %s, with commas between", option, noun, (int)length,
				text, list);
			return false;
		}
		*out |= 1u << word;
		text += length;
		if (*text == '\0')
			return true;
	}
}

bool cmd_quantity(const char *text, size_t length, const struct cmd_unit *units, int64_t *out)
{
	char copy[64], *end;
	size_t digits = strspn(text, "0123456789.");
	double number;

	if (digits == 0 || digits >= length || digits >= sizeof(copy))
		return false;
	memcpy(copy, text, digits);
	copy[digits] = '\0';
	number = strtod(copy, &end);
	for (; units->name; units++) {
		if (strlen(units->name) != length - digits || strncmp(text + digits, units->name, length - digits) != 0)
			continue;
		number *= units->size;
		*out = number < 9e18 ? (int64_t)llround(number) : 0;
		return *end == '\0' && end != copy && number < 9e18;
	}
	return false;
}

bool cmd_time(const char *text, size_t length, int64_t *out)
{
	static const struct cmd_unit units[] = {
		{"ns", 1}, {"us", 1e3}, {"µs", 1e3}, {"ms", 1e6}, {"s", 1e9}, {"min", 60e9}, {NULL, 0}};

	return cmd_quantity(text, length, units, out);
}
