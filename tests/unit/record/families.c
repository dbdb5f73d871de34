/* families.c: the table of families keeps the contract of kernels/variant.h: names, pairs, sweeps, marked code. */
#include <ctype.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "families.h"
#include "fixtures/families-fixture.h"
#include "model/family/source.h"
#include "record/code/embedded.h"
#include "record/pass/phase-stamps.h"
#include "variant.h"

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

/* A word more than a reader can hold makes a sentence fail. */
static void assert_short_sentences(const struct family *family, const char *text)
{
	enum { WORDS_MOST = 25 };
	const char *start = text;
	int words = 0;

	for (const char *c = text; *c != '\0'; c++) {
		bool word_ends = c[1] == ' ' || c[1] == '\0';

		words += word_ends;
		if (!word_ends || !strchr(".?!", *c))
			continue;
		if (words > WORDS_MOST)
			fail_msg("%s: %d words, %d are enough: %.*s", family->name, words, WORDS_MOST,
				(int)(c - start + 1), start);
		start = c + 1;
		words = 0;
	}
}

static void sentences_are_short(void **state)
{
	(void)state;
	for (int f = 0; f < families_count; f++) {
		assert_short_sentences(families[f], families[f]->question);
		assert_short_sentences(families[f], families[f]->teaches);
		for (int s = 0; s < families[f]->nsweeps; s++)
			assert_short_sentences(families[f], families[f]->sweeps[s].question);
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
		assert_false(single->on_demand || dbl->on_demand); /* --all is about the pair */
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
			assert_null(families[f]->cases[c].sweep);
		}
		assert_true(verify_only > 0);
	}
}

/* ---- sweeps ---- */

static bool candidate(const struct family *family, const char *name)
{
	const struct variant *variant = name == NULL ? NULL : find(family, name);

	return variant != NULL && variant->kind == VARIANT_CANDIDATE && !variant->teaches_failure;
}

static void assert_axis(const struct family *family, const struct sweep *sweep, const struct axis *axis)
{
	assert_in_range(axis->param, 0, family->nparams - 1);
	assert_in_range(axis->n, 2, AXIS_MAX_VALUES);
	for (int i = 1; i < axis->n; i++)
		if (axis->value[i] <= axis->value[i - 1])
			fail_msg("%s, sweep %s: the values of %s do not rise", family->name, sweep->name,
				family->params[axis->param].name);
}

static void sweeps_are_whole(void **state)
{
	(void)state;
	for (int f = 0; f < families_count; f++) {
		for (int i = 0; i < families[f]->nsweeps; i++) {
			const struct sweep *sweep = &families[f]->sweeps[i];

			assert_name(sweep->name);
			assert_non_null(sweep->title);
			assert_int_equal(sweep->question[strlen(sweep->question) - 1], '?');
			assert_in_range(sweep->naxes, 1, SWEEP_MAX_AXES);
			for (int axis = 0; axis < sweep->naxes; axis++)
				assert_axis(families[f], sweep, &sweep->axis[axis]);
			if (sweep->naxes == 2)
				assert_int_not_equal(sweep->axis[0].param, sweep->axis[1].param);
			assert_in_range(sweep->base, 0, families[f]->ncases - 1);
			assert_false(families[f]->cases[sweep->base].verify_only);
			assert_true(each_point(families[f], sweep, assert_legal) >= 2);
		}
	}
}

/* Labels of points are made of the sweep's name: it must not be that of a case, nor begin one. */
static void names_of_sweeps_are_unique(void **state)
{
	(void)state;
	for (int f = 0; f < families_count; f++) {
		for (int i = 0; i < families[f]->nsweeps; i++) {
			const char *name = families[f]->sweeps[i].name;

			for (int c = 0; c < families[f]->ncases; c++)
				if (strncmp(families[f]->cases[c].label, name, strlen(name)) == 0)
					fail_msg("%s: case %s begins like the sweep %s", families[f]->name,
						families[f]->cases[c].label, name);
			for (int j = 0; j < i; j++)
				assert_string_not_equal(name, families[f]->sweeps[j].name);
		}
	}
}

