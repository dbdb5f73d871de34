/* sampler-work.c: see sampler-work.h. CUPTI hands records over in threads of its own, one at a time. */
#include "contrast/pm/sampler-work.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/overlap.h"
#include "contrast/count/results.h"
#include "record/cupti/activity.h"

enum { KERNEL_NAMES_MOST = 512 };

static struct {
	struct activity *activity; /* NULL: nothing is recorded */
	atomic_int_least64_t device;
	atomic_int_least64_t from; /* what ended before is dropped; INT64_MAX: all is */
	struct count_piece pieces[COUNT_PIECES_MOST];
	size_t n, unnoted;
	char *names[KERNEL_NAMES_MOST]; /* mangled; owned */
	size_t nnames, names_told;
} work;

/* ---- records ---- */

static uint32_t name_number(const char *name)
{
	for (size_t i = 0; i < work.nnames; i++)
		if (strcmp(work.names[i], name) == 0)
			return (uint32_t)i;
	if (work.nnames == KERNEL_NAMES_MOST || !(work.names[work.nnames] = strdup(name)))
		return COUNT_NAMELESS;
	return (uint32_t)work.nnames++;
}

static uint32_t class_of_recorded_copy(int64_t kind)
{
	/* ENUM_CUDA_MEMCPY_OPER: host to device and to array, and back. */
	if (kind == 1 || kind == 3)
		return WORK_H2D;
	return kind == 2 || kind == 4 ? WORK_D2H : WORK_OTHER;
}

/* False if the row is no work of the GPU. */
static bool piece_of_row(enum table_id table, const struct value *row, struct count_piece *piece, int64_t *device)
{
	if (table == TABLE_KERNEL) {
		*device = row[KERNEL_deviceId].integer;
		*piece = (struct count_piece){row[KERNEL_start].integer, row[KERNEL_end].integer,
			(uint32_t)row[KERNEL_streamId].integer, WORK_KERNEL, COUNT_NAMELESS, 0};
	} else if (table == TABLE_MEMCPY) {
		*device = row[MEMCPY_deviceId].integer;
		*piece = (struct count_piece){row[MEMCPY_start].integer, row[MEMCPY_end].integer,
			(uint32_t)row[MEMCPY_streamId].integer, class_of_recorded_copy(row[MEMCPY_copyKind].integer),
			COUNT_NAMELESS, 0};
	} else if (table == TABLE_MEMSET) {
		*device = row[MEMSET_deviceId].integer;
		*piece = (struct count_piece){row[MEMSET_start].integer, row[MEMSET_end].integer,
			(uint32_t)row[MEMSET_streamId].integer, WORK_OTHER, COUNT_NAMELESS, 0};
	} else {
		return false;
	}
	return *device == atomic_load(&work.device);
}

static void take_recorded_row(void *user, enum table_id table, const struct value *row)
{
	struct count_piece piece;
	int64_t device;

	(void)user;
	if (!piece_of_row(table, row, &piece, &device) || piece.end <= atomic_load(&work.from))
		return;
	if (work.n == COUNT_PIECES_MOST) {
		work.unnoted++;
		return;
	}
	if (table == TABLE_KERNEL)
		piece.function = name_number(row[KERNEL_mangledName].text);
	work.pieces[work.n++] = piece;
}

/* ---- life ---- */

int sampler_work_start(struct error *err)
{
	atomic_store(&work.from, INT64_MAX);
	work.activity = activity_start_inside(take_recorded_row, NULL, err);
	return work.activity ? 0 : -1;
}

void sampler_work_stop(void)
{
	activity_stop(work.activity);
	work.activity = NULL;
}

void sampler_work_forget(void)
{
	if (work.activity)
		activity_forget();
	work.activity = NULL;
}

int64_t sampler_work_offset(void)
{
	return work.activity->offset;
}

int64_t sampler_work_now(void)
{
	return activity_now(work.activity);
}

/* ---- a step ---- */

/* What was lost before is no loss. */
static size_t take_losses(void)
{
	struct tally none;
	struct losses losses;

	activity_take(work.activity, &none, &losses);
	return losses.dropped + losses.damaged + losses.untimed + losses.unnoted;
}

/* Records of steps before this one must be in, or what is lost of them is held against it. */
void sampler_work_begin(int64_t device)
{
	struct error ignored = {0};

	atomic_store(&work.device, device);
	(void)activity_flush(work.activity, &ignored);
	(void)take_losses();
	work.n = work.unnoted = 0;
	atomic_store(&work.from, sampler_work_now());
}

void sampler_work_drop(void)
{
	atomic_store(&work.from, INT64_MAX);
}

static void tell_kernel_names(void)
{
	for (; work.names_told < work.nnames; work.names_told++) {
		const char *name = work.names[work.names_told];
		const struct count_record head = {.magic = COUNT_RECORD_MAGIC,
			.kind = COUNT_PIECE_NAME,
			.group = (uint32_t)work.names_told,
			.size = strlen(name)};

		count_results_append(&head, name);
	}
}

int sampler_work_end(uint32_t group, uint64_t *unnoted, const char **why, struct error *err)
{
	struct count_record head = {.magic = COUNT_RECORD_MAGIC, .kind = COUNT_CURVE_WORK, .group = group};

	*why = NULL;
	if (activity_flush(work.activity, err) < 0)
		return -1;
	sampler_work_drop();
	*unnoted = work.unnoted;
	if (take_losses() > 0)
		*why = "records of device work were lost while the GPU was sampled";
	else if (work.n == 0)
		*why = "no device work was recorded while the GPU was sampled";
	if (*why)
		return 0;
	tell_kernel_names();
	head.size = work.n * sizeof(work.pieces[0]);
	count_results_append(&head, work.pieces);
	return 0;
}
