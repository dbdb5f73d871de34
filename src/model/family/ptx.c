/* ptx.c: the PTX of a variant's kernel, with its instructions counted by kind. */
#include "model/family/ptx.h"

#include <stdlib.h>
#include <string.h>

#include "analyze/analyze.h"
#include "model/family/source.h"
#include "model/recording.h"
#include "model/rows-json.h"
#include "store/rowset.h"
#include "store/store.h"
#include "tree/json.h"
#include "util/alloc.h"

/* "compute_90" and "sm_90a" are 90. */
static long ptx_arch_number(const char *arch)
{
	const char *digits = arch ? strpbrk(arch, "0123456789") : NULL;

	return digits ? strtol(digits, NULL, 10) : 0;
}

/* Finds the kernel in the PTX of the newest architecture that has it, with its row in *at. PTX that cannot be read goes
 * into the diagnostics. */
static bool find_entry(
	const struct model *model, const struct rows *rows, const char *symbol, struct ptx_entry *entry, size_t *at)
{
	long best = -1;

	for (size_t i = 0; i < rows->count; i++) {
		const char *text = row_text(rows, i, PTX_text);
		long arch = ptx_arch_number(row_text(rows, i, PTX_arch));
		struct ptx_entry found;
		struct error err = {0};
		int got;

		if (!text || arch <= best)
			continue;
		got = source_ptx(text, strlen(text), symbol, &found, &err);
		if (got < 0)
			model_note_error(model, "code-unreadable", &err);
		if (got <= 0)
			continue;
		ptx_entry_free(entry);
		*entry = found;
		*at = i;
		best = arch;
	}
	return best >= 0;
}

/* Counts by kind, zeros too, so that variants compare; *total is their sum. */
static json_t *ptx_counts_json(const struct ptx_entry *entry, json_int_t *total)
{
	json_int_t counts[PTX_KINDS] = {0};
	json_t *list = json_array();

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

		put_json(count, "kind", json_string(ptx_kind_name((enum ptx_kind)k)));
		put_json(count, "count", json_integer(counts[k]));
		append_json(list, count);
	}
	return list;
}

/* How threads share values, and wait for each other: what the families are about. */
static bool ptx_is_sharing(int kind)
{
	return kind == PTX_LOAD_SHARED || kind == PTX_STORE_SHARED || kind == PTX_SHUFFLE || kind == PTX_BARRIER;
}

/* [line, kind] of the lines of the text, counted from 0, that share. */
static json_t *ptx_marks_json(const char *text)
{
	json_t *list = json_array();

	for (json_int_t number = 0; *text != '\0'; number++) {
		size_t length = strcspn(text, "\n");
		char *line = xstrndup(text, length);
		int kind = ptx_classify(line);

		if (ptx_is_sharing(kind))
			append_json(list, json_pack("[I, s]", number, ptx_kind_name((enum ptx_kind)kind)));
		free(line);
		text += length;
		text += *text == '\n';
	}
	return list;
}

json_t *ptx_json(const struct model *model, const char *file, const char *symbol)
{
	const char *const key[] = {file};
	struct rows rows = rows_find(&model->table[TABLE_PTX], 1, key);
	struct ptx_entry entry = {0};
	json_int_t total;
	json_t *object;
	size_t at = 0;

	if (!find_entry(model, &rows, symbol, &entry, &at))
		return json_null();
	object = json_object();
	put_json(object, "arch", row_json(&rows, at, PTX_arch));
	put_json(object, "text", text_json(entry.text));
	put_json(object, "marks", ptx_marks_json(entry.text));
	put_json(object, "counts", ptx_counts_json(&entry, &total));
	put_json(object, "total", json_integer(total));
	ptx_entry_free(&entry);
	return object;
}

int ptx_barriers(const struct model *model, const char *file, const char *symbol)
{
	const char *const key[] = {file};
	struct rows rows = rows_find(&model->table[TABLE_PTX], 1, key);
	struct ptx_entry entry = {0};
	size_t at = 0;
	int count = 0;

	if (!find_entry(model, &rows, symbol, &entry, &at))
		return 0;
	for (int i = 0; i < entry.ninstructions; i++)
		count += ptx_classify(entry.instructions[i]) == PTX_BARRIER;
	ptx_entry_free(&entry);
	return count;
}