static void sweeps_compare_a_candidate(void **state)
{
	(void)state;
	for (int f = 0; f < families_count; f++) {
		for (int i = 0; i < families[f]->nsweeps; i++) {
			const struct sweep *sweep = &families[f]->sweeps[i];

			assert_int_equal(sweep->single == NULL, sweep->double_ == NULL);
			if (sweep->single == NULL)
				continue;
			assert_true(candidate(families[f], sweep->single) ||
				    find(families[f], sweep->single)->kind == VARIANT_REFERENCE);
			assert_true(candidate(families[f], sweep->double_));
			assert_string_not_equal(sweep->single, sweep->double_);
		}
	}
}

/* ---- parts of the work ---- */

/* A part makes no result, so nothing may ask it for more than its time. */
static void parts_are_only_timed(void **state)
{
	(void)state;
	for (int f = 0; f < families_count; f++) {
		for (int v = 0; v < families[f]->nvariants; v++) {
			const struct variant *variant = &families[f]->variants[v];

			assert_non_null(variant->launch);
			if (!variant_is_part(variant->kind))
				continue;
			assert_null(variant->launch_phases);
			assert_null(variant->phases);
			assert_null(variant->launch_roles);
			assert_null(variant->steps);
			assert_null(variant->shape);
			assert_int_equal(variant->buffers, 0);
			assert_false(variant->teaches_failure);
		}
	}
}

static int kinds(const struct family *family, enum variant_kind kind)
{
	int count = 0;

	for (int v = 0; v < family->nvariants; v++)
		count += family->variants[v].kind == kind;
	return count;
}

/* A floor is the shortest of several schedules; what it is held against are the parts. */
static void pipelines_have_floors(void **state)
{
	const struct size_case *size;
	int pipelines = 0;

	(void)state;
	for (int f = 0; f < families_count; f++) {
		if (strcmp(families[f]->bound_by, "PCIe") != 0)
			continue;
		size = &families[f]->cases[0];
		assert_true(kinds(families[f], VARIANT_FLOOR) >= 3);
		assert_int_equal(kinds(families[f], VARIANT_LOADS), 1);
		assert_int_equal(kinds(families[f], VARIANT_STORES), 1);
		assert_int_equal(kinds(families[f], VARIANT_COMPUTE), 1);
		assert_true(families[f]->device_bytes(size) > 0);
		pipelines++;
	}
	assert_true(pipelines > 0);
}

/* ---- buffers of a case ---- */

/* What dbprof asks of a GPU: an H100, or one that has no TMA. */
static struct cudaDeviceProp device_of(int major)
{
	return (struct cudaDeviceProp){.major = major,
		.multiProcessorCount = 132,
		.sharedMemPerBlockOptin = 227 << 10,
		.sharedMemPerMultiprocessor = 228 << 10,
		.reservedSharedMemPerBlock = 1 << 10,
		.cooperativeLaunch = 1};
}

static const struct family *family_named(const char *name)
{
	for (int f = 0; f < families_count; f++)
		if (strcmp(families[f]->name, name) == 0)
			return families[f];
	fail_msg("there is no family %s", name);
	return NULL;
}

static int param_number(const struct family *family, const char *param)
{
	for (int i = 0; i < family->nparams; i++)
		if (strcmp(family->params[i].name, param) == 0)
			return i;
	fail_msg("%s has no parameter %s", family->name, param);
	return 0;
}

/* A parameter is set, as --set does it. */
static void set_param(const struct family *family, struct size_case *size, const char *param, int64_t value)
{
	const int i = param_number(family, param);

	size->value[i] = value;
	size->set |= 1u << i;
}

