/* forecast.c: see forecast.h. */
#include "record/pass/forecast.h"

#include <stdlib.h>

#include "tools/calibrate.h"
#include "analyze/analyze.h"
#include "record/cupti/cuda-error.h"
#include "record/worker/registry.h"
#include "record/worker/select.h"
#include "util/alloc.h"
#include "util/clock.h"

struct forecast {
	struct worker *w;
	struct machine machine;
};

static void write_machine(const struct forecast *f)
{
	for (int i = 0; i < machine_constants_count; i++) {
		const struct machine_constant *constant = &machine_constants[i];
		const struct value row[MACHINE_NUMBER] = {
			[MACHINE_family] = VALUE_OF_TEXT(f->w->family->name),
			[MACHINE_key] = VALUE_OF_TEXT(constant->key),
			[MACHINE_title] = VALUE_OF_TEXT(constant->title),
			[MACHINE_value] = worker_real(machine_value(&f->machine, constant)),
			[MACHINE_unit] = VALUE_OF_TEXT(constant->unit),
		};
		worker_row(f->w, TABLE_MACHINE, row);
	}
}

struct forecast *forecast_open(struct worker *w, struct error *err)
{
	struct forecast *f = xcalloc(1, sizeof(*f));
	cudaError_t code;

	f->w = w;
	code = calibrate(w->options->device, w->stream, &f->machine);
	if (code != cudaSuccess) {
		cuda_error(err, code, "the machine's constants cannot be measured");
		free(f);
		return NULL;
	}
	write_machine(f);
	return f;
}

/* The launch that the kernel's configuration makes. Without a kernel to ask, it has only a shape. */
static cudaError_t take_launch(
	const struct family *family, const struct variant *variant, void *state, struct predicted_variant *out)
{
	struct kernel_config config = {0};
	cudaError_t code;

	if (out->shape.is_pipeline || !variant->config)
		return cudaSuccess;
	code = variant->config(state, &config);
	if (code != cudaSuccess || !config.function)
		return code;
	out->blocks = (double)config.grid[0] * config.grid[1] * config.grid[2];
	out->threads = (double)config.block[0] * config.block[1] * config.block[2];
	return registry_runtime(family)->resident(
		&out->resident, config.function, (int)out->threads, config.dynamic_smem);
}

static int predict_variant(const struct forecast *f, const struct variant *variant, const struct size_case *size,
	void *state, struct prediction *out)
{
	struct predicted_variant v = {0};
	cudaError_t code;

	variant->shape(size, &v.shape);
	code = take_launch(f->w->family, variant, state, &v);
	if (code != cudaSuccess)
		return worker_cuda_problem(f->w, variant, size, code);
	predict(&f->machine, &v, out);
	return 0;
}

static void write_prediction(const struct forecast *f, const struct size_case *size, const struct pair *pair,
	const struct prediction *single, const struct prediction *dbl)
{
	const struct value row[PREDICTION_NUMBER] = {
		[PREDICTION_family] = VALUE_OF_TEXT(f->w->family->name),
		[PREDICTION_caseLabel] = VALUE_OF_TEXT(size->label),
		[PREDICTION_single] = VALUE_OF_TEXT(pair->single->name),
		[PREDICTION_double] = VALUE_OF_TEXT(pair->dbl->name),
		[PREDICTION_timestamp] = VALUE_OF_INT(clock_realtime()),
		[PREDICTION_ratio] = worker_real(single->seconds / dbl->seconds),
		[PREDICTION_singleNs] = worker_real(single->seconds * 1e9),
		[PREDICTION_doubleNs] = worker_real(dbl->seconds * 1e9),
		[PREDICTION_singleBound] = VALUE_OF_TEXT(single->bound),
		[PREDICTION_doubleBound] = VALUE_OF_TEXT(dbl->bound),
		[PREDICTION_singleUnderWay] = worker_real(single->under_way),
		[PREDICTION_doubleUnderWay] = worker_real(dbl->under_way),
		[PREDICTION_singleNeeded] = worker_real(single->needed),
		[PREDICTION_doubleNeeded] = worker_real(dbl->needed),
	};

	worker_row(f->w, TABLE_PREDICTION, row);
	worker_flush(f->w);
}

int forecast_case(struct forecast *f, const struct size_case *size, void *state)
{
	struct pair pair = select_pair(f->w->family, size);
	struct prediction single = {0}, dbl = {0};

	if (!pair.single->shape || !pair.dbl->shape || !worker_wants(f->w, pair.single, size) ||
		!worker_wants(f->w, pair.dbl, size))
		return 0;
	if (predict_variant(f, pair.single, size, state, &single) < 0 ||
		predict_variant(f, pair.dbl, size, state, &dbl) < 0)
		return -1;
	write_prediction(f, size, &pair, &single, &dbl);
	return 0;
}

void forecast_close(struct forecast *f)
{
	free(f);
}
