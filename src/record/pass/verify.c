/* verify.c: is every variant right? Also notes each kernel's resources and the step by step scans. */
#include "record/pass/steps.h"
#include "record/worker/worker.h"

#include <math.h>

#include "record/pass/once.h"
#include "record/worker/nvtx.h"
#include "record/worker/registry.h"
#include "record/worker/result.h"
#include "record/worker/select.h"
#include "util/clock.h"

/* Runs of a case. A variant that is wrong on purpose gets many, because a race may show in one run of fifty. */
enum { RUNS_HEADLINE = 3, RUNS_OTHER = 1, RUNS_HEADLINE_FAILURE = 50, RUNS_OTHER_FAILURE = 10 };
static const int64_t FAILURE_BUDGET_NS = 1000000000; /* time for the many runs, once RUNS_HEADLINE are done */

struct subject {
	struct worker *w;
	const struct variant *variant;
	const struct size_case *size;
	void *state;
};

static void write_resources(const struct subject *s, const struct kernel_config *config)
{
	const struct plugin_runtime *runtime = registry_runtime(s->w->family);
	struct cudaFuncAttributes attributes;
	const char *symbol = NULL;
	int threads = (int)(config->block[0] * config->block[1] * config->block[2]), blocks;
	cudaError_t code = runtime->attributes(&attributes, config->function);

	if (code == cudaSuccess)
		code = runtime->symbol(&symbol, config->function);
	if (code == cudaSuccess)
		code = runtime->resident(&blocks, config->function, threads, config->dynamic_smem);
	if (code != cudaSuccess) {
		worker_cuda_problem(s->w, s->variant, s->size, code);
		return;
	}
	const struct value row[RESOURCE_NUMBER] = {
		[RESOURCE_family] = VALUE_OF_TEXT(s->w->family->name),
		[RESOURCE_variant] = VALUE_OF_TEXT(s->variant->name),
		[RESOURCE_caseLabel] = VALUE_OF_TEXT(s->size->label),
		[RESOURCE_symbol] = VALUE_OF_TEXT(symbol),
		[RESOURCE_gridX] = VALUE_OF_INT(config->grid[0]),
		[RESOURCE_gridY] = VALUE_OF_INT(config->grid[1]),
		[RESOURCE_gridZ] = VALUE_OF_INT(config->grid[2]),
		[RESOURCE_blockX] = VALUE_OF_INT(config->block[0]),
		[RESOURCE_blockY] = VALUE_OF_INT(config->block[1]),
		[RESOURCE_blockZ] = VALUE_OF_INT(config->block[2]),
		[RESOURCE_registers] = VALUE_OF_INT(attributes.numRegs),
		[RESOURCE_staticSmem] = VALUE_OF_INT(attributes.sharedSizeBytes),
		[RESOURCE_dynamicSmem] = VALUE_OF_INT(config->dynamic_smem),
		[RESOURCE_localBytes] = VALUE_OF_INT(attributes.localSizeBytes),
		[RESOURCE_blocksPerSm] = VALUE_OF_INT(blocks),
	};
	worker_row(s->w, TABLE_RESOURCE, row);
}

static void resources(const struct subject *s)
{
	struct kernel_config config = {0};
	cudaError_t code;

	if (!s->variant->config)
		return;
	code = s->variant->config(s->state, &config);
	if (code != cudaSuccess)
		worker_cuda_problem(s->w, s->variant, s->size, code);
	else if (config.function)
		write_resources(s, &config);
}

