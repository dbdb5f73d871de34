/* code.h: the source code of variants. */
#ifndef DBPROF_MODEL_FAMILY_CODE_H
#define DBPROF_MODEL_FAMILY_CODE_H

#include <jansson.h>
#include <stdint.h>

struct model;

/* A variant's code out of the family's file; JSON null if it is not there. */
json_t *code_json(const struct model *model, const char *file, const char *variant);

/* A variant's code: the file that it stands in, and the variant's name. Borrowed. */
struct code_place {
	const char *file, *variant;
};

/* The codes of two variants line by line side by side; JSON null unless there are both. */
json_t *code_pair_json(const struct model *model, struct code_place single, struct code_place dbl);

/* A line of a file in the recording, without white space at its ends; JSON null if it is not there. */
json_t *code_line_json(const struct model *model, const char *file, int64_t line);

/* The number of the first line of a variant's code that holds `text`; 0 if there is none. */
int code_line_with(const struct model *model, const char *file, const char *variant, const char *text);

#endif
