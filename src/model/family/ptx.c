/* ptx.c: the PTX of a variant's kernel, with its instructions counted by kind. */
#include "model/family/ptx.h"

#include <stdlib.h>
#include <string.h>

#include "model/family/source.h"
#include "model/recording.h"
#include "model/rows-json.h"
#include "store/rowset.h"
#include "store/store.h"
#include "tree/json.h"

/* "compute_90" and "sm_90a" are 90. */
static long ptx_arch_number(const char *arch)
{
	const char *digits = arch ? strpbrk(arch, "0123456789") : NULL;

	return digits ? strtol(digits, NULL, 10) : 0;
}

/* Finds the kernel in the PTX of the newest architecture that has it: 1 found, with its row in *at; 0 not there. */
static int find_entry(
	const struct model *model, const struct rows *rows, const char *symbol, struct ptx_entry *entry, size_t *at)
{
	long best = -1;
	int result = 0;

	for (size_t i = 0; i < rows->count; i++) {
		const char *text = row_text(rows, i, PTX_text);
		long arch = ptx_arch_number(row_text(rows, i, PTX_arch));
		struct ptx_entry found;
		struct error err = {0};
		int got;

		if (!text || arch <= best)
			continue;
		got = source_ptx(text, strlen(text), symbol, &found, &err);
		if (got < 0 && (error_is_of_system(&err) || model_note(model, err.text) < 0))
			result = -1;
		if (got <= 0)
			continue;
		ptx_entry_free(entry);
		*entry = found;
		*at = i;
		best = arch;
	}
	if (result < 0)
		ptx_entry_free(entry);
	return result < 0 ? -1 : best >= 0;
}

/* Counts by kind, zeros too, so that variants compare; *total is their sum. */
static json_t *ptx_counts_json(const struct ptx_entry *entry, json_int_t *total)
{
	json_int_t counts[PTX_KINDS] = {0};
	json_t *list = json_array();
	int bad = 0;

	*total = 0;
	for (int i = 0; i < entry->ninstructions; i++) {
		int kind = ptx_classify(entry->instructions[i]);

		if (kind < 0)
			continue;
		counts[kind]++;
		++*total;
	}
	for (int k = 0; k < PTX_KINDS; k++) {
		json_t *count = json_object();
		int wrong = put_json(count, "kind", json_string(ptx_kind_name((enum ptx_kind)k)));

		wrong |= put_json(count, "count", json_integer(counts[k]));
		bad |= append_json(list, built_json(count, wrong));
	}
	return built_json(list, bad);
}

json_t *ptx_json(const struct model *model, const char *file, const char *symbol)
{
	const char *const key[] = {file};
	struct rows rows = rows_find(&model->table[TABLE_PTX], 1, key);
	struct ptx_entry entry = {0};
	json_int_t total;
	json_t *object;
	size_t at = 0;
	int found = find_entry(model, &rows, symbol, &entry, &at);
	int bad = 0;

	if (found <= 0)
		return found < 0 ? NULL : json_null();
	object = json_object();
	bad |= put_json(object, "arch", row_json(&rows, at, PTX_arch));
	bad |= put_json(object, "text", text_json(entry.text));
	bad |= put_json(object, "counts", ptx_counts_json(&entry, &total));
	bad |= put_json(object, "total", json_integer(total));
	ptx_entry_free(&entry);
	return built_json(object, bad);
}

int ptx_barriers(const struct model *model, const char *file, const char *symbol, int *count)
{
	const char *const key[] = {file};
	struct rows rows = rows_find(&model->table[TABLE_PTX], 1, key);
	struct ptx_entry entry = {0};
	size_t at = 0;
	int found = find_entry(model, &rows, symbol, &entry, &at);

	*count = 0;
	for (int i = 0; found > 0 && i < entry.ninstructions; i++)
		*count += ptx_classify(entry.instructions[i]) == PTX_BARRIER;
	if (found > 0)
		ptx_entry_free(&entry);
	return found < 0 ? -1 : 0;
}
