/* nearest.c: see nearest.h. */
#include "config.h"

#include "util/text/nearest.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { PART_LEAST = 3 }; /* letters of a name that make it a part of others */

static size_t least(size_t a, size_t b)
{
	return a < b ? a : b;
}

/* Letters to insert, remove or replace (Levenshtein); both names are shorter than NEAREST_NAME. */
static size_t distance_between(const char *a, const char *b)
{
	size_t row[NEAREST_NAME], n = strlen(b);

	for (size_t j = 0; j <= n; j++)
		row[j] = j;
	for (size_t i = 0; a[i] != '\0'; i++) {
		size_t corner = row[0];

		row[0] = i + 1;
		for (size_t j = 0; j < n; j++) {
			size_t replaced = corner + (a[i] != b[j]);

			corner = row[j + 1];
			row[j + 1] = least(replaced, least(row[j], row[j + 1]) + 1);
		}
	}
	return row[n];
}

static bool is_near(const char *wanted, const char *candidate, size_t *distance)
{
	size_t length = strlen(wanted);

	if (length >= NEAREST_NAME || strlen(candidate) >= NEAREST_NAME)
		return false;
	*distance = distance_between(wanted, candidate);
	if (length >= PART_LEAST && strstr(candidate, wanted)) {
		*distance = 1;
		return true;
	}
	return *distance <= 1 + length / 4;
}

void nearest_try(struct nearest *nearest, const char *candidate)
{
	size_t distance;
	int at = nearest->n;

	if (!is_near(nearest->wanted, candidate, &distance))
		return;
	while (at > 0 && nearest->found[at - 1].distance > distance)
		at--;
	if (at == NEAREST_MOST)
		return;
	if (nearest->n < NEAREST_MOST)
		nearest->n++;
	memmove(&nearest->found[at + 1], &nearest->found[at],
		(size_t)(nearest->n - at - 1) * sizeof(nearest->found[0]));
	snprintf(nearest->found[at].name, NEAREST_NAME, "%s", candidate);
	nearest->found[at].distance = distance;
}

const char *nearest_question(const struct nearest *nearest, char *text, size_t size)
{
	size_t used;

	*text = '\0';
	if (nearest->n == 0)
		return text;
	used = (size_t)snprintf(text, size, "did you mean ");
	for (int i = 0; i < nearest->n && used < size; i++) {
		const char *separator = i == 0 ? "" : i + 1 < nearest->n ? ", " : " or ";

		used += (size_t)snprintf(text + used, size - used, "%s%s", separator, nearest->found[i].name);
	}
	if (used < size)
		snprintf(text + used, size - used, "? ");
	return text;
}
