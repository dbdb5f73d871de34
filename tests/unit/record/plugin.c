/*
 * plugin.c: the layout of what shared objects hand over belongs to a number, DBPROF_ABI; where one changes, so
 * must the other, or an object built for the older layout would be read as one of the newer. No GPU.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <inttypes.h>
#include <string.h>

#include "phase.h"
#include "plugin.h"
#include "role.h"
#include "analyze/shape.h"
#include "variant.h"

/* The fingerprint of the layout of each DBPROF_ABI that there has been, oldest first. A released line is never edited.
 */
static const struct {
	unsigned abi;
	uint64_t fingerprint;
} layouts[] = {
	{1, UINT64_C(0xe1a7af03456d1d8a)},
	{2, UINT64_C(0x6f56cfeefb6ebb2f)},
	{3, UINT64_C(0x011cd89fed32a302)},
	{4, UINT64_C(0x025cea43e1746b7c)},
	{5, UINT64_C(0x89b7245ddfe61994)},
	{6, UINT64_C(0xa487c537713deaef)},
	{7, UINT64_C(0x0aaaa0b04f5e0c7e)},
};
enum { LAYOUTS = sizeof layouts / sizeof layouts[0] };

/* Of an LP64 system, as all are that CUDA runs on. */
#define MEMBER(type, member)                                                                                           \
	{                                                                                                              \
#type "." #member, offsetof(struct type, member), sizeof((struct type *)NULL)->member                  \
	}
#define WHOLE(type)                                                                                                    \
	{                                                                                                              \
#type, 0, sizeof(struct type)                                                                          \
	}
#define NUMBER(name)                                                                                                   \
	{                                                                                                              \
#name, 0, (size_t)(name)                                                                               \
	}