/* The headline of a family with one parameter set. */
static struct size_case headline_with(const struct family *family, const char *param, int64_t value)
{
	struct size_case size = family->cases[0];

	set_param(family, &size, param, value);
	return size;
}

static void assert_buffers(
	const char *family, const char *variant, int major, const char *param, int64_t value, int want)
{
	const struct variant *v = find(family_named(family), variant);
	const struct size_case size = headline_with(family_named(family), param, value);
	const struct cudaDeviceProp device = device_of(major);

	assert_non_null(v->buffers_of);
	assert_int_equal(v->buffers_of(&device, &size), want);
}

/* Look-back has one buffer, so what runs it must not win among those that have several. */
static void buffers_are_those_of_the_case(void **state)
{
	static const char *const by_stages[] = {"bulk-n", "store-n", "persistent"};
	static const char *const by_buffers[] = {
		"n-buffers", "breadth-first", "tapered", "write-combined", "pinned-ring", "pinned-ring-threads"};

	(void)state;
	assert_buffers("scan-device", "automatic", 9, "n", 1 << 28, 7);
	assert_buffers("scan-device", "automatic", 9, "n", 100000, 1);
	assert_buffers("scan-device", "automatic", 8, "n", 1 << 28, 1);
	assert_buffers("scan-device", "automatic", 9, "stages", 3, 3);
	assert_buffers("scan-device", "rounds", 9, "stages", 0, 7);
	assert_buffers("scan-device", "rounds", 9, "stages", 1, 1);
	assert_null(find(family_named("scan-device"), "rounds-2")->buffers_of);
	assert_null(find(family_named("copy"), "bulk-4")->buffers_of);
	for (size_t i = 0; i < sizeof by_stages / sizeof by_stages[0]; i++)
		assert_buffers("copy", by_stages[i], 9, "stages", 1, 1);
	for (size_t i = 0; i < sizeof by_buffers / sizeof by_buffers[0]; i++)
		assert_buffers("stream", by_buffers[i], 9, "buffers", 1, 1);
}

/* On the GPU that the numbers in the tables are for, an H100, the headline has what they say. */
static void buffers_of_the_headline_are_declared(void **state)
{
	const struct cudaDeviceProp device = device_of(9);
	int counted = 0;

	(void)state;
	for (int f = 0; f < families_count; f++)
		for (int v = 0; v < families[f]->nvariants; v++) {
			const struct variant *variant = &families[f]->variants[v];

			if (!variant->buffers_of)
				continue;
			assert_int_equal(variant->buffers_of(&device, &families[f]->cases[0]), variant->buffers);
			counted++;
		}
	assert_true(counted > 0);
}

/* It is refused for what it would run, not for what it would run with longer arrays or on another GPU. */
static void automatic_needs_what_it_runs(void **state)
{
	const struct family *family = family_named("scan-device");
	const struct variant *automatic = find(family, "automatic");
	const struct cudaDeviceProp hopper = device_of(9), ampere = device_of(8);
	struct size_case size = headline_with(family, "warps", 16);

	(void)state;
	assert_non_null(automatic->unsupported(&hopper, &size)); /* rounds: a block has no room for 16 and 4 warps */
	assert_null(automatic->unsupported(&ampere, &size));
	set_param(family, &size, "n", 100000);
	assert_null(automatic->unsupported(&hopper, &size));
	set_param(family, &size, "vectors", 5);
	assert_non_null(automatic->unsupported(&hopper, &size));
}

