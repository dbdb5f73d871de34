/* forms.h: each distinct combination of a kernel's names, shape, resources and machine code once. */
#ifndef DBPROF_CONTRAST_KERNEL_FORMS_H
#define DBPROF_CONTRAST_KERNEL_FORMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum form_field {
	FORM_BASE, /* numbers of texts (store/texts.h) */
	FORM_NAME,
	FORM_SYMBOL, /* mangled name; 0 if unknown */
	FORM_GRID,
	FORM_BLOCK = FORM_GRID + 3,
	FORM_GRAPH = FORM_BLOCK + 3, /* 1: a graph that was traced as a whole */
	FORM_REGISTERS,
	FORM_STATIC_SHARED,
	FORM_DYNAMIC_SHARED,
	FORM_LOCAL,
	FORM_CLUSTER,                        /* blocks, 1 without clusters */
	FORM_LAUNCH_TYPE = FORM_CLUSTER + 3, /* RESOURCE_UNKNOWN as of the resources */
	FORM_CODE,                           /* hash of its machine code; 0 if unknown */
	FORM_CODES,                          /* enum codes_known */
	FORM_FIELDS
};

struct launch_form {
	int64_t field[FORM_FIELDS];
};

/* Begins as {0}; forms_free() ends it. */
struct forms {
	struct launch_form *form; /* by place */
	size_t n, room;
	uint32_t *slots; /* by hash: a place plus one; 0: free */
	size_t nslots;
};

/* The place of a form, which gets one if it has none. */
uint32_t forms_place(struct forms *forms, const struct launch_form *form);

/* The form with what tells kernels of a run apart, and 0 elsewhere: base name, grid, block, and `by_function` its full
 * names, too. */
struct launch_form form_identity(const struct launch_form *form, bool by_function);

void forms_free(struct forms *forms);

#endif
