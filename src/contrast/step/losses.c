/* losses.c: see losses.h. */
#include "contrast/step/losses.h"

#include <string.h>

#include "store/event.h"
#include "util/alloc.h"

/* What a process lost, and how many steady steps it has. */
struct process_loss {
	int64_t records;
	size_t steady;
};

static int64_t records_lost(const struct cursor *row)
{
	static const int columns[] = {TRACEDPROCESS_dropped, TRACEDPROCESS_untimed};
	int64_t sum = 0;

	for (size_t i = 0; i < sizeof(columns) / sizeof(columns[0]); i++) {
		int64_t lost = cursor_int(row, columns[i]);

		sum += lost > 0 && lost < TIME_LIMIT ? lost : 0;
	}
	return sum;
}

/* A number that comes again is that of a process which has replaced itself. */
static struct process_loss *loss_of(struct gather *gather, int64_t pid)
{
	size_t place = numbering_place(&gather->losers, pid);

	if (place == gather->nlosses) {
		xgrow(&gather->losses, gather->nlosses, &gather->loss_room, sizeof(*gather->losses));
		gather->losses[gather->nlosses++] = (struct process_loss){.records = 0};
	}
	return &gather->losses[place];
}

static void add_records(struct process_loss *loss, int64_t records)
{
	loss->records += loss->records < TIME_LIMIT ? records : 0;
}

static void add_lost(struct gather *gather, int64_t pid, int64_t records)
{
	struct launches *out = gather->out;

	out->lost += out->lost < TIME_LIMIT ? records : 0;
	add_records(loss_of(gather, pid), records);
}

static int losses_of_processes(struct gather *gather, struct error *err)
{
	static const int columns[] = {TRACEDPROCESS_pid, TRACEDPROCESS_finished, TRACEDPROCESS_dropped,
		TRACEDPROCESS_untimed, TRACEDPROCESS_note};
	struct launches *out = gather->out;
	struct cursor *row =
		store_columns(gather->store, TABLE_TRACEDPROCESS, columns, sizeof(columns) / sizeof(columns[0]), err);
	int more;

	if (!row)
		return -1;
	while ((more = cursor_next(row, err)) > 0) {
		int64_t lost = records_lost(row);

		out->unfinished +=
			cursor_int(row, TRACEDPROCESS_finished) != 1 || !cursor_null(row, TRACEDPROCESS_note);
		if (lost > 0)
			add_lost(gather, cursor_int(row, TRACEDPROCESS_pid), lost);
	}
	cursor_close(row);
	return more;
}

/* Nsight Systems says it in one sentence, also where it is not sure. Other diagnostics tell of no loss of kernels. */
static int losses_of_export(struct gather *gather, struct error *err)
{
	static const char lossy[] = "Not all CUDA events might have been collected";
	static const int columns[] = {DIAGNOSTIC_text};
	struct cursor *row = store_columns(gather->store, TABLE_DIAGNOSTIC, columns, 1, err);
	int more;

	if (!row)
		return -1;
	while ((more = cursor_next(row, err)) > 0)
		if (!cursor_null(row, DIAGNOSTIC_text) && strstr(cursor_text(row, DIAGNOSTIC_text), lossy))
			gather->out->perhaps_lost = true;
	cursor_close(row);
	return more;
}

int losses_read(struct gather *gather, struct error *err)
{
	return losses_of_processes(gather, err) < 0 ? -1 : losses_of_export(gather, err);
}

static void losses_of_untimed(struct gather *gather)
{
	for (size_t i = 0; i < gather->nuntimed; i++)
		if (gather->untimed_chosen[gather->untimed[i].form])
			add_lost(gather, pid_of(gather->untimed[i].process), 1);
}

/* What names no process may be of each. */
void losses_of_steps(struct gather *gather)
{
	struct launches *out = gather->out;
	int64_t nobodys;

	losses_of_untimed(gather);
	nobodys = out->lost > 0 ? loss_of(gather, 0)->records : 0;
	for (size_t i = 0; out->lost > 0 && out->has_range && i < out->nsteps; i++)
		loss_of(gather, pid_of(out->steps[i].thread))->steady += out->steps[i].left_out == LEFT_NOTHING;
	for (size_t i = 0; i < gather->nlosses; i++) {
		const struct process_loss *loss = &gather->losses[i];
		int64_t records = loss->records + (gather->losers.id[i] != 0 ? nobodys : 0);

		out->steps_may_lack |= loss->steady > 0 && records >= (int64_t)loss->steady;
	}
}
