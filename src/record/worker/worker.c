/* worker.c: see worker.h. */
#include "record/worker/worker.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "record/cupti/cuda-error.h"
#include "record/worker/fits.h"
#include "record/worker/registry.h"
#include "record/worker/result.h"
#include "record/worker/select.h"
#include "util/clock.h"
#include "util/machine/memory.h"

enum { DIAGNOSTIC_OF_TARGET = 1, DIAGNOSTIC_BY_INJECTION = 1, IDS_OF_FAMILY = 10000 };

/* ---- rows and problems ---- */

static bool is_measurement(enum table_id table)
{
	return table == TABLE_VERIFY || table == TABLE_SAMPLE || table == TABLE_COUNT || table == TABLE_COUNTER ||
	       table == TABLE_PMRUN || table == TABLE_STALLRUN || table == TABLE_PHASERUN;
}

void worker_measured(struct worker *w)
{
	if (!w->measured)
		result_measured(w->result);
	w->measured = true;
}

void worker_row(struct worker *w, enum table_id table, const struct value *row)
{
	struct error err = {0};

	if (spool_row(w->spool, table, row, &err) < 0 && w->problem.text[0] == '\0')
		w->problem = err;
	if (is_measurement(table))
		worker_measured(w);
}

void worker_flush(struct worker *w)
{
	struct error err = {0};

	if (spool_flush(w->spool, &err) < 0 && w->problem.text[0] == '\0')
		w->problem = err;
}

/* "family/variant, case label" */
static void name_place(
	const struct worker *w, const struct variant *variant, const struct size_case *size, char *out, size_t room)
{
	snprintf(out, room, "%s%s%s, case %s", w->family->name, !variant ? "" : "/", !variant ? "" : variant->name,
		size->label);
}

void worker_at(struct worker *w, const struct variant *variant, const struct size_case *size)
{
	char what[256];

	name_place(w, variant, size, what, sizeof(what));
	result_at(w->result, what);
	if (size != w->at) {
		w->at = size;
		result_step(w->result, size->label, (int)(size - w->cases), w->ncases);
	}
}

static void diagnostic(struct worker *w, enum severity severity, const char *text)
{
	const struct value row[DIAGNOSTIC_NUMBER] = {
		[DIAGNOSTIC_timestamp] = VALUE_OF_INT(clock_realtime()),
		[DIAGNOSTIC_timestampType] = VALUE_OF_INT(DIAGNOSTIC_OF_TARGET),
		[DIAGNOSTIC_source] = VALUE_OF_INT(DIAGNOSTIC_BY_INJECTION),
		[DIAGNOSTIC_severity] = VALUE_OF_INT(severity),
		[DIAGNOSTIC_text] = VALUE_OF_TEXT(text),
		[DIAGNOSTIC_globalPid] = VALUE_OF_INT((int64_t)getpid() << 24),
	};
	worker_row(w, TABLE_DIAGNOSTIC, row);
}

void worker_note(struct worker *w, enum severity severity, const char *format, ...)
{
	char text[1024];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	diagnostic(w, severity, text);
}

void worker_problem(struct worker *w, const char *format, ...)
{
	char text[1024];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	diagnostic(w, SEVERITY_ERROR, text);
	if (w->problem.text[0] == '\0')
		error_set(&w->problem, "%s", text);
}

int worker_cuda_problem(struct worker *w, const struct variant *variant, const struct size_case *size, cudaError_t code)
{
	struct error err = {0};
	char what[256];

	name_place(w, variant, size, what, sizeof(what));
	cuda_error(&err, code, what);
	worker_problem(w, "%s", err.text);
	return -1;
}

bool worker_alive(const struct worker *w)
{
	/* Clears an error that does not stick, so that the next call does not get the blame. */
	(void)cudaGetLastError();
	(void)registry_runtime(w->family)->take_error();
	return cudaDeviceSynchronize() == cudaSuccess;
}

