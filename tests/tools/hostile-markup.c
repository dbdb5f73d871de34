/*
 * hostile-markup.c: a strict reader of the pages and figures of a report, which knows nothing of how they are made.
 * usage: hostile-markup --learn FILE...         the kinds of things in files that are as they should be, to stdout
 *        hostile-markup --check KINDS FILE...   what FILE has that is of no kind in KINDS, or is not well-formed
 *
 * A kind is an element, an attribute of an element, the scheme of a link, or the text of a style sheet or script (which
 * a page has of its own, never from a file). Names end in .svg for XML, else a file is HTML. Status 1 if anything is
 * wrong, with a line for each.
 */
#include <ctype.h>
#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DEPTH = 200, NAME = 64, MAX_FAULTS = 20 };

struct reader {
	const char *path, *text, *at;
	bool xml;
	char open[DEPTH][NAME];
	int depth;
	json_t *ids, *links; /* id: true; what "#..." refers to */
};

static json_t *kinds; /* that were learnt, or are allowed */
static bool learning;
static int faults;

static void fault(const struct reader *r, const char *what, const char *detail)
{
	size_t line = 1;

	for (const char *c = r->text; c < r->at; c++)
		line += *c == '\n';
	if (faults++ < MAX_FAULTS)
		printf("%s:%zu: %s: %.100s\n", r->path, line, what, detail);
}

static void kind(const struct reader *r, const char *text)
{
	if (learning)
		json_object_set_new(kinds, text, json_true());
	else if (!json_object_get(kinds, text))
		fault(r, "of no kind that a report has", text);
}

static void kind_of(const struct reader *r, const char *a, const char *b)
{
	char text[3 * NAME];

	snprintf(text, sizeof text, "%s %s", a, b);
	kind(r, text);
}

/* ---- characters ---- */

static bool is_name(char c)
{
	return isalnum((unsigned char)c) || c == '-' || c == ':' || c == '_';
}

static void skip_space(struct reader *r)
{
	r->at += strspn(r->at, " \t\r\n");
}

static void read_name(struct reader *r, char *name)
{
	size_t size = 0;

	while (is_name(*r->at)) {
		if (size < NAME - 1)
			name[size++] = *r->at;
		r->at++;
	}
	name[size] = '\0';
}

/* What follows '&' has to be a reference that both HTML and XML know. */
static void reference(struct reader *r)
{
	static const char *const named[] = {"amp;", "lt;", "gt;", "quot;"};
	const char *at = r->at + 1;

	for (size_t i = 0; i < sizeof named / sizeof *named; i++)
		if (strncmp(at, named[i], strlen(named[i])) == 0)
			return;
	if (!r->xml && (strncmp(at, "nbsp;", 5) == 0 || strncmp(at, "times;", 6) == 0))
		return;
	if (*at == '#') {
		at += 1 + (at[1] == 'x');
		if (isxdigit((unsigned char)*at) && at[strspn(at, "0123456789abcdefABCDEF")] == ';')
			return;
	}
	fault(r, "a '&' that begins no reference", r->at);
}

static void character(struct reader *r)
{
	unsigned char c = (unsigned char)*r->at;

	if (c == '&')
		reference(r);
	else if ((c < ' ' && c != '\t' && c != '\n' && c != '\r') || c == 0x7f)
		fault(r, "a control character", "");
	else if (c == 0xE2 && (strncmp(r->at, "\xE2\x80\xAE", 3) == 0 || strncmp(r->at, "\xE2\x81\xA6", 3) == 0))
		fault(r, "text that is set from right to left", "");
}

/* ---- attributes ---- */

/* How a link begins; a style must not load or unfold anything. In a figure each attribute may be a style, but data-t
 * and the like are text. */
static void check_value(struct reader *r, const char *element, const char *name, const char *value)
{
	if (strncasecmp(name, "on", 2) == 0)
		fault(r, "an attribute that is a script", name);
	if (strcmp(name, "id") == 0) {
		if (json_object_get(r->ids, value))
			fault(r, "an id that stands twice", value);
		json_object_set_new(r->ids, value, json_true());
	}
	if (strcmp(name, "href") == 0 || strcmp(name, "src") == 0 || strcmp(name, "xlink:href") == 0) {
		char scheme[NAME];

		if (*value == '#') {
			json_object_set_new(r->links, value + 1, json_true());
			return;
		}
		/* A report's own files are fixed; of the rest the whole link is the kind. */
		snprintf(scheme, sizeof scheme, "%.40s", value);
		kind_of(r, element, scheme);
	}
	if (strcmp(name, "style") == 0 && strpbrk(value, "{}<>\\") != NULL)
		fault(r, "a style with more than a style in it", value);
	for (const char *url = strstr(value, "url("); url; url = strstr(url + 1, "url("))
		if (url[4] != '#' && strncmp(url + 4, "&quot;#", 7) != 0 && strncmp(url + 4, "'#", 2) != 0 &&
			(strcmp(name, "style") == 0 || (r->xml && strncmp(name, "data-", 5) != 0)))
			fault(r, "a style that loads something", value);
}

static void attribute(struct reader *r, const char *element)
{
	char name[NAME], *value;
	const char *start;

	read_name(r, name);
	if (*name == '\0') {
		fault(r, "no attribute where there must be one", r->at);
		r->at++;
		return;
	}
	kind_of(r, element, name);
	if (*r->at != '=')
		return;
	r->at++;
	if (*r->at != '"') {
		fault(r, "a value without quotes", r->at);
		return;
	}
	for (start = ++r->at; *r->at != '"' && *r->at != '\0'; r->at++) {
		if (*r->at == '<')
			fault(r, "a '<' in a value", r->at);
		character(r);
	}
	value = strndup(start, (size_t)(r->at - start));
	check_value(r, element, name, value);
	free(value);
	r->at += *r->at == '"';
}

