/* step-window.c: see step-window.h. */
#include "contrast/step/step-window.h"

#include "contrast/step/step-calls.h"
#include "store/event.h"
#include "util/number.h"

const char *step_window_word(enum step_window_kind kind)
{
	static const char *const words[] = {[WINDOW_DURATION] = "duration",
		[WINDOW_PERIOD] = "period",
		[WINDOW_KERNELS] = "kernels",
		[WINDOW_WORK] = "work",
		[WINDOW_RUN] = "run"};

	return words[kind];
}

struct step_window step_window_of_work(const struct step_calls *step)
{
	if (step->whole)
		return (struct step_window){WINDOW_RUN, step->from, step->to};
	if (step->gpu_start == TIME_NONE || step->gpu_end <= step->gpu_start)
		return (struct step_window){WINDOW_DURATION, step->from, step->to};
	return (struct step_window){WINDOW_WORK, step->gpu_start, step->gpu_end};
}

struct step_window step_window_of(const struct step_calls *step, enum step_measure measure)
{
	int64_t period = measure == STEP_DURATION ? NO_TIME : step->host_ns[measure];
	int64_t next = int64_sum(step->start, period);

	if (step->whole)
		return step_window_of_work(step);
	if (period > 0 && step->kernels_to > next)
		return (struct step_window){WINDOW_KERNELS, step->kernels_from, int64_sum(step->kernels_from, period)};
	if (period > 0)
		return (struct step_window){WINDOW_PERIOD, step->start, next};
	if (step->end <= step->start || step->gpu_end > step->end)
		return step_window_of_work(step);
	return (struct step_window){WINDOW_DURATION, step->start, step->end};
}
