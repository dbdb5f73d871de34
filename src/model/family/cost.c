/* cost.c: what the second buffer takes: shared memory, registers and occupancy before and after, and what the
 * footprint alone costs in time, by the control that has it without using it. */
#include "model/family/cost.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "analyze/analyze.h"
#include "model/family/contrast.h"
#include "model/family/counters.h"
#include "model/family/measure.h"
#include "model/family/ratio.h"
#include "tree/counter-keys.h"
#include "tree/json.h"
#include "util/format.h"

/* Since Ampere a block's shared memory grows by 1 KiB for the system: less than that is the same footprint. */
enum { FOOTPRINT_BYTES = 1024 };

/* Room for words around a number. */
enum { PHRASE = 128 };

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
	int bad = 0;

	if (!m->has_resources)
		return json_null();
	object = json_object();
	bad |= put_json(object, "shared_bytes", json_integer(m->kernel.shared_bytes));
	bad |= put_json(object, "registers", json_integer(m->kernel.registers));
	bad |= put_json(object, "blocks", m->has_occupancy ? json_integer(occupancy->blocks) : json_null());
	bad |= put_json(object, "theoretical", real_json(m->has_occupancy ? occupancy->share : NAN));
	bad |= put_json(
		object, "limiter", text_json(m->has_occupancy ? occupancy_limiter_name(occupancy->limiter) : NULL));
	bad |= put_json(object, "achieved", real_json(counter_value(m, KEY_OCCUPANCY) / 100));
	return built_json(object, bad);
}

/* What the footprint alone does, in words. */
static void cost_footprint_words(const struct contrast *c, char *text, size_t size)
{
	char percent[FORMAT_SIZE];

	format_percent(percent, sizeof(percent), fabs(c->control->time.median / c->single->time.median - 1));
	switch (c->footprint_verdict) {
	case VERDICT_SAME:
		snprintf(text, size, "the footprint alone costs no time");
		break;
	case VERDICT_SLOWER:
		snprintf(text, size, "the footprint alone costs %s more time", percent);
		break;
	case VERDICT_FASTER:
		snprintf(text, size, "the footprint alone takes %s off the time", percent);
		break;
	default:
		snprintf(text, size, "whether the footprint alone costs time, this run cannot tell");
	}
}

static void loss_words(const struct contrast *c, char *text, size_t size)
{
	double loss = footprint_loss(c);
	char percent[FORMAT_SIZE];

	*text = '\0';
	if (c->verdict != VERDICT_SLOWER || c->footprint_verdict == VERDICT_UNCLEAR)
		return;
	if (c->footprint_verdict != VERDICT_SLOWER)
		snprintf(text, size, ", so the loss has other causes");
	else if (loss <= 1)
		snprintf(text, size, ", which is %s of the loss", format_percent(percent, sizeof(percent), loss));
	else
		snprintf(text, size, ", more than the whole loss: all else that changes wins some of it back");
}

/* "control CONTROL is SINGLE with the shared memory of DOUBLE: ...; all else ...". */
static void sentence(const struct contrast *c, char *text, size_t size)
{
	char single[FORMAT_SIZE], control[FORMAT_SIZE], rest[FORMAT_SIZE];
	char footprint[FORMAT_SIZE + PHRASE], loss[FORMAT_SIZE + PHRASE];

	cost_footprint_words(c, footprint, sizeof(footprint));
	loss_words(c, loss, sizeof(loss));
	snprintf(text, size,
		"control %s is %s with the shared memory of %s: it takes %s instead of %s, %s%s; all else together "
		"makes %s "
		"%s as fast as the control",
		c->control->variant, c->single->variant, c->dbl->variant,
		format_time_ns(control, sizeof(control), c->control->time.median),
		format_time_ns(single, sizeof(single), c->single->time.median), footprint, loss, c->dbl->variant,
		format_ratio_within(rest, sizeof(rest), c->rest.value, c->rest.low, c->rest.high));
}

static json_t *control_json(const struct contrast *c)
{
	char text[2048];
	json_t *object;
	int bad = 0;

	if (!c->control || !c->single->n || !c->dbl->n)
		return json_null();
	sentence(c, text, sizeof(text));
	object = json_object();
	bad |= put_json(object, "variant", text_json(c->control->variant));
	bad |= put_json(object, "side", cost_side_json(c->control));
	bad |= put_json(object, "footprint", ratio_json(&c->footprint));
	bad |= put_json(object, "rest", ratio_json(&c->rest));
	bad |= put_json(object, "verdict", json_string(verdict_name(c->footprint_verdict)));
	bad |= put_json(object, "loss_share", real_json(footprint_loss(c)));
	bad |= put_json(object, "text", text_json(text));
	return built_json(object, bad);
}

json_t *cost_json(const struct contrast *c)
{
	json_t *object;
	int bad = 0;

	if (!c->single->has_resources && !c->dbl->has_resources)
		return json_null();
	object = json_object();
	bad |= put_json(object, "single", cost_side_json(c->single));
	bad |= put_json(object, "double", cost_side_json(c->dbl));
	bad |= put_json(object, "control", control_json(c));
	return built_json(object, bad);
}
