/* step-load.c: see step-load.h. */
#include "contrast/step/step-load.h"

int step_calls_load(const char *path, const struct launches_options *options, size_t step, struct step_calls *out,
	struct error *err)
{
	struct launches_options again = *options;
	struct launches run;

	*out = (struct step_calls){.step = step};
	again.calls = out;
	again.split = again.places = false;
	if (launches_load(path, &again, &run, err) < 0) {
		step_calls_free(out);
		return -1;
	}
	launches_release(&run);
	return 0;
}
