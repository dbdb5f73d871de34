/* code-lines.c: see code-lines.h. */
#include "model/family/programs/code-lines.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/thresholds.h"
#include "model/recording.h"
#include "store/store.h"
#include "util/alloc.h"
#include "util/number.h"

enum {
	COMPARED_MOST = 4096, /* instructions of a side: comparing takes as many steps as the product of both */
	NEAR_LINES = 3        /* source lines that stay beside one that instructions come from */
};

struct rows code_rows(const struct model *model, const char *family, const char *variant, const char *label)
{
	const char *const key[] = {family, variant, label};

	return rows_find(&model->table[TABLE_INSTRUCTION], 3, key);
}

static struct code_line *add_code_line(struct code_lines *out, int64_t number)
{
	xgrow(&out->line, out->n, &out->room, sizeof(*out->line));
	out->line[out->n] = (struct code_line){.number = number};
	return &out->line[out->n++];
}

void code_lines_free(struct code_lines *lines)
{
	for (size_t i = 0; i < lines->n; i++) {
		if (lines->line[i].key != lines->line[i].text)
			free(lines->line[i].key);
		free(lines->line[i].text);
	}
	free(lines->line);
	*lines = (struct code_lines){0};
}

/* ---- instructions ---- */

static bool is_part_of_word(char c)
{
	return isalnum((unsigned char)c) || c == '_' || c == '.';
}

/* The length of "R12", "UR4", "P0", "UP1" or "B3" at `text`, and that of its letters; 0 if there is no register. */
static size_t register_length(const char *text, size_t *letters)
{
	size_t digits;

	*letters = text[0] == 'U' ? 1 : 0;
	if (!strchr("RPB", text[*letters]) || text[*letters] == '\0')
		return 0;
	(*letters)++;
	digits = strspn(text + *letters, "0123456789");
	if (digits == 0 || isalnum((unsigned char)text[*letters + digits]) || text[*letters + digits] == '_')
		return 0;
	return *letters + digits;
}

char *instruction_key(const char *text)
{
	static const char again[] = ".reuse", jump[] = "`(";
	char *key = xmalloc(strlen(text) + 1), *to = key;

	for (const char *from = text; *from != '\0';) {
		size_t letters,
			length = from == text || !is_part_of_word(from[-1]) ? register_length(from, &letters) : 0;

		if (length > 0) {
			memcpy(to, from, letters);
			to += letters;
			from += length;
		} else if (strncmp(from, again, strlen(again)) == 0) {
			from += strlen(again);
		} else if (strncmp(from, jump, strlen(jump)) == 0) {
			memcpy(to, jump, strlen(jump));
			to += strlen(jump);
			from += strcspn(from, ")");
		} else {
			*to++ = *from++;
		}
	}
	*to = '\0';
	return key;
}

static void put_instruction(struct code_lines *out, const struct rows *rows, size_t i)
{
	struct code_line *line = add_code_line(out, row_int(rows, i, INSTRUCTION_offset));
	const char *label = row_text(rows, i, INSTRUCTION_label), *text = row_string(rows, i, INSTRUCTION_text);

	line->text = label ? xasprintf("%s: %s", label, text) : xstrdup(text);
	line->key = instruction_key(text);
}

static int by_code_offset(const void *key, const void *item)
{
	return int64_order(*(const int64_t *)key, ((const struct code_line *)item)->number);
}

/* Marks what was met in so many samples that a list of instructions has it. Offsets grow, so they can be searched. */
static void mark_hot(const struct model *model, const struct rows *rows, struct code_lines *out)
{
	const char *const key[] = {row_string(rows, 0, INSTRUCTION_family), row_string(rows, 0, INSTRUCTION_variant),
		row_string(rows, 0, INSTRUCTION_caseLabel)};
	struct rows stalls = rows_find(&model->table[TABLE_STALL], 3, key);
	double all = 0;

	for (size_t i = 0; i < stalls.count; i++)
		all += (double)row_int(&stalls, i, STALL_samples);
	for (size_t i = 0; i < stalls.count; i++) {
		int64_t offset = row_int(&stalls, i, STALL_offset);
		struct code_line *line =
			out->n ? bsearch(&offset, out->line, out->n, sizeof(*line), by_code_offset) : NULL;

		if (line && (double)row_int(&stalls, i, STALL_samples) >= hot_share * all)
			line->is_hot = true;
	}
}

void machine_lines(const struct model *model, const struct rows *rows, struct code_lines *out)
{
	out->is_cut = rows->count > COMPARED_MOST;
	for (size_t i = 0; i < rows->count && i < COMPARED_MOST; i++)
		if (!row_null(rows, i, INSTRUCTION_text))
			put_instruction(out, rows, i);
	if (out->n > 0)
		mark_hot(model, rows, out);
}

/* ---- source lines ---- */

static size_t instructions_of_file(const struct rows *rows, const char *file)
{
	size_t n = 0;

	for (size_t i = 0; i < rows->count; i++)
		n += strcmp(row_string(rows, i, INSTRUCTION_file), file) == 0;
	return n;
}

/* The file that most instructions come from. A kernel has few: each is counted where it differs from the last. */
static const char *commonest_file(const struct rows *rows)
{
	enum { FILES_TRIED = 16 };
	const char *best = NULL, *last = "";
	size_t most = 0;
	int tried = 0;

	for (size_t i = 0; i < rows->count && tried < FILES_TRIED; i++) {
		const char *file = row_string(rows, i, INSTRUCTION_file);
		size_t n;

		if (*file == '\0' || strcmp(file, last) == 0)
			continue;
		n = instructions_of_file(rows, file);
		tried++;
		last = file;
		if (n > most) {
			most = n;
			best = file;
		}
	}
	return best;
}

static size_t lines_of_text(const char *text)
{
	size_t n = *text != '\0';

	for (; (text = strchr(text, '\n')) && text[1] != '\0'; text++)
		n++;
	return n;
}

/* By number of line: whether it is near one that instructions come from. For free(). */
static bool *lines_in_use(const struct rows *rows, const char *file, size_t nlines)
{
	bool *used = xcalloc(nlines + 1, sizeof(*used));

	for (size_t i = 0; i < rows->count; i++) {
		int64_t line = row_int(rows, i, INSTRUCTION_line);

		if (line < 1 || line > (int64_t)nlines || strcmp(row_string(rows, i, INSTRUCTION_file), file) != 0)
			continue;
		for (int64_t near = line - NEAR_LINES; near <= line + NEAR_LINES; near++)
			if (near >= 1 && near <= (int64_t)nlines)
				used[near] = true;
	}
	return used;
}

void source_lines(const struct model *model, const struct rows *rows, struct code_lines *out)
{
	const char *file = commonest_file(rows), *text = file ? model_source_text(model, file) : NULL;
	size_t nlines = text ? lines_of_text(text) : 0;
	bool *used = text ? lines_in_use(rows, file, nlines) : NULL;

	out->file = file;
	for (size_t number = 1; number <= nlines; number++) {
		size_t length = strcspn(text, "\n");

		if (used[number] && out->n < COMPARED_MOST) {
			struct code_line *line = add_code_line(out, (int64_t)number);

			line->text = line->key = xstrndup(text, length);
		} else if (used[number]) {
			out->is_cut = true;
		}
		text += length + (text[length] == '\n');
	}
	free(used);
}
