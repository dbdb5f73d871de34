/* mustache-parse.h: a template as the list of its parts; between mustache-parse.c and mustache.c only. */
#ifndef DBPROF_PAGE_MUSTACHE_PARSE_H
#define DBPROF_PAGE_MUSTACHE_PARSE_H

#include <stddef.h>

#include "util/error.h"

enum part_type { PART_TEXT, PART_VALUE, PART_RAW, PART_SECTION, PART_INVERTED, PART_END, PART_PARTIAL };

/* Points into the template's text. */
struct part {
	enum part_type type;
	int line;   /* of its tag, from 1 */
	char *text; /* of PART_TEXT: `size` bytes; else the name, each step of it ending in NUL */
	size_t size;
	int steps;          /* of a name: "a.b" has 2, "." has 0 */
	size_t end;         /* of a section: the index of its PART_END */
	const char *indent; /* of PART_PARTIAL: the white space before its tag, if it stands alone on its line */
	size_t indent_size;
};

struct template
{
	struct template *next; /* for the owner's list */
	char *name, *indent;
	char *text;
	struct part *parts;
	size_t nparts;
};

/* Parses `text`, as which each line that is not empty is to begin with `indent`. NULL with `err` if it breaks the rules
 * ("name:line: ..."). */
struct template *template_parse(
	const char *name, const char *text, const char *indent, size_t indent_size, struct error *err);

void template_free(struct template *t); /* NULL is allowed */

#endif
