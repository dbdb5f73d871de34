/* roles.c: see roles.h. A second instantiation of each kernel keeps count of its warps' waits. */
#include "record/pass/roles.h"

#include "record/pass/role-memory.h"
#include "record/pass/role-records.h"
#include "record/pass/turns.h"
#include "record/worker/nvtx.h"
#include "record/worker/registry.h"

enum { ROLE_LAUNCHES = 5 };

struct metered {
	struct launch launch;
	struct batcher *batcher;
	struct kernel_config plain, metered;
	struct role_memory memory;
	struct turns turns;
	struct role_sum sums[ROLE_LAUNCHES][ROLES_NUMBER];
};

/* ---- launches ---- */

static cudaError_t roles_launch_plain(void *user)
{
	const struct metered *m = user;
	struct enqueued done = {0};

	return m->launch.variant->launch(m->launch.state, m->launch.w->stream, &done);
}

static cudaError_t roles_launch_metered(void *user)
{
	struct metered *m = user;

	return m->launch.variant->launch_roles(m->launch.state, m->launch.w->stream, &m->memory.board, &m->metered);
}

static int roles_problem(const struct metered *m, cudaError_t code)
{
	return code == cudaSuccess ? 0 : worker_cuda_problem(m->launch.w, m->launch.variant, m->launch.size, code);
}

static int roles_wrong(const struct metered *m, const char *what)
{
	worker_problem(m->launch.w, "%s/%s, case %s, metered: %s", m->launch.w->family->name, m->launch.variant->name,
		m->launch.size->label, what);
	return -1;
}

/* ---- records ---- */

/* One launch, whose records come to the host. */
static cudaError_t roles_fetch(struct metered *m)
{
	cudaStream_t stream = m->launch.w->stream;
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
			return roles_problem(m, code);
		why = role_records_sum(m->memory.records, m->memory.blocks, m->memory.board.warps, m->sums[i]);
		if (why)
			return roles_wrong(m, why);
	}
	return 0;
}

/* ---- rows ---- */

static int roles_registers_of(const struct metered *m, const void *function)
{
	const struct plugin_runtime *runtime = registry_runtime(m->launch.w->family);
	struct cudaFuncAttributes attributes;

	return runtime->attributes(&attributes, function) == cudaSuccess ? attributes.numRegs : 0;
}

static void roles_write_run(const struct metered *m)
{
	const struct role_plan *plan = m->launch.variant->roles;
	const struct value row[ROLERUN_NUMBER] = {
		[ROLERUN_family] = VALUE_OF_TEXT(m->launch.w->family->name),
		[ROLERUN_variant] = VALUE_OF_TEXT(m->launch.variant->name),
		[ROLERUN_caseLabel] = VALUE_OF_TEXT(m->launch.size->label),
		[ROLERUN_exposedVariant] =
			plan->without ? VALUE_OF_TEXT(plan->without) : (struct value){.kind = VALUE_NULL},
		[ROLERUN_stageBytes] = VALUE_OF_INT(plan->stage_bytes),
		[ROLERUN_blocks] = VALUE_OF_INT((int64_t)m->memory.blocks),
		[ROLERUN_plainNs] = VALUE_OF_REAL(m->turns.plain_ns),
		[ROLERUN_meteredNs] = VALUE_OF_REAL(m->turns.other_ns),
		[ROLERUN_plainRegisters] = VALUE_OF_INT(roles_registers_of(m, m->plain.function)),
		[ROLERUN_meteredRegisters] = VALUE_OF_INT(roles_registers_of(m, m->metered.function)),
	};

	worker_row(m->launch.w, TABLE_ROLERUN, row);
}

static void roles_write_sum(const struct metered *m, int launch, enum role role)
{
	const struct role_sum *sum = &m->sums[launch][role];
	const struct value row[ROLE_NUMBER] = {
		[ROLE_family] = VALUE_OF_TEXT(m->launch.w->family->name),
		[ROLE_variant] = VALUE_OF_TEXT(m->launch.variant->name),
		[ROLE_caseLabel] = VALUE_OF_TEXT(m->launch.size->label),
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
		worker_row(m->launch.w, TABLE_ROLE, row);
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

/* The metered kernel must do the same work. Its first launch loads it, too, which must not happen behind the gate. */
static int roles_check_result(struct metered *m)
{
	const struct family *f = m->launch.w->family;
	struct check_result result;
	cudaError_t code = f->poison(m->launch.state, m->launch.w->stream);

	if (code == cudaSuccess)
		code = roles_launch_metered(m);
	if (code == cudaSuccess)
		code = f->check(m->launch.state, &result);
	if (code != cudaSuccess)
		return roles_problem(m, code);
	return result.wrong == 0 || m->launch.variant->teaches_failure ? 0 : roles_wrong(m, "the result is wrong");
}

static int roles_measure(struct metered *m)
{
	int result = launch_warm_up(&m->launch, NULL);

	m->turns = (struct turns){m->batcher, roles_launch_plain, roles_launch_metered, m, 0, 0};
	if (result == 0)
		result = roles_problem(m, turns_take(&m->turns));
	return result == 0 ? roles_take_records(m) : result;
}

int roles_measure_variant(const struct launch *launch, struct batcher *batcher)
{
	struct metered m = {.launch = *launch, .batcher = batcher};
	struct worker *w = launch->w;
	int result;

	worker_at(w, launch->variant, launch->size);
	result = roles_problem(&m, launch->variant->config(launch->state, &m.plain));
	if (result < 0)
		return -1;
	nvtx_push_variant(w->family, launch->variant);
	nvtx_push_iteration(PASS_PHASES, launch->variant, launch->size->label, 0);
	result = roles_problem(&m, role_memory_open(&m.memory, &m.plain));
	if (result == 0)
		result = roles_check_result(&m);
	if (result == 0)
		result = roles_measure(&m);
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