static const struct {
	const char *name;
	size_t offset, size;
} layout[] = {
	MEMBER(param, name),
	MEMBER(param, unit),
	MEMBER(param, summary),
	MEMBER(param, min),
	MEMBER(param, max),
	MEMBER(param, allowed),
	WHOLE(param),
	MEMBER(size_case, label),
	MEMBER(size_case, value),
	MEMBER(size_case, verify_only),
	MEMBER(size_case, sweep),
	MEMBER(size_case, set),
	MEMBER(size_case, swept),
	WHOLE(size_case),
	MEMBER(axis, param),
	MEMBER(axis, n),
	MEMBER(axis, value),
	WHOLE(axis),
	MEMBER(sweep, name),
	MEMBER(sweep, title),
	MEMBER(sweep, question),
	MEMBER(sweep, base),
	MEMBER(sweep, naxes),
	MEMBER(sweep, axis),
	MEMBER(sweep, single),
	MEMBER(sweep, double_),
	MEMBER(sweep, every_candidate),
	MEMBER(sweep, wanted),
	WHOLE(sweep),
	MEMBER(work, flops),
	MEMBER(work, bytes),
	MEMBER(work, elements),
	WHOLE(work),
	MEMBER(enqueued, kernels),
	MEMBER(enqueued, copies),
	MEMBER(enqueued, memsets),
	WHOLE(enqueued),
	MEMBER(kernel_config, function),
	MEMBER(kernel_config, grid),
	MEMBER(kernel_config, block),
	MEMBER(kernel_config, dynamic_smem),
	WHOLE(kernel_config),
	MEMBER(check_result, elements),
	MEMBER(check_result, wrong),
	MEMBER(check_result, first_wrong),
	MEMBER(check_result, got),
	MEMBER(check_result, want),
	MEMBER(check_result, max_error),
	MEMBER(check_result, what),
	WHOLE(check_result),
	MEMBER(step_table, rows),
	MEMBER(step_table, value),
	MEMBER(step_table, racy),
	MEMBER(step_table, stride),
	WHOLE(step_table),
	MEMBER(phase_plan, prologue),
	MEMBER(phase_plan, loop),
	MEMBER(phase_plan, epilogue),
	MEMBER(phase_plan, steps),
	MEMBER(phase_plan, spread),
	WHOLE(phase_plan),
	MEMBER(phase_board, stamps),
	MEMBER(phase_board, ends),
	MEMBER(phase_board, shift),
	MEMBER(phase_board, mask),
	MEMBER(phase_board, skew),
	MEMBER(phase_board, warps),
	MEMBER(phase_board, stamps_per_warp),
	MEMBER(phase_board, segments),
	MEMBER(phase_board, turn),
	WHOLE(phase_board),
	MEMBER(role_plan, stage_bytes),
	MEMBER(role_plan, without),
	WHOLE(role_plan),
	MEMBER(role_record, role),
	MEMBER(role_record, waits),
	MEMBER(role_record, timed),
	MEMBER(role_record, waited),
	MEMBER(role_record, loads),
	MEMBER(role_record, loaded),
	MEMBER(role_record, life),
	WHOLE(role_record),
	MEMBER(role_board, records),
	MEMBER(role_board, warps),
	WHOLE(role_board),
	MEMBER(step_shape, steps),
	MEMBER(step_shape, load_bytes),
	MEMBER(step_shape, barriers),
	MEMBER(step_shape, shared_loads),
	MEMBER(step_shape, shared_stores),
	MEMBER(step_shape, shared_wide),
	MEMBER(step_shape, shared_chain),
	MEMBER(step_shape, copies),
	MEMBER(step_shape, copy_lines),
	MEMBER(step_shape, fmas),
	MEMBER(step_shape, fma_chain),
	MEMBER(step_shape, other),
	MEMBER(step_shape, other_chain),
	MEMBER(step_shape, ahead),
	MEMBER(step_shape, arrives_first),
	MEMBER(step_shape, once_bytes),
	MEMBER(step_shape, distinct_bytes),
	WHOLE(step_shape),
	MEMBER(pipeline_shape, chunks),
	MEMBER(pipeline_shape, bytes_in),
	MEMBER(pipeline_shape, bytes_out),
	MEMBER(pipeline_shape, copies_in),
	MEMBER(pipeline_shape, copies_out),
	MEMBER(pipeline_shape, kernel_bytes),
	MEMBER(pipeline_shape, events),
	MEMBER(pipeline_shape, forks),
	MEMBER(pipeline_shape, buffers),
	MEMBER(pipeline_shape, pageable),
	WHOLE(pipeline_shape),
	MEMBER(shape, is_pipeline),
	MEMBER(shape, step),
	MEMBER(shape, pipeline),
	WHOLE(shape),
	MEMBER(item, arrived),
	MEMBER(item, taken),
	MEMBER(item, done),
	MEMBER(item, work),
	MEMBER(item, held_back),
	WHOLE(item),
	MEMBER(hazard, tool),
	MEMBER(hazard, text),
	WHOLE(hazard),
	MEMBER(rung, step),
	MEMBER(rung, over),
	MEMBER(rung, change),
	MEMBER(rung, along),
	WHOLE(rung),
	MEMBER(variant, name),
	MEMBER(variant, summary),
	MEMBER(variant, kind),
	MEMBER(variant, buffers),
	MEMBER(variant, teaches_failure),
	MEMBER(variant, opaque_launches),
	MEMBER(variant, blocks_host),
	MEMBER(variant, on_demand),
	MEMBER(variant, batches_copies),
	MEMBER(variant, launch),
	MEMBER(variant, prepare),
	MEMBER(variant, unsupported),
	MEMBER(variant, buffers_of),
	MEMBER(variant, config),
	MEMBER(variant, launch_phases),
	MEMBER(variant, phases),
	MEMBER(variant, launch_roles),
	MEMBER(variant, roles),
	MEMBER(variant, shape),
	MEMBER(variant, items),
	MEMBER(variant, steps),
	MEMBER(variant, hazards),
	MEMBER(variant, nhazards),
	MEMBER(variant, rung),
	MEMBER(variant, file),
	MEMBER(variant, kernel),
	WHOLE(variant),
	MEMBER(family, name),
	MEMBER(family, title),
	MEMBER(family, question),
	MEMBER(family, teaches),
	MEMBER(family, source),
	MEMBER(family, file),
	MEMBER(family, throughput),
	MEMBER(family, bound_by),
	MEMBER(family, params),
	MEMBER(family, nparams),
	MEMBER(family, cases),
	MEMBER(family, ncases),
	MEMBER(family, variants),
	MEMBER(family, nvariants),
	MEMBER(family, single),
	MEMBER(family, double_),
	MEMBER(family, sweeps),
	MEMBER(family, nsweeps),
	MEMBER(family, on_demand),
	MEMBER(family, refused),
	MEMBER(family, device_bytes),
	MEMBER(family, host_bytes),
	MEMBER(family, work),
	MEMBER(family, set_up),
	MEMBER(family, tear_down),
	MEMBER(family, poison),
	MEMBER(family, check),
	WHOLE(family),
	MEMBER(plugin_runtime, set_device),
	MEMBER(plugin_runtime, take_error),
	MEMBER(plugin_runtime, attributes),
	MEMBER(plugin_runtime, symbol),
	MEMBER(plugin_runtime, resident),
	WHOLE(plugin_runtime),
	MEMBER(plugin_file, path),
	MEMBER(plugin_file, text),
	WHOLE(plugin_file),
	MEMBER(dbprof_plugin, magic),
	MEMBER(dbprof_plugin, abi),
	MEMBER(dbprof_plugin, cudart),
	MEMBER(dbprof_plugin, runtime),
	MEMBER(dbprof_plugin, families),
	MEMBER(dbprof_plugin, nfamilies),
	MEMBER(dbprof_plugin, files),
	MEMBER(dbprof_plugin, files_end),
	WHOLE(dbprof_plugin),
	NUMBER(SEGMENT_PHASES),
	NUMBER(SEGMENT_STAMPS),
	NUMBER(VARIANT_CANDIDATE),
	NUMBER(VARIANT_CONTROL),
	NUMBER(VARIANT_REFERENCE),
	NUMBER(VARIANT_FLOOR),
	NUMBER(VARIANT_LOADS),
	NUMBER(VARIANT_STORES),
	NUMBER(VARIANT_COMPUTE),
	NUMBER(ROLE_NONE),
	NUMBER(ROLE_CONSUMER),
	NUMBER(ROLE_PRODUCER),
};
enum { ENTRIES = sizeof layout / sizeof layout[0] };

