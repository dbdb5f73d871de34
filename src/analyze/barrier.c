/* barrier.c: how much of their time warps wait at barriers, as three independent ways of measuring see it. */
#include "analyze/barrier.h"

#include <math.h>
#include <string.h>

double labelled_share(const struct labelled *parts, size_t n, const char *label)
{
	double part = 0, whole = 0;

	for (size_t i = 0; i < n; i++) {
		whole += parts[i].amount;
		if (strcmp(parts[i].label, label) == 0)
			part += parts[i].amount;
	}
	return whole > 0 ? part / whole : NAN;
}

void barrier_disagreement(const double share[BARRIER_WAYS], struct disagreement *out)
{
	int known = 0;

	*out = (struct disagreement){.share = NAN};
	for (enum barrier_way i = 0; i < BARRIER_WAYS; i++) {
		if (isnan(share[i]))
			continue;
		if (known++ == 0)
			out->most = out->least = i;
		if (share[i] > share[out->most])
			out->most = i;
		if (share[i] < share[out->least])
			out->least = i;
	}
	if (known > 1)
		out->share = share[out->most] - share[out->least];
}

const char *barrier_way_name(enum barrier_way way)
{
	static const char *const names[] = {
		[BARRIER_COUNTERS] = "counters",
		[BARRIER_SAMPLES] = "samples",
		[BARRIER_PHASES] = "phases",
	};

	return names[way];
}