/* `size` stands for all sides but those that are set themselves, even to what they are anyway. */
static void a_side_that_is_set_wins(void **state)
{
	static const char *const products[] = {"gemm-bf16", "sgemm-ladder", "sgemm"};

	(void)state;
	for (size_t i = 0; i < sizeof products / sizeof products[0]; i++) {
		const struct family *family = family_named(products[i]);
		struct size_case size = headline_with(family, "size", 2048);
		struct work work;

		family->work(&size, &work);
		assert_true(work.flops == 2.0 * 2048 * 2048 * 2048);
		set_param(family, &size, "k", 512);
		family->work(&size, &work);
		assert_true(work.flops == 2.0 * 2048 * 2048 * 512);
		set_param(family, &size, "m", 4096);
		family->work(&size, &work);
		assert_true(work.flops == 2.0 * 4096 * 2048 * 512);
		/* In a sweep over it `size` wins: else all points were of one size. */
		size.swept = 1u << param_number(family, "size");
		family->work(&size, &work);
		assert_true(work.flops == 2.0 * 2048 * 2048 * 2048);
	}
}

/* What is pinned or made for the check is told of, so that a host without room refuses it. */
static void host_memory_is_told(void **state)
{
	const struct family *frames = family_named("frames"), *stream = family_named("stream");
	struct size_case size = headline_with(frames, "width", 16384);

	(void)state;
	set_param(frames, &size, "height", 16384);
	assert_true(frames->host_bytes(&size) == (size_t)3 * 16384 * 16384 * 48);
	size = headline_with(stream, "n", 1 << 28);
	assert_true(stream->host_bytes(&size) >= (size_t)8 * 4 << 28); /* pinned, ordinary, write-combined */
	for (int f = 0; f < families_count; f++)
		for (int c = 0; c < families[f]->ncases && families[f]->host_bytes; c++) {
			struct work work;

			families[f]->work(&families[f]->cases[c], &work);
			assert_true((double)families[f]->host_bytes(&families[f]->cases[c]) >= work.elements);
		}
}

/* Arrays that stay in the cache on purpose have one slot. Of those that rotate no slot is missing. */
static void only_cold_arrays_rotate(void **state)
{
	const struct family *family = family_named("scan-device");
	struct size_case size = headline_with(family, "n", 1 << 20);
	const size_t cold = family->device_bytes(&size);

	(void)state;
	assert_true(cold > (size_t)256 << 20);
	set_param(family, &size, "cold", 0);
	assert_true(family->device_bytes(&size) < (size_t)16 << 20);
	assert_true(family->device_bytes(&size) > (size_t)8 << 20);
}

/* A pass launches each variant some twenty times: a launch that waits for its frames must not take minutes. */
static void slow_cameras_are_refused(void **state)
{
	static const struct {
		int frames, rate;
		bool refused;
	} cameras[] = {{48, 30, false}, {240, 30, false}, {48, 5, false}, {240, 5, true}, {1024, 1, true},
		{1024, 0, false}, {1, 1, false}, {11, 1, false}, {12, 1, true}};
	const struct family *family = family_named("frames");

	(void)state;
	for (size_t i = 0; i < sizeof cameras / sizeof cameras[0]; i++) {
		struct size_case size = headline_with(family, "frames", cameras[i].frames);

		set_param(family, &size, "rate", cameras[i].rate);
		assert_int_equal(family->refused(&size) != NULL, cameras[i].refused);
	}
}

/* What is for one question only is not part of --all. */
static void tests_are_on_demand(void **state)
{
	int measured = 0;

	(void)state;
	for (int f = 0; f < families_count; f++) {
		if (strcmp(families[f]->name, "self-test") == 0 || strcmp(families[f]->name, "tile-pipeline") == 0 ||
			strcmp(families[f]->name, "sgemm-ladder") == 0 || strcmp(families[f]->name, "copy") == 0 ||
			strcmp(families[f]->name, "scan-device") == 0 || strcmp(families[f]->name, "gemm-bf16") == 0 ||
			strcmp(families[f]->name, "frames") == 0)
			assert_true(families[f]->on_demand);
		measured += !families[f]->on_demand;
	}
	assert_true(measured >= 5);
}