static void steps(const struct subject *s)
{
	struct step_table table = {0};
	cudaError_t code;

	if (!s->variant->steps || s->size != &s->w->cases[0])
		return;
	code = s->variant->steps(s->state, &table);
	if (code != cudaSuccess) {
		worker_cuda_problem(s->w, s->variant, s->size, code);
		return;
	}
	for (int i = 0; i < table.rows * STEP_ELEMENTS; i++) {
		int r = i / STEP_ELEMENTS, element = i % STEP_ELEMENTS;
		const struct value row[STEP_NUMBER] = {
			[STEP_family] = VALUE_OF_TEXT(s->w->family->name),
			[STEP_variant] = VALUE_OF_TEXT(s->variant->name),
			[STEP_row] = VALUE_OF_INT(r),
			[STEP_stride] = VALUE_OF_INT(table.stride[r]),
			[STEP_element] = VALUE_OF_INT(element),
			[STEP_value] = worker_real(table.value[r][element]),
			[STEP_racy] = VALUE_OF_INT(table.racy[r][element]),
		};
		worker_row(s->w, TABLE_STEP, row);
	}
}

static cudaError_t poison_launch_check(const struct subject *s, struct check_result *out)
{
	struct enqueued done = {0};
	cudaError_t code = s->w->family->poison(s->state, s->w->stream);

	if (code == cudaSuccess)
		code = s->variant->launch(s->state, s->w->stream, &done);
	if (code == cudaSuccess)
		code = cudaStreamSynchronize(s->w->stream);
	return code == cudaSuccess ? s->w->family->check(s->state, out) : code;
}

static void write_verify(const struct subject *s, int run, const struct check_result *check)
{
	struct value row[VERIFY_NUMBER] = {
		[VERIFY_family] = VALUE_OF_TEXT(s->w->family->name),
		[VERIFY_variant] = VALUE_OF_TEXT(s->variant->name),
		[VERIFY_caseLabel] = VALUE_OF_TEXT(s->size->label),
		[VERIFY_run] = VALUE_OF_INT(run),
		[VERIFY_seed] = VALUE_OF_INT(s->w->options->seed),
		[VERIFY_elements] = VALUE_OF_INT(check->elements),
		[VERIFY_wrong] = VALUE_OF_INT(check->wrong),
		[VERIFY_maxError] = worker_real(check->max_error),
	};

	if (check->wrong > 0) {
		row[VERIFY_firstWrong] = VALUE_OF_INT(check->first_wrong);
		row[VERIFY_got] = worker_real(check->got);
		row[VERIFY_want] = worker_real(check->want);
	}
	worker_row(s->w, TABLE_VERIFY, row);
}

static void tell_wrong(const struct subject *s, const struct check_result *check)
{
	char got[64] = "was never written";

	if (check->what) {
		worker_problem(s->w, "%s/%s is wrong in case %s: %s (%zu times)", s->w->family->name, s->variant->name,
			s->size->label, check->what, check->wrong);
		return;
	}
	if (!isnan(check->got))
		snprintf(got, sizeof(got), "is %.9g", check->got);
	worker_problem(s->w,
		"%s/%s is wrong in case %s: element %zu %s, should be %.9g (%zu of %zu elements are wrong)",
		s->w->family->name, s->variant->name, s->size->label, check->first_wrong, got, check->want,
		check->wrong, check->elements);
}

/* One run. 1: right, 0: wrong, -1: it could not be done. */
static int verify_run_once(const struct subject *s, int run, bool first_wrong)
{
	struct check_result check = {0};
	cudaError_t code;

	nvtx_push_iteration(PASS_VERIFY, s->variant, s->size->label, run);
	code = poison_launch_check(s, &check);
	nvtx_pop();
	if (code != cudaSuccess)
		return worker_cuda_problem(s->w, s->variant, s->size, code);
	write_verify(s, run, &check);
	if (check.wrong > 0 && first_wrong && !s->variant->teaches_failure)
		tell_wrong(s, &check);
	return check.wrong == 0;
}

static int runs_wanted(const struct subject *s)
{
	bool headline = s->size == &s->w->cases[0];

	if (s->w->options->once)
		return 1;
	if (s->variant->teaches_failure)
		return headline ? RUNS_HEADLINE_FAILURE : RUNS_OTHER_FAILURE;
	return headline ? RUNS_HEADLINE : RUNS_OTHER;
}