/* FNV-1a, 64 bits. */
static uint64_t add(uint64_t hash, const void *data, size_t size)
{
	for (const unsigned char *byte = data; size-- > 0; byte++)
		hash = (hash ^ *byte) * UINT64_C(0x100000001b3);
	return hash;
}

static uint64_t fingerprint(void)
{
	uint64_t hash = UINT64_C(0xcbf29ce484222325);

	for (int i = 0; i < ENTRIES; i++) {
		const uint64_t numbers[] = {layout[i].offset, layout[i].size};

		hash = add(hash, layout[i].name, strlen(layout[i].name));
		hash = add(hash, numbers, sizeof numbers);
	}
	return hash;
}

static void layout_has_its_number(void **state)
{
	const uint64_t now = fingerprint();

	(void)state;
	assert_int_equal(layouts[LAYOUTS - 1].abi, DBPROF_ABI);
	if (layouts[LAYOUTS - 1].fingerprint != now)
		fail_msg("the layout of variant.h, shape.h, phase.h, role.h or plugin.h has changed: raise DBPROF_ABI "
			 "(plugin.h) "
			 "and add {%d, UINT64_C(0x%016" PRIx64 ")} to layouts[]",
			DBPROF_ABI + 1, now);
}

static void numbers_rise_and_layouts_differ(void **state)
{
	(void)state;
	for (int i = 1; i < LAYOUTS; i++) {
		assert_true(layouts[i].abi > layouts[i - 1].abi);
		for (int j = 0; j < i; j++)
			assert_true(layouts[i].fingerprint != layouts[j].fingerprint);
	}
}

/* A member that is missing in layout[] would change without anyone noticing: those of a struct must leave no hole that
 * is larger than alignment makes it. */
static void no_member_is_missing(void **state)
{
	size_t end = 0;

	(void)state;
	for (int i = 0; i < ENTRIES; i++) {
		const bool whole = strchr(layout[i].name, '.') == NULL;
		const size_t begin = whole ? layout[i].size : layout[i].offset;

		if (strncmp(layout[i].name, "SEGMENT_", 8) == 0 || strncmp(layout[i].name, "ROLE_", 5) == 0)
			break;
		if (begin - end >= sizeof(void *))
			fail_msg("before %s there is a member that layout[] lacks", layout[i].name);
		end = whole ? 0 : layout[i].offset + layout[i].size;
	}
}

/* What is read before anything else is known to be right. */
static void head_stays_where_it_is(void **state)
{
	(void)state;
	assert_int_equal(offsetof(struct dbprof_plugin, magic), 0);
	assert_int_equal(offsetof(struct dbprof_plugin, abi), 16);
	assert_int_equal(offsetof(struct dbprof_plugin, cudart), 20);
	assert_string_equal(DBPROF_PLUGIN_MAGIC, "dbprof families");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(layout_has_its_number),
		cmocka_unit_test(numbers_rise_and_layouts_differ),
		cmocka_unit_test(no_member_is_missing),
		cmocka_unit_test(head_stays_where_it_is),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
