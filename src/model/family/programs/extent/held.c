/* held.c: see held.h. */
#include "model/family/programs/extent/held.h"

#include <math.h>

#include "analyze/thresholds.h"
#include "model/family/programs/waits.h"
#include "tree/json.h"

enum verdict verdict_of_value(double value, double band)
{
	const struct ratio ratio = {.value = value, .low = value, .high = value};

	return verdict_of(&ratio, band, true);
}

bool by_period(const struct judging *program)
{
	return step_waits_of(program).period;
}

bool says_as_much(double counted, double all, double band)
{
	return fabs(log(all / counted)) <= fmax(log1p(band), program_kinds_apart * fabs(log(counted)));
}

bool says_much_less(double counted, double all, double band)
{
	return !says_as_much(counted, all, band) && (all < counted) == (counted > 1);
}

void put_counted_and_all(json_t *facts, const struct judging *judging, double all)
{
	put_json(facts, "counted", real_json(judging->ratio.value));
	put_json(facts, "all", real_json(all));
	put_json(facts, "by_counted", json_string(verdict_name(judging->in_time)));
	put_json(facts, "by_all", json_string(verdict_name(verdict_of_value(all, judging->band))));
}

bool all_bear_out(const struct judging *counted, double all, double band)
{
	enum verdict by_all = verdict_of_value(all, band);

	if (counted->in_time == VERDICT_UNCLEAR)
		return by_all != VERDICT_SLOWER || verdict_of_value(counted->ratio.value, band) == VERDICT_SLOWER;
	return counted->in_time == by_all || (verdict_is_clear(counted->in_time) && by_all == VERDICT_SAME);
}
