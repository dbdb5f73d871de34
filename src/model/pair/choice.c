/* choice.c: see choice.h. */
#include "model/pair/choice.h"

#include <string.h>

#include "store/rowset.h"

/* Whether the next component of `*at` is `name`: up to a '/' or, if it is the last that there can be, to the end. NULL
 * is like any, and so is nothing left. Moves *at behind it. */
static bool component_is(const char **at, const char *name, bool last)
{
	size_t length = last ? strlen(*at) : strcspn(*at, "/");
	bool same = !**at || !name || (strlen(name) == length && memcmp(*at, name, length) == 0);

	*at += length;
	*at += **at == '/';
	return same;
}

static bool choice_names(const char *choice, const char *family, const char *variant, const char *label)
{
	return component_is(&choice, family, false) && component_is(&choice, variant, false) &&
	       component_is(&choice, label, true);
}

bool pair_chosen(const struct pair_options *options, const char *family, const char *variant, const char *label)
{
	for (int i = 0; i < options->nonly; i++) {
		if (choice_names(options->only[i], family, variant, label))
			return true;
	}
	return options->nonly == 0;
}

/* Whether a choice names a family, a variant or a case of the recording. */
static bool names_any(const struct model *model, const char *choice)
{
	struct rows variants = rows_all(&model->table[TABLE_VARIANT]);

	for (size_t v = 0; v < variants.count; v++) {
		const char *family = row_string(&variants, v, VARIANT_family);
		const char *variant = row_string(&variants, v, VARIANT_name);
		struct rows cases = rows_find(&model->table[TABLE_CASE], 1, &family);

		for (size_t i = 0; i < cases.count; i++) {
			if (choice_names(choice, family, variant, row_string(&cases, i, CASE_label)))
				return true;
		}
	}
	return false;
}

int check_choice(const struct comparing *in)
{
	bool named = !in->options->redact;

	for (int i = 0; i < in->options->nonly; i++) {
		const char *choice = in->options->only[i];

		if (!*choice || (!names_any(&in->side[SIDE_BASE], choice) && !names_any(&in->side[SIDE_NEW], choice)))
			return error_set(in->err,
				"neither recording has %s%s%s: give FAMILY, FAMILY/VARIANT or FAMILY/VARIANT/CASE as "
				"they stand in the comparison of everything",
				named ? "'" : "", named ? choice : "one of the names", named ? "'" : "");
	}
	return 0;
}
