/* evidence-gpu.c: whether both recordings were made under the same conditions: GPU, software, clocks, company.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "model/device.h"
#include "model/pair/evidence.h"
#include "words/compare.h"

/* ---- of the recordings as wholes: same GPU, same software, same way of timing ---- */

/* Adds "WHAT A in base, B in new" to `text` if the two differ. Of what is not known nothing can be said. */
static int differs(char *text, const char *what, const char *base, const char *fresh)
{
	size_t used = strlen(text);

	if (!base || !fresh)
		return CHECK_NOT_MEASURED;
	if (strcmp(base, fresh) == 0)
		return CHECK_PASSED;
	snprintf(
		text + used, TEXT_SIZE - used, "%s%s %.80s in base, %.80s in new", used ? "; " : "", what, base, fresh);
	return CHECK_FAILED;
}

/* How many differ; passed if all are known and alike. */
static void sum_up(const int *outcomes, size_t n, struct finding *out)
{
	size_t differing = 0, unknown = 0;

	for (size_t i = 0; i < n; i++) {
		differing += outcomes[i] == CHECK_FAILED;
		unknown += outcomes[i] == CHECK_NOT_MEASURED;
	}
	if (differing == 0 && unknown) {
		not_measured(out, "one of the two recordings does not say");
		return;
	}
	out->ok = differing == 0;
	out->figure = (double)differing;
	out->limit = 0;
}

static const char *compute_capability(const struct rows *device, char *text, size_t size)
{
	if (device->count == 0 || row_null(device, 0, GPU_computeMajor))
		return NULL;
	snprintf(text, size, "%d.%d", row_count(device, 0, GPU_computeMajor), row_count(device, 0, GPU_computeMinor));
	return text;
}

void judge_gpu(const struct comparing *in, struct finding *out)
{
	struct rows base = device_row(&in->side[SIDE_BASE]), fresh = device_row(&in->side[SIDE_NEW]);
	const char *name = base.count ? row_text(&base, 0, GPU_name) : NULL;
	char compute[SIDES][32];
	const char *capability = compute_capability(&base, compute[SIDE_BASE], sizeof(compute[0]));
	int outcomes[2];

	outcomes[0] = differs(out->text, "the GPU is", name, fresh.count ? row_text(&fresh, 0, GPU_name) : NULL);
	outcomes[1] = differs(out->text, "its compute capability is", capability,
		compute_capability(&fresh, compute[SIDE_NEW], sizeof(compute[0])));
	sum_up(outcomes, 2, out);
	snprintf(out->brief, BRIEF_SIZE, "another GPU");
	if (out->ok == CHECK_PASSED)
		snprintf(out->text, TEXT_SIZE, "both on %.80s, compute capability %s", name, capability);
}

void judge_software(const struct comparing *in, struct finding *out)
{
	static const struct {
		const char *meta, *words;
	} versions[] = {
		{"driver", "the driver is"},
		{"cuda_driver", "the driver's CUDA is"},
		{"cuda_runtime", "the CUDA runtime is"},
	};
	enum { VERSIONS = sizeof(versions) / sizeof(versions[0]) };
	const struct store *base = in->side[SIDE_BASE].store, *fresh = in->side[SIDE_NEW].store;
	int outcomes[VERSIONS];

	for (size_t i = 0; i < VERSIONS; i++)
		outcomes[i] = differs(out->text, versions[i].words, store_meta(base, versions[i].meta),
			store_meta(fresh, versions[i].meta));
	sum_up(outcomes, VERSIONS, out);
	snprintf(out->brief, BRIEF_SIZE, "other versions of driver or CUDA");
	if (out->ok == CHECK_PASSED)
		snprintf(out->text, TEXT_SIZE, "driver %.80s and CUDA %.80s in both", store_meta(base, "driver"),
			store_meta(base, "cuda_runtime"));
}

static const char *method_words(const char *method, char *text, size_t size)
{
	snprintf(text, size, method ? "method %.40s" : "no method given", method);
	return text;
}

/* Times taken in two ways differ by what the ways do. A recording that does not say is older than one that does. */
void judge_method(const struct comparing *in, struct finding *out)
{
	const char *base = store_meta(in->side[SIDE_BASE].store, "timing_method");
	const char *fresh = store_meta(in->side[SIDE_NEW].store, "timing_method");
	char in_base[64], in_new[64];

	if (!base && !fresh) {
		not_measured(out, "neither recording says how it was timed");
		return;
	}
	out->ok = base && fresh && strcmp(base, fresh) == 0;
	out->figure = !out->ok;
	out->limit = 0;
	method_words(base, in_base, sizeof(in_base));
	method_words(fresh, in_new, sizeof(in_new));
	if (out->ok)
		snprintf(out->text, TEXT_SIZE, "%s in both", in_base);
	else
		snprintf(out->text, TEXT_SIZE,
			"timed in another way: by another version of dbprof (%s in base, %s in new); record both with "
			"the same version",
			in_base, in_new);
	snprintf(out->brief, BRIEF_SIZE, "timed in another way");
}

/* ---- of one comparison: the state of the GPU while the samples were taken ---- */

bool lacks_times(const struct compared *c, struct finding *out)
{
	if (c->side[SIDE_BASE].m.n && c->side[SIDE_NEW].m.n)
		return false;
	if (c->side[SIDE_BASE].m.withheld || c->side[SIDE_NEW].m.withheld)
		not_measured(out, "times of wrong results are left out");
	else
		not_measured(out, "all times of a side were throttled and set apart");
	return true;
}

