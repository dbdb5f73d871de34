/* mustache-parse.c: see mustache-parse.h. */
#include "page/mustache-parse.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "util/alloc.h"

enum { DELIMITER_SIZE = 32 };

struct parser {
	struct template *t;
	char *at; /* what comes next */
	int line; /* its line */
	char open[DELIMITER_SIZE], close[DELIMITER_SIZE];
	size_t capacity;
	size_t inside; /* the innermost open section plus 1, or 0; that one's `end` holds the next */
	struct error *err;
};

/* A tag as it stands in the text. */
struct tag {
	char *start, *stop;     /* with its delimiters */
	char sigil;             /* 'v' for a plain value */
	char *content, *ending; /* without white space around */
	int line;
};

static bool mustache_parse_is_blank(char c)
{
	return c == ' ' || c == '\t';
}

static bool mustache_parse_is_space(char c)
{
	return mustache_parse_is_blank(c) || c == '\n' || c == '\r' || c == '\f' || c == '\v';
}

static int fail(const struct parser *p, int line, const char *what)
{
	return error_set(p->err, "%s:%d: %s", p->t->name, line, what);
}

static int mustache_parse_count_lines(const char *from, const char *to)
{
	int lines = 0;

	while (from < to && (from = memchr(from, '\n', (size_t)(to - from)))) {
		from++;
		lines++;
	}
	return lines;
}

static struct part *mustache_parse_add_part(struct parser *p, enum part_type type, int line)
{
	struct template *t = p->t;
	struct part *part;

	xgrow(&t->parts, t->nparts, &p->capacity, sizeof(*t->parts));
	part = &t->parts[t->nparts++];
	*part = (struct part){.type = type, .line = line};
	return part;
}

static void mustache_parse_add_text(struct parser *p, char *from, const char *to)
{
	struct part *part;

	if (from == to)
		return;
	part = mustache_parse_add_part(p, PART_TEXT, p->line);
	part->text = from;
	part->size = (size_t)(to - from);
}

/* Reads the tag that starts at `start`. */
static int read_tag(const struct parser *p, char *start, struct tag *tag)
{
	char closing[DELIMITER_SIZE + 1];
	char *c = start + strlen(p->open), *stop;

	while (mustache_parse_is_space(*c))
		c++;
	*tag = (struct tag){.start = start, .sigil = 'v', .line = p->line + mustache_parse_count_lines(p->at, start)};
	if (*c != '\0' && strchr("#^/>&!{=", *c))
		tag->sigil = *c++;
	snprintf(closing, sizeof(closing), "%s%s", tag->sigil == '{' ? "}" : tag->sigil == '=' ? "=" : "", p->close);
	stop = strstr(c, closing);
	if (!stop)
		return error_set(p->err, "%s:%d: the tag is not closed: %s is missing", p->t->name, tag->line, closing);
	tag->stop = stop + strlen(closing);
	while (c < stop && mustache_parse_is_space(*c))
		c++;
	while (stop > c && mustache_parse_is_space(stop[-1]))
		stop--;
	tag->content = c;
	tag->ending = stop;
	return 0;
}

/* Ends the name in place (what follows it belongs to the tag), after checking that it is one. */
static int end_name(const struct parser *p, const struct tag *tag)
{
	const char *c;

	for (c = tag->content; c < tag->ending; c++)
		if (mustache_parse_is_space(*c))
			return error_set(p->err, "%s:%d: '%.*s' is no name: it has white space in it", p->t->name,
				tag->line, (int)(tag->ending - tag->content), tag->content);
	if (tag->content == tag->ending)
		return fail(p, tag->line, "a tag has no name");
	*tag->ending = '\0';
	return 0;
}

static int set_delimiters(struct parser *p, const struct tag *tag)
{
	const char *open = tag->content, *c = open, *close;
	size_t open_size, close_size;

	while (c < tag->ending && !mustache_parse_is_space(*c))
		c++;
	open_size = (size_t)(c - open);
	while (c < tag->ending && mustache_parse_is_space(*c))
		c++;
	close = c;
	while (c < tag->ending && !mustache_parse_is_space(*c))
		c++;
	close_size = (size_t)(c - close);
	if (open_size == 0 || close_size == 0 || c != tag->ending)
		return fail(p, tag->line, "new delimiters must be two, with white space between them");
	if (open_size >= DELIMITER_SIZE || close_size >= DELIMITER_SIZE)
		return fail(p, tag->line, "a delimiter is too long");
	if (memchr(open, '=', (size_t)(tag->ending - open)))
		return fail(p, tag->line, "a delimiter must not have '=' in it");
	memcpy(p->open, open, open_size);
	p->open[open_size] = '\0';
	memcpy(p->close, close, close_size);
	p->close[close_size] = '\0';
	return 0;
}

