/* cost.c: what the second buffer takes: shared memory, registers and occupancy before and after. The control has the
 * same footprint without using it, and so tells what the footprint alone costs in time. */
#include "model/family/contrast/cost.h"

#include <math.h>
#include <string.h>

#include "analyze/analyze.h"
#include "analyze/thresholds.h"
#include "model/family/contrast/contrast.h"
#include "model/family/measured.h"
#include "model/family/ratio.h"
#include "tree/counter-keys.h"
#include "tree/json.h"

bool is_footprint_control(const struct measured *m, const struct measured *single, const struct measured *dbl)
{
	int64_t apart;

	if (!m->has_resources || !single->has_resources || !dbl->has_resources)
		return false;
	if (!m->kind || strcmp(m->kind, "control") != 0)
		return false;
	apart = m->kernel.shared_bytes - dbl->kernel.shared_bytes;
	return m->buffers == single->buffers && m->kernel.shared_bytes > single->kernel.shared_bytes &&
	       apart < FOOTPRINT_BYTES && -apart < FOOTPRINT_BYTES;
}

double footprint_loss(const struct contrast *c)
{
	double single = c->single->time.median, dbl = c->dbl->time.median;

	if (!c->control || c->verdict != VERDICT_SLOWER)
		return NAN;
	return (c->control->time.median - single) / (dbl - single);
}

static json_t *cost_side_json(const struct measured *m)
{
	const struct occupancy *occupancy = &m->occupancy;
	json_t *object;

	if (!m->has_resources)
		return json_null();
	object = json_object();
	put_json(object, "shared_bytes", json_integer(m->kernel.shared_bytes));
	put_json(object, "registers", json_integer(m->kernel.registers));
	put_json(object, "blocks", m->has_occupancy ? json_integer(occupancy->blocks) : json_null());
	put_json(object, "theoretical", real_json(m->has_occupancy ? occupancy->share : NAN));
	put_json(object, "limiter", text_json(m->has_occupancy ? occupancy_limiter_name(occupancy->limiter) : NULL));
	put_json(object, "achieved", real_json(counter_value(m, KEY_OCCUPANCY) / 100));
	return object;
}

static json_t *control_json(const struct contrast *c)
{
	json_t *object;

	if (!c->control || !c->single->n || !c->dbl->n)
		return json_null();
	object = json_object();
	put_json(object, "variant", text_json(c->control->variant));
	put_json(object, "side", cost_side_json(c->control));
	put_json(object, "footprint", ratio_json(&c->footprint));
	put_json(object, "rest", ratio_json(&c->rest));
	put_json(object, "verdict", json_string(verdict_name(c->footprint_verdict)));
	put_json(object, "loss_share", real_json(footprint_loss(c)));
	put_json(object, "extra_share", real_json(c->control->time.median / c->single->time.median - 1));
	return object;
}

json_t *cost_json(const struct contrast *c)
{
	json_t *object;

	if (!c->single->has_resources && !c->dbl->has_resources)
		return json_null();
	object = json_object();
	put_json(object, "single", cost_side_json(c->single));
	put_json(object, "double", cost_side_json(c->dbl));
	put_json(object, "control", control_json(c));
	return object;
}