/* ---- elements ---- */

static bool is_void(const char *name)
{
	static const char *const names[] = {"meta", "link", "br", "hr", "img", "input", "col", "wbr"};

	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (strcmp(name, names[i]) == 0)
			return true;
	return false;
}

/* Text that a browser does not read as markup, up to the end tag. Data must be JSON without a '<'; anything else has to
 * be the page's own. */
static void raw_text(struct reader *r, const char *name, bool data)
{
	char end[NAME + 2], *text;
	const char *found;

	snprintf(end, sizeof end, "</%.60s", name);
	found = strcasestr(r->at, end);
	if (!found) {
		fault(r, "raw text that does not end", name);
		found = r->at + strlen(r->at);
	}
	text = strndup(r->at, (size_t)(found - r->at));
	if (data) {
		json_error_t error;
		json_t *value = json_loads(text, JSON_DECODE_ANY, &error);

		if (!value || strchr(text, '<'))
			fault(r, "data that is no JSON, or could end its element", value ? "" : error.text);
		json_decref(value);
	} else if (!r->xml) {
		kind(r, text);
	} else if (strstr(text, "url(http") || strstr(text, "@import")) {
		fault(r, "a style that loads something", text);
	}
	free(text);
	r->at = found;
}

static void end_tag(struct reader *r)
{
	char name[NAME];

	r->at += 2;
	read_name(r, name);
	skip_space(r);
	if (r->depth == 0 || strcmp(r->open[r->depth - 1], name) != 0)
		fault(r, "an end tag of what is not open", name);
	else
		r->depth--;
	if (*r->at != '>')
		fault(r, "an end tag with more in it", r->at);
	else
		r->at++;
}

static void start_tag(struct reader *r)
{
	char name[NAME];
	const char *tag = r->at;
	bool data, empty;

	r->at++;
	read_name(r, name);
	kind(r, name);
	skip_space(r);
	while (*r->at != '>' && *r->at != '/' && *r->at != '\0') {
		attribute(r, name);
		skip_space(r);
	}
	data = memmem(tag, (size_t)(r->at - tag), "application/json", 16) != NULL;
	empty = *r->at == '/';
	r->at += empty;
	if (*r->at != '>')
		fault(r, "a tag that does not end", tag);
	else
		r->at++;
	if (empty || (!r->xml && is_void(name)))
		return;
	if (r->depth == DEPTH) {
		fault(r, "too deep", name);
		return;
	}
	strcpy(r->open[r->depth++], name);
	if (strcmp(name, "script") == 0 || strcmp(name, "style") == 0)
		raw_text(r, name, data);
}

static void markup(struct reader *r)
{
	if (r->at[1] == '/')
		end_tag(r);
	else if (isalpha((unsigned char)r->at[1]))
		start_tag(r);
	else if ((strncasecmp(r->at, "<!doctype html>", 15) == 0 && r->at == r->text) ||
		 (r->xml && strncmp(r->at, "<?xml ", 6) == 0 && r->at == r->text))
		r->at = strchr(r->at, '>') + 1;
	else {
		fault(r, "a '<' that begins no tag", r->at);
		r->at++;
	}
}

/* ---- files ---- */

static char *contents(const char *path)
{
	FILE *file = fopen(path, "rb");
	char *text = NULL;
	long size;

	if (file && fseek(file, 0, SEEK_END) == 0 && (size = ftell(file)) >= 0 && fseek(file, 0, SEEK_SET) == 0 &&
		(text = calloc((size_t)size + 1, 1)) && fread(text, 1, (size_t)size, file) == (size_t)size &&
		strlen(text) == (size_t)size) {
		fclose(file);
		return text;
	}
	fprintf(stderr, "hostile-markup: %s cannot be read, or has a NUL in it\n", path);
	exit(1);
}

static void check_links(const struct reader *r)
{
	const char *id;
	json_t *link;

	json_object_foreach(r->links, id, link)
	{
		if (!json_object_get(r->ids, id))
			fault(r, "a link to what is not there", id);
	}
}

static void read_file(const char *path)
{
	size_t length = strlen(path);
	char *text = contents(path);
	struct reader r = {.path = path,
		.text = text,
		.at = text,
		.xml = length > 4 && strcmp(path + length - 4, ".svg") == 0,
		.ids = json_object(),
		.links = json_object()};
	json_t *valid = json_stringn(text, strlen(text));

	if (!valid)
		fault(&r, "no valid UTF-8", "");
	while (*r.at != '\0') {
		if (*r.at == '<') {
			markup(&r);
		} else {
			character(&r);
			r.at++;
		}
	}
	if (r.depth > 0)
		fault(&r, "an element that does not end", r.open[r.depth - 1]);
	check_links(&r);
	json_decref(valid);
	json_decref(r.ids);
	json_decref(r.links);
	free(text);
}

int main(int argc, char **argv)
{
	learning = argc > 2 && strcmp(argv[1], "--learn") == 0;
	if (!learning && (argc < 4 || strcmp(argv[1], "--check") != 0)) {
		fputs("usage: hostile-markup --learn FILE... | --check KINDS FILE...\n", stderr);
		return 2;
	}
	kinds = learning ? json_object() : json_load_file(argv[2], 0, NULL);
	if (!kinds) {
		fprintf(stderr, "hostile-markup: %s is not there\n", argv[2]);
		return 2;
	}
	for (int i = learning ? 2 : 3; i < argc; i++)
		read_file(argv[i]);
	if (learning)
		json_dumpf(kinds, stdout, JSON_INDENT(0) | JSON_SORT_KEYS);
	json_decref(kinds);
	return faults > 0;
}
