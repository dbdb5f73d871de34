/* recording-checks.c: see recording-checks.h. */
#include "model/pair/recording-checks.h"

#include <stdio.h>
#include <string.h>

#include "model/device.h"
#include "store/rowset.h"
#include "tree/json.h"

/* How many of what is known of both differ. */
struct differences {
	size_t differing, unknown;
};

static void count_difference(struct differences *d, const char *base, const char *fresh)
{
	if (!base || !fresh)
		d->unknown++;
	else
		d->differing += strcmp(base, fresh) != 0;
}

/* Passed if all are known and alike. */
static void sum_up(const struct differences *d, struct pair_finding *out)
{
	if (d->differing == 0 && d->unknown > 0) {
		out->missing = "one-silent";
		return;
	}
	out->ok = d->differing ? OUTCOME_FAILED : OUTCOME_PASSED;
	out->figure = (double)d->differing;
	out->limit = 0;
}

static const char *compute_capability(const struct rows *device, char *text, size_t size)
{
	if (device->count == 0 || row_null(device, 0, GPU_computeMajor))
		return NULL;
	snprintf(text, size, "%d.%d", row_count(device, 0, GPU_computeMajor), row_count(device, 0, GPU_computeMinor));
	return text;
}

static struct differences gpu_differences(const struct comparing *in)
{
	struct rows base = device_row(&in->side[SIDE_BASE]), fresh = device_row(&in->side[SIDE_NEW]);
	char base_compute[32], new_compute[32];
	struct differences differences = {0};

	count_difference(&differences, base.count ? row_text(&base, 0, GPU_name) : NULL,
		fresh.count ? row_text(&fresh, 0, GPU_name) : NULL);
	count_difference(&differences, compute_capability(&base, base_compute, sizeof(base_compute)),
		compute_capability(&fresh, new_compute, sizeof(new_compute)));
	return differences;
}

void judge_gpu(const struct comparing *in, struct pair_finding *out)
{
	const struct differences differences = gpu_differences(in);

	sum_up(&differences, out);
}

bool gpus_differ(const struct comparing *in)
{
	return gpu_differences(in).differing > 0;
}

void judge_software(const struct comparing *in, struct pair_finding *out)
{
	static const char *const versions[] = {"driver", "cuda_driver", "cuda_runtime"};
	const struct store *base = in->side[SIDE_BASE].store, *fresh = in->side[SIDE_NEW].store;
	struct differences differences = {0};

	for (size_t i = 0; i < sizeof(versions) / sizeof(versions[0]); i++)
		count_difference(&differences, store_meta(base, versions[i]), store_meta(fresh, versions[i]));
	sum_up(&differences, out);
}

/* Times taken in two ways differ by what the ways do. A recording that does not say is older than one that does. */
void judge_method(const struct comparing *in, struct pair_finding *out)
{
	const char *base = store_meta(in->side[SIDE_BASE].store, "timing_method");
	const char *fresh = store_meta(in->side[SIDE_NEW].store, "timing_method");
	bool same = base && fresh && strcmp(base, fresh) == 0;

	if (!base && !fresh) {
		out->missing = "both-silent";
		return;
	}
	out->ok = same ? OUTCOME_PASSED : OUTCOME_FAILED;
	out->figure = !same;
	out->limit = 0;
	put_json(out->facts, "base", text_json(base));
	put_json(out->facts, "new", text_json(fresh));
}
