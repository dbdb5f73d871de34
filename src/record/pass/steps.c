/* steps.c: see steps.h. */
#include "record/pass/steps.h"

const struct pass_steps *pass_steps(enum pass pass)
{
	static const struct pass_steps *const passes[PASSES_NUMBER] = {
		[PASS_VERIFY] = &pass_verify,
		[PASS_TIME] = &pass_time,
		[PASS_TRACE] = &pass_trace,
		[PASS_PM] = &pass_pm,
		[PASS_COUNTERS] = &pass_counters,
		[PASS_STALLS] = &pass_stalls,
		[PASS_PHASES] = &pass_phases,
	};

	return passes[pass];
}
