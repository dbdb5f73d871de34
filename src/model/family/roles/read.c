/* read.c: see read.h. */
#include "model/family/roles/read.h"

#include <math.h>
#include <string.h>

#include "analyze/thresholds.h"
#include "model/family/measured.h"
#include "model/recording.h"

static bool roles_read_run(const struct model *model, const char *const key[3], struct roles *out)
{
	const struct rows rows = rows_find(&model->table[TABLE_ROLERUN], 3, key);
	double plain, metered;

	if (rows.count != 1)
		return false;
	plain = row_real(&rows, 0, ROLERUN_plainNs);
	metered = row_real(&rows, 0, ROLERUN_meteredNs);
	*out = (struct roles){
		.run = rows,
		.blocks = (double)row_int(&rows, 0, ROLERUN_blocks),
		.stage_bytes = (double)row_int(&rows, 0, ROLERUN_stageBytes),
		.cost = metered / plain - 1,
		.exposed = row_text(&rows, 0, ROLERUN_exposedVariant),
	};
	return plain > 0 && metered > 0 && isfinite(out->cost) && out->blocks > 0 && out->stage_bytes > 0;
}

/* A warp waits and loads within its life, and what took no turn took no time. */
static bool role_row_sound(const struct rows *rows, size_t i)
{
	static const int columns[] = {
		ROLE_warps, ROLE_waits, ROLE_timedWaits, ROLE_waitCycles, ROLE_loads, ROLE_loadCycles, ROLE_lifeCycles};

	for (size_t c = 0; c < sizeof(columns) / sizeof(columns[0]); c++)
		if (row_null(rows, i, columns[c]) || row_int(rows, i, columns[c]) < 0)
			return false;
	return row_int(rows, i, ROLE_warps) > 0 && row_int(rows, i, ROLE_lifeCycles) > 0 &&
	       row_int(rows, i, ROLE_waitCycles) <= row_int(rows, i, ROLE_lifeCycles) &&
	       row_int(rows, i, ROLE_loadCycles) <= row_int(rows, i, ROLE_lifeCycles) &&
	       row_int(rows, i, ROLE_timedWaits) <= row_int(rows, i, ROLE_waits) &&
	       (row_int(rows, i, ROLE_timedWaits) > 0 || row_int(rows, i, ROLE_waitCycles) == 0) &&
	       (row_int(rows, i, ROLE_loads) > 0 || row_int(rows, i, ROLE_loadCycles) == 0);
}

static void role_row_add(const struct rows *rows, size_t i, struct role_cycles *out)
{
	out->launches++;
	out->warps += (double)row_int(rows, i, ROLE_warps);
	out->waits += (double)row_int(rows, i, ROLE_waits);
	out->timed += (double)row_int(rows, i, ROLE_timedWaits);
	out->waited += (double)row_int(rows, i, ROLE_waitCycles);
	out->loads += (double)row_int(rows, i, ROLE_loads);
	out->loaded += (double)row_int(rows, i, ROLE_loadCycles);
	out->life += (double)row_int(rows, i, ROLE_lifeCycles);
}

bool roles_read(const struct model *model, const struct measured *m, struct roles *out)
{
	const char *const key[] = {m->family, m->variant, m->label};
	const struct rows rows = rows_find(&model->table[TABLE_ROLE], 3, key);

	if (!roles_read_run(model, key, out))
		return false;
	for (size_t i = 0; i < rows.count; i++) {
		const char *role = row_string(&rows, i, ROLE_role);

		if (!role_row_sound(&rows, i))
			continue;
		if (strcmp(role, "consumer") == 0)
			role_row_add(&rows, i, &out->consumer);
		else if (strcmp(role, "producer") == 0)
			role_row_add(&rows, i, &out->producer);
	}
	return out->consumer.launches > 0;
}

double roles_load_cycles(const struct roles *roles)
{
	const double loads = roles->consumer.loads + roles->producer.loads;

	return loads > 0 ? (roles->consumer.loaded + roles->producer.loaded) / loads : NAN;
}

double roles_warps(const struct roles *roles, const struct role_cycles *cycles)
{
	return cycles->launches > 0 ? cycles->warps / (cycles->launches * roles->blocks) : 0;
}

bool roles_disturbed(const struct roles *roles)
{
	return fabs(roles->cost) > stamps_disturb;
}
