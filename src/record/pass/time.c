/* time.c: how long does it take? CUDA events around batches of launches; CUPTI is not loaded. timing.c takes the
 * samples. */
#include <stdlib.h>
#include <string.h>

#include "record/cupti/nvml.h"
#include "record/machine/device.h"
#include "record/pass/forecast.h"
#include "record/pass/items.h"
#include "record/pass/steps.h"
#include "record/pass/timing.h"
#include "record/worker/nvtx.h"
#include "record/worker/result.h"
#include "record/worker/select.h"
#include "util/alloc.h"

/* Which of the pair the variant is in this case, or NULL. */
static struct kept_samples *kept_for(struct timing *t, const struct variant *variant)
{
	struct pair pair = select_pair(t->w->family, t->size);

	if (variant == pair.single)
		return &t->pair[0];
	return variant == pair.dbl ? &t->pair[1] : NULL;
}

/* Variants that are wrong on purpose are never timed, nor are those that verify did not find right. */
static void time_choose(struct timing *t)
{
	t->n = 0;
	t->pair[0].n = t->pair[1].n = 0;
	for (int i = 0; i < t->w->family->nvariants; i++) {
		const struct variant *variant = &t->w->family->variants[i];

		if (!variant->teaches_failure && worker_wants(t->w, variant, t->size) &&
			!select_skipped(t->w->options, t->w->family->name, variant->name, t->size->label))
			t->timed[t->n++] =
				(struct timed){.variant = variant, .timing = t, .kept = kept_for(t, variant)};
	}
}

static int time_run_case(struct timing *t)
{
	if (t->forecast && forecast_case(t->forecast, t->size, t->state) < 0)
		return -1;
	return time_variants(t) < 0 ? -1 : items_measure(t);
}

/* A case may be left out if this machine has no room for it. */
static bool time_is_too_large(struct worker *w, const struct size_case *size)
{
	struct error why = {0};

	if (!worker_leaves_out(w, size, &why))
		return false;
	worker_note(w, SEVERITY_INFO, "%s, case %s is not timed: it %s", w->family->name, size->label, why.text);
	return true;
}

/* False if CUDA is dead. */
static bool time_case(struct timing *t, const struct size_case *size)
{
	int result;

	t->size = size;
	time_choose(t);
	if (t->n == 0 || time_is_too_large(t->w, size))
		return worker_alive(t->w);
	t->cases++;
	worker_at(t->w, NULL, size);
	result = worker_set_up(t->w, size, &t->state);
	if (result == 0) {
		result = time_run_case(t);
		t->w->family->tear_down(t->state);
		worker_flush(t->w);
		if (size->sweep)
			result_swept(t->w->result);
	}
	return result == 0 || worker_alive(t->w);
}

static void time_cases(struct timing *t)
{
	nvtx_push_family(t->w->family);
	for (int i = 0; i < t->w->ncases; i++)
		if (!t->w->cases[i].verify_only && !time_case(t, &t->w->cases[i]))
			break;
	nvtx_pop();
}

static void open_nvml(struct timing *t)
{
	char pci[PCI_TEXT];
	struct error err = {0};

	device_pci(t->w->options->device, pci);
	t->nvml = nvml_open(pci, &err);
	if (!t->nvml)
		worker_note(t->w, SEVERITY_WARNING, "clocks are not recorded: %s", err.text);
}

/* Before anything of the family is timed, the machine is measured once and predictions are made. */
static void open_forecast(struct timing *t)
{
	struct error err = {0};

	if (t->w->options->run != 0)
		return;
	t->forecast = forecast_open(t->w, &err);
	if (!t->forecast)
		worker_note(t->w, SEVERITY_WARNING, "nothing is predicted: %s", err.text);
}

static void time_make_room(struct timing *t)
{
	t->timed = xcalloc((size_t)t->w->family->nvariants, sizeof(*t->timed));
	for (int i = 0; i < 2; i++) {
		t->pair[i].ns = xcalloc((size_t)BLOCKS_MAX * 2, sizeof(*t->pair[i].ns));
		t->pair[i].block = xcalloc((size_t)BLOCKS_MAX * 2, sizeof(*t->pair[i].block));
	}
}

static void free_room(struct timing *t)
{
	for (int i = 0; i < 2; i++) {
		free(t->pair[i].ns);
		free(t->pair[i].block);
	}
	free(t->timed);
}

static void time_run(struct timing *t)
{
	struct error err = {0};

	if (record_under_nsys())
		worker_note(t->w, SEVERITY_WARNING, "timed under Nsight Systems: the times include what it adds");
	if (batcher_open(&t->batcher, t->w->stream, &err) < 0) {
		worker_problem(t->w, "%s", err.text);
		return;
	}
	open_nvml(t);
	open_forecast(t);
	time_cases(t);
	forecast_close(t->forecast);
	nvml_close(t->nvml);
	batcher_close(&t->batcher);
	if (t->cases == 0)
		error_set(&t->w->skipped, "nothing to time: no chosen variant is supported here and right");
}

static void pass_time_run(struct worker *w)
{
	struct timing t = {.w = w};

	time_make_room(&t);
	time_run(&t);
	free_room(&t);
}

const struct pass_steps pass_time = {NULL, pass_time_run, NULL};
