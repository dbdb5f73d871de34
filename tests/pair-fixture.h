/* pair-fixture.h: the family of family-fixture.h with what the passes that measure why give for its single and double.
 */
#ifndef DBPROF_TESTS_PAIR_FIXTURE_H
#define DBPROF_TESTS_PAIR_FIXTURE_H

#include "family-fixture.h"

#include "report/figure.h"
#include "report/tree.h"

/* Puts `value`, whose reference it takes, under `key` of the role's headline case. */
static void put_pair(json_t *family, const char *role, const char *key, json_t *value)
{
	const json_t *measured = tree_headline_case(family, tree_role(family, role));

	assert_non_null(measured);
	assert_int_equal(json_object_set_new((json_t *)measured, key, value), 0);
}

/* A model with that one family; takes its reference. */
static json_t *model_with(json_t *family)
{
	json_t *model = model_of("", recording_json);
	json_t *recording = json_array_get(json_object_get(model, "recordings"), 0);

	assert_int_equal(json_array_append_new(json_object_get(recording, "families"), family), 0);
	return model;
}

/* Text of the block number `index` in a figure's data, for free(). */
__attribute__((unused)) static char *figure_data_block(const char *data, int index)
{
	const char *end;

	for (; index > 0; index--) {
		data = strstr(data, "\n\n\n");
		assert_non_null(data);
		data += strspn(data, "\n");
	}
	end = strstr(data, "\n\n\n");
	return end ? strndup(data, (size_t)(end - data)) : strdup(data);
}

__attribute__((unused)) static const struct figure *find_figure(const struct figures *figures, const char *name)
{
	for (size_t i = 0; i < figures->n; i++) {
		if (strcmp(figures->list[i].name, name) == 0)
			return &figures->list[i];
	}
	return NULL;
}

#endif
