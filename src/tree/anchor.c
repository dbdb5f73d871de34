/* anchor.c: see anchor.h. */
#include "tree/anchor.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define LETTERS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
#define DIGITS "0123456789"

enum { KEPT = 48 }; /* of a name that cannot be its own anchor */

/* Ids that the page itself has, or that stand for something in another recording. */
static bool is_reserved(const char *name)
{
	static const char *const begins[] = {"def-", "x-", "program-", "pays-", "reference-"};
	static const char *const ids[] = {"program", "tip", "answer", "when", "reference", "contents", "pays", "main"};

	for (size_t i = 0; i < sizeof(begins) / sizeof(begins[0]); i++)
		if (strncmp(name, begins[i], strlen(begins[i])) == 0)
			return true;
	for (size_t i = 0; i < sizeof(ids) / sizeof(ids[0]); i++)
		if (strcmp(name, ids[i]) == 0)
			return true;
	return name[0] == 'r' && strspn(name + 1, DIGITS) > 0 && name[1 + strspn(name + 1, DIGITS)] == '-';
}

static bool anchor_is_plain(const char *name)
{
	size_t length = strlen(name);

	return length > 0 && length < ANCHOR_SIZE && strspn(name, LETTERS) > 0 &&
	       strspn(name, LETTERS DIGITS "-_/") == length && !strstr(name, "__") && !strstr(name, "--") &&
	       strchr(LETTERS DIGITS, name[length - 1]) && !is_reserved(name);
}

/* FNV-1a. */
static uint64_t anchor_hash(const char *text)
{
	uint64_t h = UINT64_C(0xcbf29ce484222325);

	for (; *text; text++)
		h = (h ^ (unsigned char)*text) * UINT64_C(0x100000001b3);
	return h;
}

char *anchor_of(const char *name, char *anchor)
{
	if (anchor_is_plain(name)) {
		snprintf(anchor, ANCHOR_SIZE, "%s", name);
		return anchor;
	}
	snprintf(anchor, ANCHOR_SIZE, "x-%.*s", KEPT, name);
	for (char *c = anchor; *c; c++)
		if (!strchr(LETTERS DIGITS "_", *c))
			*c = '-';
	snprintf(anchor + strlen(anchor), ANCHOR_SIZE - strlen(anchor), "-%016" PRIx64, anchor_hash(name));
	return anchor;
}
