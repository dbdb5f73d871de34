/* source-ptx.c: one kernel of a PTX text; see source.h. */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "model/family/source.h"
#include "util/alloc.h"
#include "util/utf8.h"

static bool source_ptx_is_space(char c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static bool is_symbol(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '$' ||
	       c == '%';
}

/* Whether the word starts at `at` and ends there. */
static bool is_word(const char *at, const char *word)
{
	return strncmp(at, word, strlen(word)) == 0 && !is_symbol(at[strlen(word)]);
}

/* ---- comments ---- */

/* Overwrites comments by blanks, so that the lines stay; what is between double quotes is none. */
static void blank_comments(char *text)
{
	bool quoted = false;

	while (*text != '\0') {
		char *end;

		if (*text == '"')
			quoted = !quoted;
		if (*text == '\n')
			quoted = false;
		if (quoted || text[0] != '/' || (text[1] != '/' && text[1] != '*')) {
			text++;
			continue;
		}
		end = text[1] == '/' ? strchr(text, '\n') : strstr(text + 2, "*/");
		if (!end)
			end = text + strlen(text);
		else if (text[1] == '*')
			end += 2;
		for (; text < end; text++)
			if (*text != '\n')
				*text = ' ';
	}
}

/* ---- finding the kernel ---- */

/* After the brace that closes the one at `open`, or NULL. */
static char *block_end(char *open)
{
	int depth = 0;

	for (char *c = open; *c != '\0'; c++) {
		depth += (*c == '{') - (*c == '}');
		if (depth == 0)
			return c + 1;
	}
	return NULL;
}

/* Finds the definition of the kernel: 1 with its first line at *start, its body's brace at *body and what follows it at
 * *end; 0 if it is not there; -1 if it does not end. */
static int find_kernel(char *text, const char *symbol, char **start, char **body, char **end)
{
	static const char entry[] = ".entry";

	for (char *at = strstr(text, entry); at; at = strstr(at, entry)) {
		char *line = at;

		at += strlen(entry);
		while (source_ptx_is_space(*at))
			at++;
		if (!is_word(at, symbol))
			continue;
		*body = at + strcspn(at, "{;");
		if (**body == ';')
			continue; /* only declared */
		while (line > text && line[-1] != '\n')
			line--;
		*start = line;
		*end = **body == '{' ? block_end(*body) : NULL;
		return *end ? 1 : -1;
	}
	return 0;
}

/* ---- its text ---- */

static bool is_for_debuggers(const char *line)
{
	return is_word(line, ".loc") || is_word(line, ".file") || is_word(line, ".section");
}

/* Copies what stands between `from` and `to` but for blank lines and directives for debuggers. For free(). */
static char *copy_lines(const char *from, const char *to)
{
	char *copy = xmalloc((size_t)(to - from) + 2), *out = copy;

	while (from < to) {
		const char *newline = memchr(from, '\n', (size_t)(to - from)), *line = from;
		const char *end = newline ? newline : to;

		from = newline ? newline + 1 : to;
		for (; end > line && source_ptx_is_space(end[-1]); end--)
			;
		if (end == line || is_for_debuggers(line + strspn(line, " \t")))
			continue;
		memcpy(out, line, (size_t)(end - line));
		out += end - line;
		*out++ = '\n';
	}
	*out = '\0';
	return copy;
}

/* ---- its statements ---- */

struct statements {
	struct ptx_entry *entry;
	size_t room;
	char *text; /* the statement being read, as long as the body at most */
	size_t used;
};

static void add_statement(struct statements *s)
{
	struct ptx_entry *entry = s->entry;

	if (s->used == 0 || s->text[0] == '.')
		return; /* empty, or a directive such as .reg */
	xgrow(&entry->instructions, (size_t)entry->ninstructions, &s->room, sizeof(*entry->instructions));
	entry->instructions[entry->ninstructions++] = xstrndup(s->text, s->used);
}

/* One blank for all white space, none in front. */
static void add_character(struct statements *s, char c)
{
	if (!source_ptx_is_space(c))
		s->text[s->used++] = c;
	else if (s->used > 0 && s->text[s->used - 1] != ' ')
		s->text[s->used++] = ' ';
}

static bool is_label(const struct statements *s)
{
	for (size_t i = 0; i < s->used; i++)
		if (!is_symbol(s->text[i]))
			return false;
	return s->used > 0;
}

/* `text` has no directives for debuggers, which end without a semicolon. */
static void source_ptx_split(struct statements *s, const char *text)
{
	for (; *text != '\0'; text++) {
		if (*text == ':' && is_label(s)) {
			s->used = 0;
		} else if ((*text == '{' || *text == '}') && s->used == 0) {
			continue; /* a block; in an operand a brace is not the first thing */
		} else if (*text == ';') {
			add_character(s, ';');
			if (s->used > 1)
				add_statement(s);
			s->used = 0;
		} else {
			add_character(s, *text);
		}
	}
}

static void list_statements(struct ptx_entry *entry, const char *body)
{
	struct statements s = {.entry = entry, .text = xmalloc(strlen(body) + 1)};

	source_ptx_split(&s, body);
	free(s.text);
}

/* ---- all of it ---- */

static int source_ptx_cut_out(char *text, const char *symbol, struct ptx_entry *out, struct error *err)
{
	char *start, *body, *end, *plain;
	int rc = find_kernel(text, symbol, &start, &body, &end);

	if (rc < 0)
		return error_set(err, "the PTX of %s does not end", symbol);
	if (rc == 0)
		return 0;
	out->text = copy_lines(start, end);
	plain = copy_lines(body, end);
	list_statements(out, plain);
	free(plain);
	return 1;
}

static int source_ptx_within(
	const char *text, size_t size, const char *symbol, struct ptx_entry *out, struct error *err)
{
	char *clean = utf8_clean(text, size, NULL);
	int rc;

	*out = (struct ptx_entry){0};
	blank_comments(clean);
	rc = source_ptx_cut_out(clean, symbol, out, err);
	free(clean);
	if (rc != 1)
		ptx_entry_free(out);
	return rc;
}

/* A part of a text. */
struct span {
	const char *at;
	size_t size;
};

static struct span span_from(struct span all, const char *at)
{
	return (struct span){at, all.size - (size_t)(at - all.at)};
}

static const char *span_find(struct span span, const char *word)
{
	return memmem(span.at, span.size, word, strlen(word));
}

/* From the line with the first ".entry SYMBOL" to the next ".entry", comments not heeded; size 0: there is none. */
static struct span likely_span(struct span all, const char *symbol)
{
	static const char entry[] = ".entry";
	const size_t length = strlen(symbol);
	const char *next, *line;

	for (const char *at = span_find(all, symbol); at; at = span_find(span_from(all, at + 1), symbol)) {
		for (line = at; line > all.at && source_ptx_is_space(line[-1]); line--)
			;
		if ((size_t)(line - all.at) < strlen(entry) ||
			memcmp(line - strlen(entry), entry, strlen(entry)) != 0 ||
			(at + length < all.at + all.size && is_symbol(at[length])))
			continue;
		for (; line > all.at && line[-1] != '\n'; line--)
			;
		next = span_find(span_from(all, at), entry);
		return (struct span){line, next ? (size_t)(next - line) : span_from(all, line).size};
	}
	return (struct span){all.at, 0};
}

/* A module has megabytes, of which one kernel is wanted at a time: it is looked for where it is likely to be. Comments
 * can hide it there: then all of the module is searched. */
int source_ptx(const char *text, size_t size, const char *symbol, struct ptx_entry *out, struct error *err)
{
	const struct span all = {text, size};
	struct error ignored = {0};

	*out = (struct ptx_entry){0};
	if (*symbol == '\0' || !span_find(all, symbol))
		return 0;
	if (!span_find(all, "/*")) {
		const struct span likely = likely_span(all, symbol);

		if (source_ptx_within(likely.at, likely.size, symbol, out, &ignored) == 1)
			return 1;
	}
	return source_ptx_within(text, size, symbol, out, err);
}

void ptx_entry_free(struct ptx_entry *entry)
{
	for (int i = 0; i < entry->ninstructions; i++)
		free(entry->instructions[i]);
	free(entry->instructions);
	free(entry->text);
	*entry = (struct ptx_entry){0};
}
