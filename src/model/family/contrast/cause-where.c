/* cause-where.c: where in the code, or in the launch, a cause is to be found. */
#include "model/family/contrast/cause-parts.h"

#include <stdlib.h>

#include "analyze/analyze.h"
#include "model/family/code.h"
#include "model/family/contrast/contrast.h"
#include "model/family/measured.h"
#include "model/family/stalls.h"
#include "model/family/contrast/traced-runs.h"
#include "model/names.h"
#include "model/recording.h"
#include "model/trace/trace.h"
#include "tree/json.h"
#include "util/alloc.h"

static json_t *cause_place_json(const char *kind, const char *file, int64_t line, json_t *text)
{
	json_t *object = json_object();

	put_json(object, "kind", json_string(kind));
	put_json(object, "file", text_json(file));
	put_json(object, "line", line > 0 ? json_integer(line) : json_null());
	put_json(object, "text", text);
	return object;
}

/* Where PC sampling found most warps in that state; without samples, the first barrier of the code. */
static json_t *line_of_state(const struct contrast *c, const struct measured *m, enum warp_state state)
{
	const char *own = m->file ? m->file : c->file, *file = own;
	int64_t line = 0;

	if (!stalls_line_of(c->model, m, state, &file, &line) && state == STATE_BARRIER)
		line = code_line_with(c->model, own, m->variant, "__syncthreads");
	return line > 0 ? cause_place_json("line", file, line, code_line_json(c->model, file, line)) : json_null();
}

static json_t *own_kernel_place(const struct measured *m)
{
	const char *symbol = measured_symbol(m);

	return symbol ? cause_place_json("kernel", NULL, 0, text_json(symbol)) : json_null();
}

/* The kernel of the median launch that takes longest; not the own one where counters tell of that. */
static json_t *longest_kernel_place(const struct contrast *c, const struct measured *m)
{
	struct activity longest = {.name = NULL};

	for (size_t i = 0; i < m->work.n; i++) {
		struct activity item;

		trace_activity(&c->model->trace, m->work.item[i], &item);
		if (item.cls != WORK_KERNEL || (c->kernel_bound && is_own_kernel(m, &item)))
			continue;
		if (!longest.name || item.end - item.start > longest.end - longest.start)
			longest = item;
	}
	return longest.name ? cause_place_json("kernel", NULL, 0, text_json(longest.name)) : json_null();
}

/* The direction whose time changed most. */
static json_t *copies_place(const struct contrast *c)
{
	const struct overlap *a = &c->single->overlap, *b = &c->dbl->overlap;
	int64_t in = a->busy[WORK_H2D] - b->busy[WORK_H2D], out = a->busy[WORK_D2H] - b->busy[WORK_D2H];
	bool outward = (out < 0 ? -out : out) > (in < 0 ? -in : in);

	return cause_place_json("copies", NULL, 0, text_json(class_words(outward ? WORK_D2H : WORK_H2D)));
}

/* The piece behind the longest time in which the first one's GPU has nothing to do; -1 if there is no such time. */
static int64_t behind_longest_gap(const struct trace *trace, const struct work_list *work)
{
	int64_t end = work->n ? trace->end[work->item[0]] : 0, longest = 0, late = -1;

	for (size_t i = 1; i < work->n; i++) {
		uint32_t item = work->item[i];

		if (work_lane(trace, item)->device != work_lane(trace, work->item[0])->device)
			continue;
		if (trace->start[item] - end > longest) {
			longest = trace->start[item] - end;
			late = item;
		}
		end = trace->end[item] > end ? trace->end[item] : end;
	}
	return late;
}

/* The work of the median launch that came late. */
static json_t *late_work_place(const struct trace *trace, const struct measured *m)
{
	int64_t late = behind_longest_gap(trace, &m->work);
	struct activity work;
	char words[256];

	if (late < 0)
		return json_null();
	trace_activity(trace, (size_t)late, &work);
	activity_words(&work, words, sizeof(words));
	return cause_place_json("call", NULL, 0, text_json(words));
}

json_t *place_of_cause(const struct contrast *c, const struct cause *cause)
{
	const struct measured *more = cause_side_with_more(c, cause);
	enum warp_state state;

	switch (cause->id) {
	case CAUSE_COPIES_BESIDE_KERNELS:
	case CAUSE_COPIES_BOTH_WAYS:
	case CAUSE_DEVICE_WORK:
	case CAUSE_GPUS_IN_TURN:
		return json_null();
	case CAUSE_PAGEABLE:
	case CAUSE_COPY_COUNT:
	case CAUSE_COPY_RATE:
		return copies_place(c);
	case CAUSE_KERNEL_TIME:
		return longest_kernel_place(c, more);
	case CAUSE_HOST_LATE:
		return late_work_place(&c->model->trace, more);
	case CAUSE_SPILLS:
	case CAUSE_OCCUPANCY:
	case CAUSE_WAVES:
		return own_kernel_place(more);
	default:
		return state_of_cause(cause->id, &state) ? line_of_state(c, more, state) : json_null();
	}
}
