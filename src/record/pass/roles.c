/* roles.c: see roles.h. A second instantiation of each kernel keeps count of its warps' waits. */
#include "record/pass/roles.h"

#include "record/pass/instrumented.h"
#include "record/pass/role-memory.h"
#include "record/pass/role-records.h"
#include "record/worker/nvtx.h"

enum { ROLE_LAUNCHES = 5 };

struct metered {
	struct instrumented kernel;
	struct kernel_config plain, metered;
	struct role_memory memory;
	struct role_sum sums[ROLE_LAUNCHES][ROLES_NUMBER];
};

static cudaError_t roles_launch_metered(void *user)
{
	struct metered *m = user;
	const struct launch *launch = &m->kernel.launch;

	return launch->variant->launch_roles(launch->state, launch->w->stream, &m->memory.board, &m->metered);
}

/* ---- records ---- */

/* One launch, whose records come to the host. */
static cudaError_t roles_fetch(struct metered *m)
{
	cudaStream_t stream = m->kernel.launch.w->stream;
	cudaError_t code = role_memory_clear(&m->memory, stream);

	if (code == cudaSuccess)
		code = roles_launch_metered(m);
	return code == cudaSuccess ? role_memory_fetch(&m->memory, stream) : code;
}

static int roles_take_records(struct metered *m)
{
	for (int i = 0; i < ROLE_LAUNCHES; i++) {
		cudaError_t code = roles_fetch(m);
		const char *why;

		if (code != cudaSuccess)
			return instrumented_problem(&m->kernel, code);
		why = role_records_sum(m->memory.records, m->memory.blocks, m->memory.board.warps, m->sums[i]);
		if (why)
			return instrumented_wrong(&m->kernel, why);
	}
	return 0;
}

/* ---- rows ---- */

static void roles_write_run(const struct metered *m)
{
	const struct role_plan *plan = m->kernel.launch.variant->roles;
	const struct value row[ROLERUN_NUMBER] = {
		[ROLERUN_family] = VALUE_OF_TEXT(m->kernel.launch.w->family->name),
		[ROLERUN_variant] = VALUE_OF_TEXT(m->kernel.launch.variant->name),
		[ROLERUN_caseLabel] = VALUE_OF_TEXT(m->kernel.launch.size->label),
		[ROLERUN_exposedVariant] =
			plan->without ? VALUE_OF_TEXT(plan->without) : (struct value){.kind = VALUE_NULL},
		[ROLERUN_stageBytes] = VALUE_OF_INT(plan->stage_bytes),
		[ROLERUN_blocks] = VALUE_OF_INT((int64_t)m->memory.blocks),
		[ROLERUN_plainNs] = VALUE_OF_REAL(m->kernel.plain_ns),
		[ROLERUN_meteredNs] = VALUE_OF_REAL(m->kernel.instrumented_ns),
		[ROLERUN_plainRegisters] = VALUE_OF_INT(instrumented_registers(&m->kernel, m->plain.function)),
		[ROLERUN_meteredRegisters] = VALUE_OF_INT(instrumented_registers(&m->kernel, m->metered.function)),
	};

	worker_row(m->kernel.launch.w, TABLE_ROLERUN, row);
}

static void roles_write_sum(const struct metered *m, int launch, enum role role)
{
	const struct role_sum *sum = &m->sums[launch][role];
	const struct value row[ROLE_NUMBER] = {
		[ROLE_family] = VALUE_OF_TEXT(m->kernel.launch.w->family->name),
		[ROLE_variant] = VALUE_OF_TEXT(m->kernel.launch.variant->name),
		[ROLE_caseLabel] = VALUE_OF_TEXT(m->kernel.launch.size->label),
		[ROLE_launch] = VALUE_OF_INT(launch),
		[ROLE_role] = VALUE_OF_TEXT(role_record_name(role)),
		[ROLE_warps] = VALUE_OF_INT(sum->warps),
		[ROLE_waits] = VALUE_OF_INT(sum->waits),
		[ROLE_timedWaits] = VALUE_OF_INT(sum->timed),
		[ROLE_waitCycles] = VALUE_OF_INT(sum->waited),
		[ROLE_loads] = VALUE_OF_INT(sum->loads),
		[ROLE_loadCycles] = VALUE_OF_INT(sum->loaded),
		[ROLE_lifeCycles] = VALUE_OF_INT(sum->life),
	};

	if (sum->warps > 0)
		worker_row(m->kernel.launch.w, TABLE_ROLE, row);
}

static void roles_write(const struct metered *m)
{
	roles_write_run(m);
	for (int launch = 0; launch < ROLE_LAUNCHES; launch++) {
		roles_write_sum(m, launch, ROLE_CONSUMER);
		roles_write_sum(m, launch, ROLE_PRODUCER);
	}
}

/* ---- a variant ---- */

int roles_measure_variant(const struct launch *launch, struct batcher *batcher)
{
	struct metered m = {
		.kernel = {*launch, batcher, "metered", roles_launch_metered, &m, &m.plain, &m.metered, 0, 0}};
	struct worker *w = launch->w;
	int result;

	worker_at(w, launch->variant, launch->size);
	result = instrumented_problem(&m.kernel, launch->variant->config(launch->state, &m.plain));
	if (result < 0)
		return -1;
	nvtx_push_variant(w->family, launch->variant);
	nvtx_push_iteration(PASS_PHASES, launch->variant, launch->size->label, 0);
	result = instrumented_problem(&m.kernel, role_memory_open(&m.memory, &m.plain));
	if (result == 0)
		result = instrumented_check(&m.kernel);
	if (result == 0)
		result = instrumented_time(&m.kernel);
	if (result == 0)
		result = roles_take_records(&m);
	nvtx_pop();
	nvtx_pop();
	if (result == 0)
		roles_write(&m);
	role_memory_close(&m.memory);
	worker_flush(w);
	return result;
}

bool roles_wanted(const struct worker *w, const struct variant *variant, const struct size_case *size)
{
	return variant->launch_roles && launch_wanted(w, variant, size) && !size->verify_only && !size->sweep;
}
