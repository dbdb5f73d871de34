/* unit-families.c: the table of families keeps the contract of kernels/variant.h: names, pairs, cases, marked code. */
#include <ctype.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "record/embedded.h"
#include "record/phase-stamps.h"
#include "report/source.h"
#include "variant.h"

static const struct variant *find(const struct family *family, const char *name)
{
	for (int i = 0; i < family->nvariants; i++)
		if (strcmp(family->variants[i].name, name) == 0)
			return &family->variants[i];
	return NULL;
}

static void assert_name(const char *name)
{
	assert_non_null(name);
	assert_true(*name != '\0');
	for (const char *c = name; *c != '\0'; c++)
		if (!islower((unsigned char)*c) && !isdigit((unsigned char)*c) && *c != '-')
			fail_msg("'%s' has another character than a to z, 0 to 9 and -", name);
}

static void names_are_plain_and_unique(void **state)
{
	(void)state;
	for (int f = 0; f < families_count; f++) {
		assert_name(families[f]->name);
		for (int g = 0; g < f; g++)
			assert_string_not_equal(families[f]->name, families[g]->name);
		for (int v = 0; v < families[f]->nvariants; v++) {
			assert_name(families[f]->variants[v].name);
			assert_ptr_equal(find(families[f], families[f]->variants[v].name), &families[f]->variants[v]);
		}
	}
}

static void pairs_are_two_candidates(void **state)
{
	(void)state;
	for (int f = 0; f < families_count; f++) {
		const struct variant *single = find(families[f], families[f]->single);
		const struct variant *dbl = find(families[f], families[f]->double_);

		assert_non_null(single);
		assert_non_null(dbl);
		assert_ptr_not_equal(single, dbl);
		assert_int_equal(single->kind, VARIANT_CANDIDATE);
		assert_int_equal(dbl->kind, VARIANT_CANDIDATE);
		assert_false(single->teaches_failure || dbl->teaches_failure);
		assert_true(single->buffers <= dbl->buffers);
	}
}

static void assert_legal(const struct family *family, const struct size_case *size)
{
	for (int p = 0; p < family->nparams; p++) {
		const struct param *param = &family->params[p];
		const int64_t *allowed = param->allowed;

		if (size->value[p] < param->min || size->value[p] > param->max)
			fail_msg("%s, case %s: %s is outside its limits", family->name, size->label, param->name);
		while (allowed != NULL && *allowed != 0 && *allowed != size->value[p])
			allowed++;
		if (allowed != NULL && *allowed == 0)
			fail_msg("%s, case %s: %s is not allowed", family->name, size->label, param->name);
	}
}

static void cases_are_legal_and_one_is_ragged(void **state)
{
	(void)state;
	for (int f = 0; f < families_count; f++) {
		int verify_only = 0;

		assert_false(families[f]->cases[0].verify_only);
		for (int c = 0; c < families[f]->ncases; c++) {
			assert_name(families[f]->cases[c].label);
			assert_legal(families[f], &families[f]->cases[c]);
			verify_only += families[f]->cases[c].verify_only;
		}
		assert_true(verify_only > 0);
	}
}

static const struct embedded_file *source_of(const char *name)
{
	for (int i = 0; i < embedded_files_count; i++)
		if (embedded_files[i].arch[0] == '\0' && strcmp(embedded_files[i].name, name) == 0)
			return &embedded_files[i];
	return NULL;
}

static void all_code_is_marked(void **state)
{
	(void)state;
	for (int f = 0; f < families_count; f++) {
		const struct embedded_file *file = source_of(families[f]->file);

		assert_non_null(file);
		for (int v = 0; v < families[f]->nvariants; v++) {
			struct error err = {""};
			struct source_code code;

			if (source_variant(file->text, file->size, families[f]->variants[v].name, &code, &err) != 1)
				fail_msg("%s/%s has no code between marks %s", families[f]->name,
					families[f]->variants[v].name, err.text);
			source_code_free(&code);
		}
	}
}

/* What the phases pass runs needs a plan, and a plan is of no use without. */
static void plans_of_phases_are_whole(void **state)
{
	int planned = 0;

	(void)state;
	for (int f = 0; f < families_count; f++) {
		for (int v = 0; v < families[f]->nvariants; v++) {
			const struct variant *variant = &families[f]->variants[v];

			if ((variant->phases != NULL) != (variant->launch_phases != NULL) ||
				(variant->phases != NULL && variant->config == NULL) ||
				(variant->phases != NULL && !phase_plan_valid(variant->phases)))
				fail_msg(
					"%s/%s: the plan of its phases is not whole", families[f]->name, variant->name);
			planned += variant->phases != NULL;
		}
	}
	assert_true(planned > 15);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_are_plain_and_unique),
		cmocka_unit_test(pairs_are_two_candidates),
		cmocka_unit_test(cases_are_legal_and_one_is_ragged),
		cmocka_unit_test(all_code_is_marked),
		cmocka_unit_test(plans_of_phases_are_whole),
	};

	return cmocka_run_group_tests_name("families", tests, NULL, NULL);
}