int64_t worker_next_id(struct worker *w)
{
	int family = 0;

	while (registry_family(family) != w->family)
		family++;
	return (int64_t)family * IDS_OF_FAMILY + w->ids++;
}

struct value worker_real(double x)
{
	if (isnan(x))
		return (struct value){.kind = VALUE_NULL};
	return VALUE_OF_REAL(x);
}

/* ---- cases and variants ---- */

/* 1 with the figures, rounded apart, so that they differ; 0 if there is enough. */
static int lacks(double need, double free_bytes, const char *memory, struct error *why)
{
	const double MIB = 1024 * 1024;

	if (need <= free_bytes)
		return 0;
	error_set(why, "needs %.0f MiB of %s memory, %.0f MiB are free", ceil(need / MIB), memory,
		floor(free_bytes / MIB));
	return 1;
}

int worker_lacks_memory(struct worker *w, const struct size_case *size, struct error *why)
{
	size_t free_bytes, total;
	cudaError_t code = cudaMemGetInfo(&free_bytes, &total);

	if (code != cudaSuccess)
		return worker_cuda_problem(w, NULL, size, code);
	if (lacks((double)w->family->device_bytes(size), (double)free_bytes, "GPU", why) > 0)
		return 1;
	return !w->family->host_bytes ? 0
				      : lacks((double)w->family->host_bytes(size), (double)memory_free(), "host", why);
}

bool worker_leaves_out(struct worker *w, const struct size_case *size, struct error *why)
{
	return size != w->cases && worker_lacks_memory(w, size, why) > 0;
}

static int check_memory(struct worker *w, const struct size_case *size)
{
	struct error why = {0};
	int missing = worker_lacks_memory(w, size, &why);

	if (missing > 0)
		worker_problem(w, "memory too small: %s/%s %s: make it smaller with --set", w->family->name,
			size->label, why.text);
	return missing == 0 ? 0 : -1;
}

/* A variant that failed before does so again: it is left out, as where it is launched. */
static bool has_to_prepare(const struct worker *w, const struct variant *variant, const struct size_case *size)
{
	return variant->prepare && worker_wants(w, variant, size) &&
	       !select_skipped(w->options, w->family->name, variant->name, size->label);
}

/* What fails for good on the GPU is told of the variant that was prepared. -1 with the problem noted. */
static int prepare_variants(struct worker *w, const struct size_case *size, void *state)
{
	for (int i = 0; i < w->family->nvariants; i++) {
		const struct variant *variant = &w->family->variants[i];
		cudaError_t code;

		if (!has_to_prepare(w, variant, size))
			continue;
		worker_at(w, variant, size);
		variant->prepare(state, w->stream);
		code = cudaStreamSynchronize(w->stream);
		if (code != cudaSuccess)
			return worker_cuda_problem(w, variant, size, code);
		worker_at(w, NULL, size);
	}
	return 0;
}

int worker_set_up(struct worker *w, const struct size_case *size, void **state)
{
	char message[512] = "";
	cudaError_t code;

	*state = NULL;
	if (check_memory(w, size) < 0)
		return -1;
	code = w->family->set_up(size, w->options->seed, state, message, sizeof(message));
	if (code == cudaSuccess) {
		if (prepare_variants(w, size, *state) == 0)
			return 0;
		w->family->tear_down(*state);
		*state = NULL;
		return -1;
	}
	if (message[0] == '\0')
		return worker_cuda_problem(w, NULL, size, code);
	worker_problem(w, "%s, case %s: %s", w->family->name, size->label, message);
	return -1;
}

const char *worker_unsupported(const struct worker *w, const struct variant *variant, const struct size_case *size)
{
	return fits_not(w->family, variant, &w->device, size);
}

bool worker_wants(const struct worker *w, const struct variant *variant, const struct size_case *size)
{
	return select_variant(w->options, w->family, variant) && select_in_case(w->family, variant, size) &&
	       (w->pass == PASS_TIME || !variant_is_part(variant->kind)) && !worker_unsupported(w, variant, size);
}