static void run_all(const struct subject *s)
{
	int64_t until = clock_monotonic() + FAILURE_BUDGET_NS;
	int runs = runs_wanted(s), wrong = 0;

	for (int run = 0; run < runs; run++) {
		int right = verify_run_once(s, run, wrong == 0);

		if (right < 0)
			return;
		wrong += !right;
		if (run + 1 >= RUNS_HEADLINE && clock_monotonic() >= until)
			break;
	}
	if (wrong == 0 && !s->variant->teaches_failure)
		result_right(s->w->result, s->w->family->name, s->variant->name, s->size->label);
}

static void write_unsupported(const struct subject *s, const char *reason)
{
	const struct value row[UNSUPPORTED_NUMBER] = {
		[UNSUPPORTED_family] = VALUE_OF_TEXT(s->w->family->name),
		[UNSUPPORTED_variant] = VALUE_OF_TEXT(s->variant->name),
		[UNSUPPORTED_caseLabel] = VALUE_OF_TEXT(s->size->label),
		[UNSUPPORTED_reason] = VALUE_OF_TEXT(reason),
	};
	worker_row(s->w, TABLE_UNSUPPORTED, row);
}

static void write_buffers(const struct subject *s)
{
	const struct value row[BUFFERS_NUMBER] = {
		[BUFFERS_family] = VALUE_OF_TEXT(s->w->family->name),
		[BUFFERS_variant] = VALUE_OF_TEXT(s->variant->name),
		[BUFFERS_caseLabel] = VALUE_OF_TEXT(s->size->label),
		[BUFFERS_buffers] = VALUE_OF_INT(s->variant->buffers_of(&s->w->device, s->size)),
	};
	worker_row(s->w, TABLE_BUFFERS, row);
}

static void verify_variant(const struct subject *s)
{
	const char *reason = worker_unsupported(s->w, s->variant, s->size);

	if (reason)
		write_unsupported(s, reason);
	if (reason || (variant_is_part(s->variant->kind) && !s->w->options->once))
		return;
	worker_at(s->w, s->variant, s->size);
	nvtx_push_variant(s->w->family, s->variant);
	if (s->variant->buffers_of)
		write_buffers(s);
	if (!variant_is_part(s->variant->kind)) {
		resources(s);
		steps(s);
		run_all(s);
	}
	if (s->w->options->once)
		once_unchecked(s->w, s->variant, s->size, s->state);
	nvtx_pop();
	worker_flush(s->w);
}

/* A case for which this machine has no room may be left out; the recording says so. */
static bool verify_is_too_large(struct subject *s)
{
	struct error why = {0};

	if (!worker_leaves_out(s->w, s->size, &why))
		return false;
	for (int i = 0; i < s->w->family->nvariants; i++) {
		s->variant = &s->w->family->variants[i];
		if (select_variant(s->w->options, s->w->family, s->variant) &&
			select_in_case(s->w->family, s->variant, s->size))
			write_unsupported(s, why.text);
	}
	return true;
}

/* False if CUDA is dead: nothing more can run in this process. */
static bool verify_case(struct worker *w, const struct size_case *size)
{
	struct subject s = {.w = w, .size = size};
	bool alive = true;

	worker_at(w, NULL, size);
	if (verify_is_too_large(&s))
		return worker_alive(w);
	if (worker_set_up(w, size, &s.state) < 0)
		return worker_alive(w);
	for (int i = 0; alive && i < w->family->nvariants; i++) {
		s.variant = &w->family->variants[i];
		if (!select_variant(w->options, w->family, s.variant) || !select_in_case(w->family, s.variant, size))
			continue;
		verify_variant(&s);
		alive = worker_alive(w);
	}
	w->family->tear_down(s.state);
	return alive;
}

static void pass_verify_run(struct worker *w)
{
	nvtx_push_family(w->family);
	for (int i = 0; i < w->ncases; i++) {
		if (!verify_case(w, &w->cases[i])) {
			worker_problem(w, "%s: the CUDA context was lost in case %s: what comes after was not verified",
				w->family->name, w->cases[i].label);
			break;
		}
	}
	nvtx_pop();
}

const struct pass_steps pass_verify = {NULL, pass_verify_run, NULL};
