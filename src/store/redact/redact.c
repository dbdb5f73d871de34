/* redact.c: see redact.h. */
#include "store/redact/redact.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "store/intern.h"
#include "util/alloc.h"
#include "util/hash.h"

#define LEFT_OUT "left out, since the report is redacted"

struct redaction {
	struct intern *known; /* what dbprof itself calls things */
	struct intern *made;  /* what was handed out */
	char **families;      /* dbprof's own, ended by NULL; owned */
	bool of_families;     /* the recording has families: ranges are called after them */
};

static const char *redact_keep(struct intern *texts, const char *text)
{
	bool is_new;
	uint32_t id = intern_id(texts, text, &is_new);

	if (id == 0)
		out_of_memory();
	return intern_text(texts, id);
}

/* ---- what dbprof itself calls things ---- */

static bool is_own_family(const struct redaction *redaction, const char *name)
{
	for (char *const *family = redaction->families; name && *family; family++)
		if (strcmp(*family, name) == 0)
			return true;
	return false;
}

static bool owns(const struct redaction *redaction, enum table_id table, const char *family)
{
	return table == TABLE_METRIC ? family && redact_knows_set(family) : is_own_family(redaction, family);
}

void redaction_learn(struct redaction *redaction, enum table_id table, const char *owner, const char *text)
{
	redaction->of_families = redaction->of_families || table == TABLE_FAMILY;
	if (text && owns(redaction, table, owner))
		redact_keep(redaction->known, text);
}

static char **copy_list(const char *const *list)
{
	size_t n = 0;
	char **copy;

	while (list[n])
		n++;
	copy = xcalloc(n + 1, sizeof(*copy));
	for (size_t i = 0; i < n; i++)
		copy[i] = xstrdup(list[i]);
	return copy;
}

struct redaction *redaction_new(const char *const *own)
{
	struct redaction *redaction = xcalloc(1, sizeof(*redaction));

	redaction->known = intern_new(SIZE_MAX);
	redaction->made = intern_new(SIZE_MAX);
	redaction->families = copy_list(own);
	if (!redaction->known || !redaction->made)
		out_of_memory();
	return redaction;
}

void redaction_free(struct redaction *redaction)
{
	if (!redaction)
		return;
	intern_free(redaction->known);
	intern_free(redaction->made);
	for (char **family = redaction->families; *family; family++)
		free(*family);
	free(redaction->families);
	free(redaction);
}

/* ---- what is handed out ---- */

/* "kernel-1a2b3c4d". */
static void print_hash(const char *prefix, const char *text, char *out, size_t size)
{
	uint64_t hash = hash_bytes(0, text, strlen(text));

	snprintf(out, size, "%s-%08" PRIx32, prefix, (uint32_t)(hash ^ hash >> 32));
}

static const char *hashed(struct redaction *redaction, const char *prefix, const char *text)
{
	char name[64];

	print_hash(prefix, text, name, sizeof(name));
	return redact_keep(redaction->made, name);
}

static const char *named(struct redaction *redaction, const char *prefix, const char *text)
{
	return intern_has(redaction->known, text) || redact_knows_word(text) ? redact_keep(redaction->made, text)
									     : hashed(redaction, prefix, text);
}

/* The last of the names of which a mangled one is made, each behind its length; its bytes in *length. NULL for a text
 * that is not mangled. */
static const char *name_in_symbol(const char *symbol, size_t *length)
{
	const char *at = symbol + 2, *name = NULL;

	if (strncmp(symbol, "_Z", 2) != 0)
		return NULL;
	at += *at == 'N';
	while (*at >= '1' && *at <= '9') {
		char *begin;
		unsigned long bytes = strtoul(at, &begin, 10);

		if (bytes > strlen(begin))
			return NULL;
		name = begin;
		*length = bytes;
		at = begin + bytes;
	}
	return name;
}

/* A kernel by any of its names. The mangled one has the hash of the plain one in it, where a linker looks for it, so
 * that both are still seen to be of one kernel. */
