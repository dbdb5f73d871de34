/* timing-rows.c: what the time pass writes down: see timing.h. */
#include "record/cupti/nvml.h"
#include "record/pass/timing.h"
#include "util/clock.h"

void timing_write_clocks(struct timing *t, int block)
{
	struct nvml_clocks clocks;

	if (!t->nvml)
		return;
	nvml_read(t->nvml, &clocks);
	const struct value row[CLOCK_NUMBER] = {
		[CLOCK_timestamp] = VALUE_OF_INT(clock_realtime()),
		[CLOCK_deviceId] = VALUE_OF_INT(t->w->options->device),
		[CLOCK_smMhz] = VALUE_OF_INT_IF(clocks.sm_mhz, clocks.sm_mhz >= 0),
		[CLOCK_memMhz] = VALUE_OF_INT_IF(clocks.mem_mhz, clocks.mem_mhz >= 0),
		[CLOCK_temperatureC] = VALUE_OF_INT_IF(clocks.temperature_c, clocks.temperature_c >= 0),
		[CLOCK_powerMw] = VALUE_OF_INT_IF(clocks.power_mw, clocks.power_mw >= 0),
		[CLOCK_throttle] = VALUE_OF_INT_IF(clocks.throttle, clocks.throttle >= 0),
		[CLOCK_family] = VALUE_OF_TEXT(t->w->family->name),
		[CLOCK_caseLabel] = VALUE_OF_TEXT(t->size->label),
		[CLOCK_block] = VALUE_OF_INT(block),
		[CLOCK_processes] = VALUE_OF_INT_IF(clocks.processes, clocks.processes >= 0),
	};
	worker_row(t->w, TABLE_CLOCK, row);
}

/* NVML's clock is read at once, before the GPU can have slowed down again. */
void timing_write_sample(
	struct timing *t, const struct timed *v, int block, int position, const struct batch_result *result)
{
	const long long mhz = nvml_sm_mhz(t->nvml);
	const struct value row[SAMPLE_NUMBER] = {
		[SAMPLE_smClockMhz] = VALUE_OF_INT_IF(mhz, mhz >= 0),
		[SAMPLE_family] = VALUE_OF_TEXT(t->w->family->name),
		[SAMPLE_variant] = VALUE_OF_TEXT(v->variant->name),
		[SAMPLE_caseLabel] = VALUE_OF_TEXT(t->size->label),
		[SAMPLE_block] = VALUE_OF_INT(block),
		[SAMPLE_position] = VALUE_OF_INT(position),
		[SAMPLE_launches] = VALUE_OF_INT(v->launches),
		[SAMPLE_ns] = VALUE_OF_REAL(result->ns / v->launches),
		[SAMPLE_run] = VALUE_OF_INT(t->w->options->run),
		[SAMPLE_measuredMhz] = worker_real(result->mhz),
	};
	worker_row(t->w, TABLE_SAMPLE, row);
}