static int close_section(struct parser *p, const struct tag *tag)
{
	struct part *section, *part = mustache_parse_add_part(p, PART_END, tag->line);
	size_t index;

	part->text = tag->content;
	if (p->inside == 0)
		return error_set(
			p->err, "%s:%d: {{/%s}} closes a section that is not open", p->t->name, tag->line, part->text);
	index = p->inside - 1;
	section = &p->t->parts[index];
	if (strcmp(section->text, part->text) != 0)
		return error_set(p->err, "%s:%d: {{/%s}} stands where {{/%s}} must, to close the section of line %d",
			p->t->name, tag->line, part->text, section->text, section->line);
	p->inside = section->end;
	section->end = p->t->nparts - 1;
	return 0;
}

static int mustache_parse_type_of(char sigil)
{
	switch (sigil) {
	case '{':
	case '&':
		return PART_RAW;
	case '#':
		return PART_SECTION;
	case '^':
		return PART_INVERTED;
	case '>':
		return PART_PARTIAL;
	default:
		return PART_VALUE;
	}
}

static int add_tag(struct parser *p, const struct tag *tag, const char *indent)
{
	struct part *part;

	if (tag->sigil == '!')
		return 0;
	if (tag->sigil == '=')
		return set_delimiters(p, tag);
	if (end_name(p, tag))
		return -1;
	if (tag->sigil == '/')
		return close_section(p, tag);
	part = mustache_parse_add_part(p, (enum part_type)mustache_parse_type_of(tag->sigil), tag->line);
	part->text = tag->content;
	part->indent = indent;
	part->indent_size = indent ? (size_t)(tag->start - indent) : 0;
	if (tag->sigil == '#' || tag->sigil == '^') {
		part->end = p->inside;
		p->inside = p->t->nparts;
	}
	return 0;
}

/* A tag that is no value and has its line for itself takes the line with it. True if it has: *from and *to are then the
 * start of its line and of the next. */
static bool stands_alone(const struct parser *p, const struct tag *tag, char **from, char **to)
{
	char *line = tag->start, *next = tag->stop;

	if (strchr("v&{", tag->sigil))
		return false;
	while (line > p->t->text && mustache_parse_is_blank(line[-1]))
		line--;
	if (line > p->t->text && line[-1] != '\n')
		return false;
	while (mustache_parse_is_blank(*next))
		next++;
	if (next[0] == '\r' && next[1] == '\n')
		next++;
	if (*next != '\0' && *next != '\n')
		return false;
	*from = line;
	*to = *next == '\0' ? next : next + 1;
	return true;
}

static int mustache_parse_parse(struct parser *p)
{
	char *start;

	while ((start = strstr(p->at, p->open))) {
		struct tag tag;
		char *from, *to;
		bool alone;

		if (read_tag(p, start, &tag))
			return -1;
		from = tag.start;
		to = tag.stop;
		alone = stands_alone(p, &tag, &from, &to);
		mustache_parse_add_text(p, p->at, from);
		p->line = tag.line + mustache_parse_count_lines(tag.start, to);
		p->at = to;
		if (add_tag(p, &tag, alone ? from : NULL))
			return -1;
	}
	if (p->inside != 0) {
		const struct part *section = &p->t->parts[p->inside - 1];

		return error_set(p->err, "%s:%d: the section {{%c%s}} is never closed", p->t->name, section->line,
			section->type == PART_SECTION ? '#' : '^', section->text);
	}
	mustache_parse_add_text(p, p->at, p->at + strlen(p->at));
	return 0;
}

/* Cuts the names at their dots. Not before the end of parsing, which compares them. */
static void split_names(struct template *t)
{
	for (size_t i = 0; i < t->nparts; i++) {
		struct part *part = &t->parts[i];
		char *dot = part->text;

		if (part->type == PART_TEXT || part->type == PART_PARTIAL || strcmp(dot, ".") == 0)
			continue;
		for (part->steps = 1; (dot = strchr(dot, '.')); part->steps++)
			*dot++ = '\0';
	}
}

/* A copy of `text` whose lines begin with `indent`. */
static char *indented(const char *text, const char *indent, size_t indent_size)
{
	size_t lines = 1 + (size_t)mustache_parse_count_lines(text, text + strlen(text));
	char *copy = xmalloc(strlen(text) + lines * indent_size + 1), *to = copy;

	while (*text != '\0') {
		const char *newline = strchr(text, '\n');
		size_t size = newline ? (size_t)(newline - text) + 1 : strlen(text);

		if (*text != '\n' && *text != '\r') {
			memcpy(to, indent, indent_size);
			to += indent_size;
		}
		memcpy(to, text, size);
		to += size;
		text += size;
	}
	*to = '\0';
	return copy;
}

struct template *template_parse(
	const char *name, const char *text, const char *indent, size_t indent_size, struct error *err)
{
	struct parser p = {.line = 1, .open = "{{", .close = "}}", .err = err};
	struct template *t = xcalloc(1, sizeof(*t));

	t->name = xstrdup(name);
	t->indent = xstrndup(indent, indent_size);
	t->text = indented(text, indent, indent_size);
	p.t = t;
	p.at = t->text;
	if (mustache_parse_parse(&p) == 0) {
		split_names(t);
		return t;
	}
	template_free(t);
	return NULL;
}

void template_free(struct template *t)
{
	if (!t)
		return;
	free(t->name);
	free(t->indent);
	free(t->text);
	free(t->parts);
	free(t);
}
