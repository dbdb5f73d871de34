/* roles.c: see roles.h. */
#include "model/family/roles/roles.h"

#include <math.h>
#include <string.h>

#include "model/family/family-rows.h"
#include "model/family/roles/read.h"
#include "model/rows-json.h"
#include "tree/json.h"

/* What is hidden of a variant's loads, or why that is not told. */
struct hidden {
	double share;    /* NaN if it is not told */
	const char *why; /* NULL if it is */
};

static double roles_part(double part, double all)
{
	return all > 0 ? part / all : NAN;
}

/* Of a wait, timed or not. */
static double role_wait_cycles(const struct role_cycles *cycles)
{
	return roles_part(cycles->waited, cycles->timed);
}

/* The other variant's, in the same case; false if it was not metered, or its result is wrong. */
static bool roles_of_exposed(const struct family_rows *f, size_t i, const struct roles *roles, struct roles *out)
{
	const struct measured *other = measured_of(f, roles->exposed);

	return other && !other[i].withheld && roles_read(f->model, &other[i], out);
}

/* Both are taken for each byte that a consumer waits for, and a load brings. */
static double hidden_of(const struct roles *roles, const struct roles *exposed)
{
	const double waited = role_wait_cycles(&roles->consumer) / roles->stage_bytes;
	const double loaded = roles_load_cycles(exposed) / exposed->stage_bytes;

	return 1 - roles_part(waited, loaded);
}

static struct hidden roles_hidden(
	const struct family_rows *f, size_t i, const struct measured *m, const struct roles *roles)
{
	struct hidden hidden = {NAN, NULL};
	struct roles exposed;

	if (!roles->exposed)
		hidden.why = "none";
	else if (strcmp(roles->exposed, m->variant) == 0)
		hidden.why = "itself";
	else if (roles_disturbed(roles))
		hidden.why = "disturbed";
	else if (!roles_of_exposed(f, i, roles, &exposed) || !(roles_load_cycles(&exposed) > 0))
		hidden.why = "not-measured";
	else if (roles_disturbed(&exposed))
		hidden.why = "other-disturbed";
	else if (roles_warps(roles, &roles->consumer) != roles_warps(&exposed, &exposed.consumer))
		hidden.why = "other-warps";
	else
		hidden.share = hidden_of(roles, &exposed);
	if (!hidden.why && !isfinite(hidden.share))
		hidden.why = "not-measured";
	return hidden;
}

/* A producer of a single stage saw its loads come. In a plain launch it waits for the stage to be empty meanwhile: the
 * loads count as waits. Where all of a tile's were timed (before meters ran two codes), one belongs to another tile:
 * then it is not known. */
static double role_told_wait(const struct roles *roles, const struct role_cycles *cycles)
{
	if (cycles != &roles->producer || cycles->loads == 0)
		return role_wait_cycles(cycles);
	return cycles->loads < cycles->timed ? (cycles->waited + cycles->loaded) / cycles->timed : NAN;
}

static json_t *role_json(const struct roles *roles, const struct role_cycles *cycles)
{
	const double wait = role_told_wait(roles, cycles);
	json_t *object;

	if (cycles->launches == 0)
		return json_null();
	object = json_object();
	put_json(object, "warps", real_json(roles_warps(roles, cycles)));
	put_json(object, "waits", real_json(cycles->waits / cycles->warps));
	put_json(object, "wait_cycles", real_json(wait));
	put_json(object, "wait_share", real_json(roles_part(wait * cycles->waits, cycles->life)));
	put_json(object, "life_cycles", real_json(cycles->life / cycles->warps));
	return object;
}

/* A variant in case `i`; NULL if it was not metered. A wrong result's waits are not told. */
static json_t *roles_variant_json(const struct family_rows *f, size_t i, const struct measured *m)
{
	static const struct field fields[] = {
		{"blocks", ROLERUN_blocks},
		{"stage_bytes", ROLERUN_stageBytes},
		{"plain_ns", ROLERUN_plainNs},
		{"metered_ns", ROLERUN_meteredNs},
		{"plain_registers", ROLERUN_plainRegisters},
		{"metered_registers", ROLERUN_meteredRegisters},
	};
	struct roles roles;
	struct hidden hidden;
	json_t *object;

	if (m->withheld || !roles_read(f->model, m, &roles))
		return NULL;
	hidden = roles_hidden(f, i, m, &roles);
	object = json_object();
	put_json(object, "variant", text_json(m->variant));
	put_json(object, "buffers", json_integer(m->buffers));
	put_fields(object, &roles.run, 0, fields, sizeof(fields) / sizeof(fields[0]));
	put_json(object, "cost", real_json(roles.cost));
	put_json(object, "disturbs", json_boolean(roles_disturbed(&roles)));
	put_json(object, "consumer", role_json(&roles, &roles.consumer));
	put_json(object, "producer", role_json(&roles, &roles.producer));
	put_json(object, "load_cycles", real_json(roles_load_cycles(&roles)));
	put_json(object, "exposed", text_json(roles.exposed));
	put_json(object, "hidden_share", real_json(hidden.share));
	put_json(object, "why", text_json(hidden.why));
	return object;
}

/* By the time pass; by the plain launches beside the metered ones where it was not run. */
static double roles_time(const struct measured *m, const json_t *variant)
{
	return m->n > 0 ? m->time.median : json_number_value(json_object_get(variant, "plain_ns"));
}

/* The fastest metered variant of which a hidden share is told; without any the fastest. */
static const char *roles_fastest(const struct family_rows *f, size_t i, const json_t *variants)
{
	const char *fastest = NULL;
	double least = INFINITY;
	bool told = false;
	const json_t *one;
	size_t v;

	json_array_foreach(variants, v, one)
	{
		const char *variant = json_string_value(json_object_get(one, "variant"));
		const double ns = roles_time(measured_of(f, variant) + i, one);
		const bool tells = json_is_number(json_object_get(one, "hidden_share"));

		if ((tells && !told) || (tells == told && ns < least)) {
			told = tells;
			least = ns;
			fastest = variant;
		}
	}
	return fastest;
}

static json_t *roles_case_json(const struct family_rows *f, size_t i)
{
	const struct rivals rivals = rivals_of(f, i);
	json_t *object = json_object(), *variants = json_array();

	for (size_t v = 0; v < rivals.n; v++) {
		json_t *variant = roles_variant_json(f, i, rivals.list[v]);

		if (variant)
			append_json(variants, variant);
	}
	put_json(object, "case", text_json(measured_at(f, 0)[i].label));
	put_json(object, "headline", json_boolean(i == 0));
	put_json(object, "fastest", text_json(roles_fastest(f, i, variants)));
	put_json(object, "variants", variants);
	return object;
}

json_t *roles_json(const struct family_rows *f)
{
	json_t *list = json_array();

	for (size_t i = 0; i < f->cases.count && f->variants.count > 0; i++) {
		json_t *one = roles_case_json(f, i);

		if (json_array_size(json_object_get(one, "variants")) > 0)
			append_json(list, one);
		else
			json_decref(one);
	}
	return list;
}