static const char *redacted_kernel(struct redaction *redaction, const char *prefix, const char *text)
{
	size_t length;
	const char *name = name_in_symbol(text, &length), *plain, *kept;
	char *copy, *symbol;

	if (!name)
		return hashed(redaction, prefix, text);
	copy = xstrndup(name, length);
	plain = hashed(redaction, prefix, copy);
	symbol = xasprintf("_Z%zu%s%s", strlen(plain), plain, strchr(hashed(redaction, "", text), '-'));
	kept = redact_keep(redaction->made, symbol);
	free(copy);
	free(symbol);
	return kept;
}

/* "FAMILY/VARIANT" of a range around iterations: both parts as their columns have them. */
static const char *variant_range(struct redaction *redaction, const char *text, const char *slash)
{
	char *family = xstrndup(text, (size_t)(slash - text));
	char *both = xasprintf("%s/%s", named(redaction, "family", family), named(redaction, "variant", slash + 1));
	const char *kept = redact_keep(redaction->made, both);

	free(family);
	free(both);
	return kept;
}

/* "PASS LABEL N" of an iteration; NULL if the text is something else. */
static const char *iteration_range(struct redaction *redaction, const char *text)
{
	const char *first = strchr(text, ' '), *last = strrchr(text, ' '), *kept = NULL;
	char *pass, *label, *whole;

	if (!first || first == last || last[1] == '\0' || last[1 + strspn(last + 1, "0123456789")] != '\0')
		return NULL;
	pass = xstrndup(text, (size_t)(first - text));
	label = xstrndup(first + 1, (size_t)(last - first - 1));
	whole = xasprintf("%s %s%s", pass, named(redaction, "case", label), last);
	if (redact_knows_word(pass))
		kept = redact_keep(redaction->made, whole);
	free(pass);
	free(label);
	free(whole);
	return kept;
}

static const char *redacted_range(struct redaction *redaction, const char *text)
{
	const char *slash = strchr(text, '/'), *iteration = NULL;

	if (redaction->of_families && slash && slash > text && slash[1])
		return variant_range(redaction, text, slash);
	if (redaction->of_families)
		iteration = iteration_range(redaction, text);
	if (iteration)
		return iteration;
	return redact_knows_word(text) ? redact_keep(redaction->made, text) : named(redaction, "range", text);
}

/* By a rule that looks at nothing but the text. */
static const char *by_rule(struct redaction *redaction, struct redact_rule rule, const char *text)
{
	bool kept;

	switch (rule.kind) {
	case REDACT_NAME:
		return named(redaction, rule.prefix, text);
	case REDACT_KERNEL:
		return redacted_kernel(redaction, rule.prefix, text);
	case REDACT_SAID:
		return LEFT_OUT;
	case REDACT_RANGE:
		return redacted_range(redaction, text);
	case REDACT_DROP:
		return NULL;
	default:
		kept = rule.kind == REDACT_WORD ? redact_knows_word(text) : redact_has_form(rule.kind, text);
		if (kept)
			return redact_keep(redaction->made, text);
		return rule.prefix ? hashed(redaction, rule.prefix, text) : NULL;
	}
}

bool redact_looks_at_row(enum table_id table, int column)
{
	enum redact_kind kind = redact_rule_of(table, column).kind;

	return kind == REDACT_OWN || kind == REDACT_REASON || kind == REDACT_TITLE;
}

const char *redact_text(struct redaction *redaction, const struct redact_cell *cell)
{
	struct redact_rule rule = redact_rule_of(cell->table, cell->column);

	if (!redact_looks_at_row(cell->table, cell->column))
		return by_rule(redaction, rule, cell->text);
	if (owns(redaction, cell->table, cell->owner))
		return redact_keep(redaction->made, cell->text);
	if (rule.kind == REDACT_REASON)
		return LEFT_OUT;
	return rule.kind == REDACT_TITLE ? cell->name : NULL;
}

const char *redact_meta(struct redaction *redaction, const char *key, const char *value)
{
	return by_rule(redaction, redact_rule_of_meta(key), value);
}

void redact_file_name(const char *name, char *out, size_t size)
{
	print_hash("recording", name, out, size);
}

const char *redact_file(struct redaction *redaction, const char *name)
{
	return hashed(redaction, "recording", name);
}
