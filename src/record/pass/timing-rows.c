/* timing-rows.c: what the time pass writes down: see timing.h. */
#include "record/cupti/nvml.h"
#include "record/pass/timing.h"
#include "util/clock.h"

static struct value timing_rows_known(long long reading)
{
	if (reading < 0)
		return (struct value){.kind = VALUE_NULL};
	return VALUE_OF_INT(reading);
}

void timing_write_clocks(struct timing *t, int block)
{
	struct nvml_clocks clocks;

	if (!t->nvml)
		return;
	nvml_read(t->nvml, &clocks);
	const struct value row[CLOCK_NUMBER] = {
		[CLOCK_timestamp] = VALUE_OF_INT(clock_realtime()),
		[CLOCK_deviceId] = VALUE_OF_INT(t->w->options->device),
		[CLOCK_smMhz] = timing_rows_known(clocks.sm_mhz),
		[CLOCK_memMhz] = timing_rows_known(clocks.mem_mhz),
		[CLOCK_temperatureC] = timing_rows_known(clocks.temperature_c),
		[CLOCK_powerMw] = timing_rows_known(clocks.power_mw),
		[CLOCK_throttle] = timing_rows_known(clocks.throttle),
		[CLOCK_family] = VALUE_OF_TEXT(t->w->family->name),
		[CLOCK_caseLabel] = VALUE_OF_TEXT(t->size->label),
		[CLOCK_block] = VALUE_OF_INT(block),
		[CLOCK_processes] = timing_rows_known(clocks.processes),
	};
	worker_row(t->w, TABLE_CLOCK, row);
}

/* NVML's clock is read at once, before the GPU can have slowed down again. */
void timing_write_sample(
	struct timing *t, const struct timed *v, int block, int position, const struct batch_result *result)
{
	const struct value row[SAMPLE_NUMBER] = {
		[SAMPLE_smClockMhz] = timing_rows_known(nvml_sm_mhz(t->nvml)),
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