/* Where cycles do not tell what is the clock's, clocks may differ by no more than what counts as the same. */
static double clock_limit(const struct compared *c)
{
	return isnan(c->cycles.low) ? fmin(clock_tolerance, c->in->options->threshold) : clock_tolerance;
}

/* Two ways to know a clock; they are not mixed. */
void judge_clock(const struct compared *c, struct finding *out)
{
	const struct measured *base = &c->side[SIDE_BASE].m, *fresh = &c->side[SIDE_NEW].m;
	bool on_gpu = base->on_gpu.n && fresh->on_gpu.n;
	double a = on_gpu ? base->on_gpu.median : base->nvml.median;
	double b = on_gpu ? fresh->on_gpu.median : fresh->nvml.median;

	if (lacks_times(c, out))
		return;
	if (isnan(a) || isnan(b)) {
		not_measured(out, "no SM clock was read beside the samples of one of the two");
		return;
	}
	out->figure = fabs(a - b) / fmax(a, b);
	out->limit = clock_limit(c);
	out->ok = out->figure <= out->limit;
	snprintf(out->text, TEXT_SIZE,
		"median SM clock %s %.0f MHz in base, %.0f MHz in new, %.2f %% apart; at most %g %% is allowed",
		on_gpu ? "measured on the GPU" : "as the driver says", a, b, 100 * out->figure, 100 * out->limit);
	snprintf(out->brief, BRIEF_SIZE, "clocks differ by %.1f %%", 100 * out->figure);
}

/* Two recordings have each their own clock, and a kernel's time follows it: a gap may be the clock's alone, and a clock
 * may hide a gap. */
static bool cycles_agree(enum verdict by_time, enum verdict by_cycles)
{
	if (by_time == VERDICT_SAME)
		return verdict_confirmed(by_cycles, by_time) == by_cycles;
	return verdict_confirmed(by_time, by_cycles) == by_time;
}

static enum verdict verdict_between(const struct compared *c, const struct between *between)
{
	const struct ratio ratio = {.value = between->value, .low = between->low, .high = between->high};

	return verdict_of(&ratio, c->in->options->threshold, true);
}

void judge_cycles(const struct compared *c, struct finding *out)
{
	enum verdict by_time = verdict_between(c, &c->ratio), by_cycles = verdict_between(c, &c->cycles);
	char value[RATIO_SIZE];

	if (!c->kernel_bound) {
		out->ok = CHECK_DOES_NOT_APPLY;
		return;
	}
	if (lacks_times(c, out))
		return;
	if (isnan(c->cycles.low)) {
		not_measured(out, isnan(c->cycles.value)
					  ? "no SM clock was measured on the GPU beside the samples of one "
					    "of the two"
					  : "too few runs for an interval in SM cycles");
		return;
	}
	out->figure = c->cycles.value;
	out->ok = cycles_agree(by_time, by_cycles);
	snprintf(out->text, TEXT_SIZE, "in SM cycles the ratio is %s (%.4f to %.4f), which says %s; the times say %s",
		compare_ratio_words(c->cycles.value, value, sizeof(value)), c->cycles.low, c->cycles.high,
		verdict_name(by_cycles), verdict_name(by_time));
	snprintf(out->brief, BRIEF_SIZE, "%s by time, %s by cycles", verdict_name(by_time), verdict_name(by_cycles));
}

/* What share of a side's readings saw throttling; NaN if none knows. */
static double throttled_share(const struct timing *side)
{
	return side->readings ? (double)side->throttled / (double)side->readings : NAN;
}

/* Throttled blocks are set apart; the others must be enough. Where it is not known which they are, there must be none.
 */
void judge_throttling(const struct compared *c, struct finding *out)
{
	const struct timing *base = &c->side[SIDE_BASE], *fresh = &c->side[SIDE_NEW];
	bool by_block = base->by_block && fresh->by_block;
	size_t used;

	if ((!base->readings || !fresh->readings) && base->throttled + fresh->throttled == 0) {
		not_measured(out, "one of the two recordings does not say");
		return;
	}
	out->figure = fmax(throttled_share(base), throttled_share(fresh));
	out->limit = by_block ? throttled_limit : 0;
	out->ok = out->figure <= out->limit;
	snprintf(out->text, TEXT_SIZE, "%zu of %zu %s in base and %zu of %zu in new show power or thermal throttling",
		base->throttled, base->readings, by_block ? "blocks" : "readings", fresh->throttled, fresh->readings);
	snprintf(out->brief, BRIEF_SIZE, "%zu of %zu %s were throttled", base->throttled + fresh->throttled,
		base->readings + fresh->readings, by_block ? "blocks" : "clock readings");
	used = strlen(out->text);
	if (by_block)
		snprintf(out->text + used, TEXT_SIZE - used, "; those are set apart, at most %.0f %% may be",
			100 * throttled_limit);
}

/* A driver that shows no process at all, as in a container, would not show others either. */
void judge_neighbours(const struct compared *c, struct finding *out)
{
	int64_t base = c->side[SIDE_BASE].processes, fresh = c->side[SIDE_NEW].processes;

	if (base <= 1 && fresh <= 1 && (base < 1 || fresh < 1)) {
		not_measured(out, "one of the two recordings does not say who else used the GPU");
		return;
	}
	out->figure = (double)(base > fresh ? base : fresh);
	out->limit = 1;
	out->ok = out->figure <= out->limit;
	snprintf(out->text, TEXT_SIZE,
		"at most %lld process%s on the GPU beside the samples in base, %lld in new, dbprof's own included",
		(long long)(base < 0 ? 0 : base), base == 1 ? "" : "es", (long long)(fresh < 0 ? 0 : fresh));
	snprintf(out->brief, BRIEF_SIZE, "others used the GPU");
}