/* ---- code, phases, hazards ---- */

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
		for (int v = 0; v < families[f]->nvariants; v++) {
			const char *part = families[f]->variants[v].file;
			const struct embedded_file *file = source_of(part != NULL ? part : families[f]->file);
			struct error err = {0};
			struct source_code code;

			assert_non_null(file);
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

/* A hidden share is told against a variant whose loads are timed: with one stage, whose stages are as large. */
static void roles_are_held_against_a_single_stage(void **state)
{
	int held = 0;

	(void)state;
	for (int f = 0; f < families_count; f++) {
		for (int v = 0; v < families[f]->nvariants; v++) {
			const struct variant *variant = &families[f]->variants[v], *without;

			assert_true(!variant->roles == !variant->launch_roles);
			if (variant->roles == NULL || variant->roles->without == NULL)
				continue;
			without = find(families[f], variant->roles->without);
			assert_int_equal(without->buffers, 1);
			assert_non_null(without->roles);
			assert_string_equal(without->roles->without, without->name);
			assert_int_equal(without->roles->stage_bytes, variant->roles->stage_bytes);
			held += without != variant;
		}
	}
	assert_true(held > 15);
}

static bool is_sentence(const char *text)
{
	return isupper((unsigned char)text[0]) && text[strlen(text) - 1] == '.';
}

static bool is_one_of(const char *text, const char *const *list, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (strcmp(text, list[i]) == 0)
			return true;
	return false;
}

static void assert_hazards(const struct variant *variant)
{
	static const char *const tools[] = {"memcheck", "racecheck", "synccheck", "initcheck"};

	assert_false(variant->teaches_failure && variant->nhazards == 0);
	for (int h = 0; h < variant->nhazards; h++) {
		assert_true(is_one_of(variant->hazards[h].tool, tools, sizeof tools / sizeof tools[0]));
		assert_true(is_sentence(variant->hazards[h].text));
	}
}

/* docs/hazards.md tells of these; tests/gpu/hazards.test looks for them, and for others. */
static void hazards_are_declared(void **state)
{
	static const char *const want[] = {"in-place-race", "no-volatile", "volatile-rmw", "volatile-register"};
	size_t found = 0;

	(void)state;
	for (int f = 0; f < families_count; f++) {
		for (int v = 0; v < families[f]->nvariants; v++) {
			const struct variant *variant = &families[f]->variants[v];

			assert_hazards(variant);
			if (is_one_of(variant->name, want, sizeof want / sizeof want[0])) {
				assert_int_equal(variant->nhazards, 1);
				assert_string_equal(variant->hazards[0].tool, "racecheck");
				found++;
			}
		}
	}
	assert_int_equal(found, sizeof want / sizeof want[0]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_are_plain_and_unique),
		cmocka_unit_test(sentences_are_short),
		cmocka_unit_test(pairs_are_two_candidates),
		cmocka_unit_test(cases_are_legal_and_one_is_ragged),
		cmocka_unit_test(sweeps_are_whole),
		cmocka_unit_test(names_of_sweeps_are_unique),
		cmocka_unit_test(sweeps_compare_a_candidate),
		cmocka_unit_test(parts_are_only_timed),
		cmocka_unit_test(pipelines_have_floors),
		cmocka_unit_test(tests_are_on_demand),
		cmocka_unit_test(buffers_are_those_of_the_case),
		cmocka_unit_test(buffers_of_the_headline_are_declared),
		cmocka_unit_test(automatic_needs_what_it_runs),
		cmocka_unit_test(a_side_that_is_set_wins),
		cmocka_unit_test(host_memory_is_told),
		cmocka_unit_test(only_cold_arrays_rotate),
		cmocka_unit_test(slow_cameras_are_refused),
		cmocka_unit_test(all_code_is_marked),
		cmocka_unit_test(plans_of_phases_are_whole),
		cmocka_unit_test(roles_are_held_against_a_single_stage),
		cmocka_unit_test(hazards_are_declared),
	};

	return cmocka_run_group_tests_name("families", tests, NULL, NULL);
}
