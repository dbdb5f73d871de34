/* code-lines.h: what two sides of a contrast ran, as lines that can stand side by side; and what one program ran. */
#ifndef DBPROF_MODEL_FAMILY_PROGRAMS_CODE_LINES_H
#define DBPROF_MODEL_FAMILY_PROGRAMS_CODE_LINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "store/rowset.h"

struct model;

struct code_line {
	int64_t number; /* in the file, from 1; of an instruction its offset */
	char *text;     /* owned */
	char *key;      /* what is compared; owned, or `text` itself */
	bool is_hot;    /* samples were taken there */
};

/* Begins as {0}; code_lines_free() ends it. */
struct code_lines {
	struct code_line *line;
	size_t n, room;
	bool is_cut;      /* there are more */
	const char *file; /* of source lines; borrowed from the rows */
};

/* The rows of DBPROF_INSTRUCTION of a side of a case, in order. */
struct rows code_rows(const struct model *model, const char *family, const char *variant, const char *label);

/* The first instructions, as many as two sides can be compared by. None of a redacted recording. */
void machine_lines(const struct model *model, const struct rows *rows, struct code_lines *out);

/* The source lines that instructions come from, and those near them, of the file that most instructions come from. No
 * line where the recording lacks its text. */
void source_lines(const struct model *model, const struct rows *rows, struct code_lines *out);

/* An instruction without what compilers choose anew at each change: numbers of registers, predicates and labels, and
 * marks for reading a register again. For free(). */
char *instruction_key(const char *text);

void code_lines_free(struct code_lines *lines);

#endif
