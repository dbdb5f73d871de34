/* source.h: cuts a variant's code out of a .cu text, and a kernel out of a PTX text. */
#ifndef DBPROF_MODEL_FAMILY_SOURCE_H
#define DBPROF_MODEL_FAMILY_SOURCE_H

#include <stddef.h>

#include "util/error.h"

/* Lines of code. */
struct source_code {
	char *text; /* valid UTF-8; lines end with '\n' */
	int *line;  /* each line's number in the file, from 1; 0 for the line that stands for a gap */
	int nlines;
	int first_line; /* line[0] */
};

/*
 * The lines between `// begin NAME` and `// end NAME`, as they are but for white space at their ends. Lines that mark
 * another variant's code are left out. Between two regions stands a line with an ellipsis, if there is code between
 * them. Returns 1; 0 if the text has no such region, or an empty one; -1 if a region is opened twice, closed unopened
 * or never closed; *out is zeroed but for 1. Free with source_code_free().
 */
int source_variant(const char *text, size_t size, const char *name, struct source_code *out, struct error *err);

/* One kernel of a PTX text. */
struct ptx_entry {
	char *text;          /* valid UTF-8; without comments, blank lines and directives for debuggers */
	char **instructions; /* one statement each, joined where it takes several lines; for ptx_classify() */
	int ninstructions;
};

/*
 * Finds the .entry whose symbol is `symbol` (mangled). Returns 1; 0 if it is not there; -1 if it does not end; *out is
 * zeroed but for 1. Free with ptx_entry_free().
 */
int source_ptx(const char *text, size_t size, const char *symbol, struct ptx_entry *out, struct error *err);

void source_code_free(struct source_code *code); /* both zero the struct */
void ptx_entry_free(struct ptx_entry *entry);

#endif
