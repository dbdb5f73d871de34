/* forms.c: see forms.h. */
#include "contrast/kernel/forms.h"

#include <stdlib.h>
#include <string.h>

#include "util/alloc.h"
#include "util/hash.h"

static uint32_t *forms_slot(const struct forms *forms, const struct launch_form *form)
{
	size_t slot = (size_t)hash_bytes(0, form, sizeof(*form));

	for (;; slot++) {
		uint32_t *place = &forms->slots[slot & (forms->nslots - 1)];

		if (!*place || memcmp(&forms->form[*place - 1], form, sizeof(*form)) == 0)
			return place;
	}
}

/* The table is at most half full. */
static void forms_grow(struct forms *forms)
{
	free(forms->slots);
	forms->nslots = forms->nslots ? forms->nslots * 2 : 64;
	forms->slots = xcalloc(forms->nslots, sizeof(*forms->slots));
	for (size_t i = 0; i < forms->n; i++)
		*forms_slot(forms, &forms->form[i]) = (uint32_t)i + 1;
}

uint32_t forms_place(struct forms *forms, const struct launch_form *form)
{
	uint32_t *slot;

	if (forms->n * 2 >= forms->nslots)
		forms_grow(forms);
	slot = forms_slot(forms, form);
	if (!*slot) {
		xgrow(&forms->form, forms->n, &forms->room, sizeof(*forms->form));
		forms->form[forms->n++] = *form;
		*slot = (uint32_t)forms->n;
	}
	return *slot - 1;
}

struct launch_form form_identity(const struct launch_form *form, bool by_function)
{
	struct launch_form identity = {{0}};

	identity.field[FORM_BASE] = form->field[FORM_BASE];
	if (by_function) {
		identity.field[FORM_NAME] = form->field[FORM_NAME];
		identity.field[FORM_SYMBOL] = form->field[FORM_SYMBOL];
	}
	for (int i = FORM_GRID; i <= FORM_GRAPH; i++)
		identity.field[i] = form->field[i];
	return identity;
}

void forms_free(struct forms *forms)
{
	free(forms->form);
	free(forms->slots);
}
