/* family-fixture.h: a small model with one family, for the tests of figures and view. */
#ifndef DBPROF_TESTS_FAMILY_FIXTURE_H
#define DBPROF_TESTS_FAMILY_FIXTURE_H

#include <jansson.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* A family with a pipeline that was traced, a variant that is wrong on purpose, and a case that is only verified. */
static const char family_json[] =
	"{'name': 'pipe', 'title': 'A pipe', 'question': 'Does it pay?', 'teaches': 'T.', 'source': 'S', 'file': "
	"'pipe.cu',"
	" 'throughput_unit': 'GB/s', 'bound_by': 'PCIe', 'single': 'one', 'double': 'two',"
	" 'buffering': true, 'cases': [{'label': 'big', 'headline': true, 'verify_only': false, 'params': [{'name': "
	"'n', 'value': "
	"16777216,"
	"   'unit': 'elements', 'summary': ''}]},"
	"  {'label': 'small', 'headline': false, 'verify_only': false, 'params': []},"
	"  {'label': 'ragged', 'headline': false, 'verify_only': true, 'params': []}],"
	" 'contrasts': [{'case': 'big', 'headline': true, 'single_ns': 4000, 'double_ns': 3125,"
	"   'speedup': {'value': 1.28, 'low': 1.27, 'high': 1.29, 'blocks': 12}, 'verdict': 'faster',"
	"   'evidence': [{'name': 'results', 'ok': true, 'text': 'right'}, {'name': 'clock', 'ok': null, 'text': "
	"'unknown'}],"
	"   'cause': 'copies overlap <kernels>', 'hidden_share': 0.5, 'stretch': 1.125},"
	"  {'case': 'small', 'headline': false, 'single_ns': 100, 'double_ns': 125, 'speedup': {'value': 0.8, 'low': "
	"0.79,"
	"   'high': 0.81, 'blocks': 12}, 'verdict': 'slower', 'evidence': [], 'cause': '', 'hidden_share': null,"
	"   'stretch': null}],"
	" 'code_pair': {'rows': [{'a_line': 3, 'a': 'x();', 'b_line': 9, 'b': 'x();', 'kind': 'same'},"
	"  {'a_line': 4, 'a': 'y();', 'b_line': null, 'b': null, 'kind': 'single'},"
	"  {'a_line': 5, 'a': 'z(1);', 'b_line': 10, 'b': 'z(2);', 'kind': 'changed'}]},"
	" 'variants': ["
	"  {'name': 'one', 'anchor': 'pipe/one', 'summary': 's', 'kind': 'candidate', 'buffers': 1, 'role': 'single',"
	"   'cases': [{'case': 'big', 'unsupported': null, 'verify': {'ok': true, 'runs': 3, 'wrong_runs': 0,"
	"     'elements': 1000, 'worst_wrong': 0, 'max_error': 0.5},"
	"    'time': {'n': 4, 'median_ns': 4000, 'q1_ns': 3980, 'q3_ns': 4040, 'min_ns': 3900, 'max_ns': 4100,"
	"     'low_ns': 3990, 'high_ns': 4010, 'launches': 25, 'samples_ns': [3900, 3990, 4010, 4100]},"
	"    'throughput': 3e9, 'versus_single': 1, 'resources': {'registers': 16, 'shared_bytes': 4096, 'occupancy':"
	"     {'share': 1, 'limiter': 'warps'}},"
	"    'trace': {'iterations': 5, 'counts': [{'what': 'kernels', 'host': 10, 'recorded': 9, 'lower_bound': false,"
	"     'ok': false}], 'work': {'span_ns': 300, 'idle_ns': 50, 'busy_ns': {'h2d': 100, 'd2h': 100, 'kernel': 100,"
	"     'copy': 200}, 'overlap_ns': 50, 'exposed_copy_ns': 150, 'overlap_ratio': 0.25},"
	"     'timeline': {'span_ns': 300, 'lanes': ["
	"      {'class': 'h2d', 'stream': 13, 'device': 0, 'events': [{'start_ns': 0, 'end_ns': 100, 'text': 'in'}]},"
	"      {'class': 'kernel', 'stream': 13, 'device': 0, 'events': [{'start_ns': 50, 'end_ns': 150, 'text': "
	"'k<1>(int)'}]},"
	"      {'class': 'd2h', 'stream': 13, 'device': 0, 'events': [{'start_ns': 200, 'end_ns': 300, 'text': "
	"'out'}]}],"
	"     'ranges': [{'start_ns': -10, 'end_ns': 320, 'text': 'pipe/one', 'depth': 0, 'color': '#D55E00'},"
	"      {'start_ns': 900, 'end_ns': 950, 'text': 'later', 'depth': 1, 'color': null}]}}},"
	"   {'case': 'small', 'time': null}, {'case': 'ragged', 'time': null}]},"
	"  {'name': 'two', 'anchor': 'pipe/two', 'summary': 's', 'kind': 'candidate', 'buffers': 2, 'role': 'double',"
	"   'cases': [{'case': 'big', 'unsupported': 'no \\'copy\\' engine', 'verify': null, 'time': null, 'trace': "
	"null}]},"
	"  {'name': 'race', 'anchor': 'pipe/race', 'summary': 's', 'kind': 'candidate', 'buffers': 1, 'role': null,"
	"   'hazards': [{'tool': 'racecheck', 'text': 'It races.'}, {'tool': '$(id)', 'text': 'x'}],"
	"   'steps': [{'row': 0, 'stride': 0, 'cells': [{'value': 1, 'racy': false}, {'value': 2, 'racy': false}]},"
	"    {'row': 1, 'stride': 1, 'cells': [{'value': 1, 'racy': false}, {'value': 3, 'racy': true}]}],"
	"   'cases': [{'case': 'big', 'verify': {'ok': null, 'runs': 50, 'wrong_runs': 47, 'elements': 25600,"
	"    'worst_wrong': 1204, 'first_wrong': 513, 'got': 1.25, 'want': 2.5, 'max_error': 1e6}, 'time': null}]}]}";

/* JSON with ' for ", as it stands in C. */
static json_t *parse(const char *text)
{
	char *copy = strdup(text);
	json_error_t error;

	assert_non_null(copy);
	for (char *c = copy; *c; c++) {
		if (*c == '\'')
			*c = c > copy && c[-1] == '\\' ? '\'' : '"';
	}
	for (char *c = strstr(copy, "\\'"); c; c = strstr(c, "\\'"))
		memmove(c, c + 1, strlen(c));
	json_t *tree = json_loads(copy, 0, &error);
	if (!tree)
		print_error("%s at column %d\n", error.text, error.column);
	free(copy);
	assert_non_null(tree);
	return tree;
}

static inline json_t *model_of(const char *family, const char *rest)
{
	json_t *recording = parse(rest), *families = json_array();

	if (*family)
		assert_int_equal(json_array_append_new(families, parse(family)), 0);
	assert_int_equal(json_object_set_new(recording, "families", families), 0);
	return json_pack("{s:s, s:[o]}", "generator", "dbprof test", "recordings", recording);
}

static const char recording_json[] =
	"{'dbprof': true, 'shipped': true, 'seed': '7', 'passes': ["
	"{'family': 'pipe', 'pass': 'verify', 'status': 'done', 'reason': null, 'seconds': 1.5},"
	"{'family': 'pipe', 'pass': 'trace', 'status': 'skipped', 'reason': 'no CUPTI', 'seconds': 0}]}";

#endif
