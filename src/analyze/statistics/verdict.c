/* verdict.c: from an interval to a word. */
#include "analyze/statistics/verdict.h"

#include <string.h>

#include "analyze/thresholds.h"

enum verdict verdict_of(const struct ratio *ratio, double band, bool evidence_ok)
{
	double bottom = 1 - band, top = 1 + band;

	/* Written so that NaN ends here too; `low > high` would not do that. */
	if (!evidence_ok || !(ratio->low <= ratio->high))
		return VERDICT_UNCLEAR;
	if (ratio->low >= bottom && ratio->high <= top)
		return VERDICT_SAME;
	if (ratio->low > top)
		return VERDICT_FASTER;
	if (ratio->high < bottom)
		return VERDICT_SLOWER;
	return VERDICT_UNCLEAR;
}

enum verdict verdict_confirmed(enum verdict in_time, enum verdict in_cycles)
{
	bool gap = verdict_is_clear(in_time);

	return gap && in_cycles != in_time ? VERDICT_UNCLEAR : in_time;
}

bool verdict_holds(enum verdict in_time, enum verdict in_cycles, bool own_clocks)
{
	if (own_clocks && in_time == VERDICT_SAME)
		return verdict_confirmed(in_cycles, in_time) == in_cycles;
	return verdict_confirmed(in_time, in_cycles) == in_time;
}

bool verdict_is_clear(enum verdict verdict)
{
	return verdict == VERDICT_FASTER || verdict == VERDICT_SLOWER;
}

bool verdict_is_definite(enum verdict verdict)
{
	return verdict_is_clear(verdict) || verdict == VERDICT_SAME;
}

const char *verdict_name(enum verdict verdict)
{
	static const char *const names[] = {
		[VERDICT_FASTER] = "faster",
		[VERDICT_SLOWER] = "slower",
		[VERDICT_SAME] = "same",
		[VERDICT_UNCLEAR] = "unclear",
	};

	return names[verdict];
}

const char *verdict_size(enum verdict verdict, double ratio)
{
	double gain = verdict == VERDICT_SLOWER ? 1 / ratio : ratio;
	bool slight = gain < 1 + slight_gain;

	if (slight && verdict == VERDICT_FASTER)
		return "slightly-faster";
	if (slight && verdict == VERDICT_SLOWER)
		return "slightly-slower";
	return verdict_name(verdict);
}

enum verdict verdict_named(const char *word)
{
	for (enum verdict v = VERDICT_FASTER; v < VERDICT_UNCLEAR; v++)
		if (strcmp(word, verdict_name(v)) == 0)
			return v;
	return VERDICT_UNCLEAR;
}
