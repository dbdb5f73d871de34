/* model-fixture.h: a made-up recording, and the model built from it. Include after <cmocka.h>. */
#ifndef DBPROF_TESTS_MODEL_FIXTURE_H
#define DBPROF_TESTS_MODEL_FIXTURE_H

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "near.h"
#include "recording-scenarios.h"
#include "recording-script.h"
#include "report/report.h"
#include "scratch.h"

/* Starts a recording in the scratch folder. */
static inline struct recording *fixture_begin(const char *name)
{
	struct error err = {""};
	struct recording *rec = recording_create(in_scratch(name), SCRIPT_EPOCH_NS, &err);

	assert_string_equal(err.text, "");
	return rec;
}

/* Writes rows, up to a NULL. */
static inline void fixture_lines(struct recording *rec, const char *const *lines)
{
	struct error err = {""};

	for (; *lines; lines++) {
		script_line(rec, *lines, &err);
		assert_string_equal(err.text, "");
	}
}

/* One formatted row. */
#define fixture_row(rec, ...)                                                                                          \
	do {                                                                                                           \
		struct error fixture_err = {""};                                                                       \
		script_row(rec, &fixture_err, __VA_ARGS__);                                                            \
		assert_string_equal(fixture_err.text, "");                                                             \
	} while (0)

static inline void fixture_end(struct recording *rec)
{
	struct error err = {""};

	recording_finish(rec, &err);
	assert_string_equal(err.text, "");
}

/* The model of recordings in the scratch folder; fails the test if there is none. */
static inline json_t *fixture_model(const char *name)
{
	const char *file = in_scratch(name);
	const struct report_options options = {.files = &file, .nfiles = 1, .version = "1.2.3"};
	enum report_status status;
	struct error err = {""};
	json_t *tree = model_build(&options, &status, &err);

	assert_string_equal(err.text, "");
	assert_int_equal(status, REPORT_DONE);
	assert_non_null(tree);
	return tree;
}

/* The model of a built-in scenario. */
static inline json_t *fixture_scenario(const char *name)
{
	struct recording *rec = fixture_begin("scenario.sqlite");
	struct error err = {""};

	for (const struct scenario *s = scenarios; s->name; s++) {
		if (strcmp(s->name, name) == 0)
			s->fill(rec, &err);
	}
	assert_string_equal(err.text, "");
	fixture_end(rec);
	return fixture_model("scenario.sqlite");
}

/* The value at a path such as "families.0.contrasts.1.verdict" in the first recording; fails if it is not there. */
static inline const json_t *at(const json_t *tree, const char *path)
{
	const json_t *value = json_array_get(json_object_get(tree, "recordings"), 0);
	char copy[256], *rest = copy, *word;

	snprintf(copy, sizeof copy, "%s", path);
	while ((word = strsep(&rest, ".")) != NULL) {
		value = json_is_array(value) ? json_array_get(value, strtoul(word, NULL, 10))
					     : json_object_get(value, word);
		if (!value)
			fail_msg("%s: there is no '%s'", path, word);
	}
	return value;
}

#define assert_text(tree, path, want) assert_string_equal(json_string_value(at(tree, path)), want)
#define assert_integer(tree, path, want)                                                                               \
	do {                                                                                                           \
		assert_true(json_is_integer(at(tree, path)));                                                          \
		assert_int_equal(json_integer_value(at(tree, path)), want);                                            \
	} while (0)
#define assert_number(tree, path, want)                                                                                \
	assert_near(json_number_value(at(tree, path)), want, 1e-9 * fabs((double)(want)))
#define assert_null_at(tree, path) assert_true(json_is_null(at(tree, path)))
#define assert_true_at(tree, path) assert_true(json_is_true(at(tree, path)))
#define assert_false_at(tree, path) assert_true(json_is_false(at(tree, path)))
#define assert_size(tree, path, want) assert_int_equal(json_array_size(at(tree, path)), want)

#endif
