/* role-records.c: see role-records.h. */
#include "record/pass/role-records.h"

#include <string.h>

/* Waits follow one another, and so do loads: neither can take longer than the warp's life. */
static const char *record_wrong(const struct role_record *r)
{
	static const struct role_record nothing;

	if (r->role >= ROLES_NUMBER || (r->role == ROLE_NONE && memcmp(r, &nothing, sizeof(nothing)) != 0))
		return "what a warp wrote is no record";
	if (r->waited > r->life || r->loaded > r->life)
		return "a warp waited longer than it lived";
	if (r->timed > r->waits || (r->timed == 0 && r->waited > 0) || (r->loads == 0 && r->loaded > 0))
		return "a warp timed waits that never were";
	return NULL;
}

static void record_add(struct role_sum *sum, const struct role_record *r)
{
	sum->warps++;
	sum->waits += r->waits;
	sum->timed += r->timed;
	sum->waited += r->waited;
	sum->loads += r->loads;
	sum->loaded += r->loaded;
	sum->life += r->life;
}

const char *role_records_sum(
	const struct role_record *records, size_t blocks, unsigned warps, struct role_sum sums[ROLES_NUMBER])
{
	for (int role = 0; role < ROLES_NUMBER; role++)
		sums[role] = (struct role_sum){0};
	for (size_t block = 0; block < blocks; block++) {
		const int64_t before = sums[ROLE_CONSUMER].warps;

		for (size_t i = block * warps; i < (block + 1) * warps; i++) {
			const char *why = record_wrong(&records[i]);

			if (why)
				return why;
			record_add(&sums[records[i].role], &records[i]);
		}
		if (sums[ROLE_CONSUMER].warps == before)
			return "of a block no consumer wrote a record";
	}
	return NULL;
}

const char *role_record_name(enum role role)
{
	static const char *const names[] = {"none", "consumer", "producer"};

	return names[role];
}
