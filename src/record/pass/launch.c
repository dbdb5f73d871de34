/* launch.c: see launch.h. */
#include "record/pass/launch.h"

#include "record/worker/select.h"
#include "util/clock.h"

static const int64_t WARM_UP_NS = 30000000;

/* A pass that launches each variant many times is left out where one launch takes longer (ns). */
static const int64_t LAUNCH_LONGEST_NS = INT64_C(5000000000);

bool launch_wanted(const struct worker *w, const struct variant *variant, const struct size_case *size)
{
	return worker_wants(w, variant, size) &&
	       !select_skipped(w->options, w->family->name, variant->name, size->label);
}

int launch_once(const struct launch *launch, struct enqueued *done)
{
	struct worker *w = launch->w;
	struct enqueued ignored = {0};
	cudaError_t code = launch->variant->launch(launch->state, w->stream, !done ? &ignored : done);

	if (code == cudaSuccess)
		code = cudaStreamSynchronize(w->stream);
	return code == cudaSuccess ? 0 : worker_cuda_problem(w, launch->variant, launch->size, code);
}

int launch_warm_up(const struct launch *launch, int64_t *shortest)
{
	int64_t until, least = INT64_MAX;

	/* The first launch may load the kernel, which can take longer than the whole warm-up. */
	if (launch_once(launch, NULL) < 0)
		return -1;
	until = clock_monotonic() + WARM_UP_NS;
	do {
		int64_t begin = clock_monotonic(), ns;

		if (launch_once(launch, NULL) < 0)
			return -1;
		ns = clock_monotonic() - begin;
		if (ns < least)
			least = ns;
	} while (clock_monotonic() < until);
	if (least > LAUNCH_LONGEST_NS && !launch->w->measured)
		return error_set(&launch->w->skipped, "%s, case %s: a launch takes %.1f s, too long to be repeated",
			launch->variant->name, launch->size->label, (double)least / 1e9);
	if (shortest)
		*shortest = least;
	return 0;
}

void launch_problem(const struct launch *launch, const struct error *err)
{
	worker_problem(launch->w, "%s/%s, case %s: %s", launch->w->family->name, launch->variant->name,
		launch->size->label, err->text);
}

int launch_refused(const struct launch *launch, const struct error *err)
{
	struct worker *w = launch->w;

	if (err->text[0] == '\0')
		return -1;
	if (!w->measured) {
		w->skipped = *err;
		return -1;
	}
	launch_problem(launch, err);
	return 0;
}
