/* launches.c: see launches.h. */
#include "contrast/launches.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "contrast/launches-private.h"
#include "contrast/name-list.h"
#include "store/event.h"
#include "store/texts.h"
#include "util/alloc.h"

/* ---- which kernels are chosen ---- */

enum { TOLD_SIZE = 256 };

/* What an error calls a text that was asked for: it, or `otherwise`. */
static const char *told(const struct gather *gather, const char *text, const char *otherwise, char out[TOLD_SIZE])
{
	if (gather->options->nameless)
		snprintf(out, TOLD_SIZE, "%s", otherwise);
	else
		snprintf(out, TOLD_SIZE, "'%.200s'", text);
	return out;
}

static const char *told_expression(const struct gather *gather, char out[TOLD_SIZE])
{
	return told(gather, gather->options->kernel, "the expression", out);
}

/* Behind "range". */
static const char *told_range(const struct gather *gather, char out[TOLD_SIZE])
{
	return told(gather, gather->options->range, "of this name", out);
}

static int compile_choice(const struct gather *gather, regex_t *regex, struct error *err)
{
	char why[200], expression[TOLD_SIZE];
	int code = regcomp(regex, gather->options->kernel, REG_EXTENDED | REG_NOSUB);

	if (code == 0)
		return 0;
	regerror(code, regex, why, sizeof(why));
	return error_set(err, "%s is no extended regular expression: %s", told_expression(gather, expression), why);
}

static bool form_is_chosen(const struct gather *gather, const regex_t *regex, const struct launch_form *form)
{
	const struct texts *texts = gather->out->texts;

	return regexec(regex, texts_text(texts, (uint32_t)form->field[FORM_BASE]), 0, NULL, 0) == 0 ||
	       regexec(regex, texts_text(texts, (uint32_t)form->field[FORM_NAME]), 0, NULL, 0) == 0;
}

/* By form, of `forms`; `regex` NULL: all. In *some whether any is. For free(). */
static bool *chosen_forms(const struct gather *gather, const regex_t *regex, const struct forms *forms, bool *some)
{
	bool *chosen = xcalloc(forms->n + 1, sizeof(*chosen));

	*some = false;
	for (size_t i = 0; i < forms->n; i++) {
		chosen[i] = !regex || form_is_chosen(gather, regex, &forms->form[i]);
		*some |= chosen[i];
	}
	return chosen;
}

/* `untimed`: some kernel's name matches, and its records have no usable times. */
static int none_is_chosen(const struct gather *gather, bool untimed, struct error *err)
{
	struct name_list names = {0};
	char *there, expression[TOLD_SIZE];

	told_expression(gather, expression);
	if (untimed)
		return error_set(err, "the kernels whose names match %s have no usable times", expression);
	if (gather->options->nameless)
		return error_set(err, "no kernel's name matches %s", expression);
	for (size_t i = 0; i < gather->forms.n; i++)
		name_list_add(&names, texts_text(gather->out->texts, (uint32_t)gather->forms.form[i].field[FORM_BASE]));
	there = name_list_take(&names);
	error_set(err, "no kernel's name matches %s; it has %s", expression, there);
	free(there);
	return -1;
}

static int choose_kernels(struct gather *gather, struct error *err)
{
	const char *expression = gather->options->kernel;
	bool some, some_untimed;
	regex_t regex;

	if (expression && compile_choice(gather, &regex, err) < 0)
		return -1;
	gather->chosen = chosen_forms(gather, expression ? &regex : NULL, &gather->forms, &some);
	gather->untimed_chosen =
		chosen_forms(gather, expression ? &regex : NULL, &gather->untimed_forms, &some_untimed);
	if (expression)
		regfree(&regex);
	return some ? 0 : none_is_chosen(gather, some_untimed, err);
}

/* ---- steps ---- */

static void add_steps(struct gather *gather, size_t n)
{
	struct launches *out = gather->out;

	out->steps = xcalloc(n + 1, sizeof(*out->steps));
	gather->steps = xreallocarray(NULL, n + 1, sizeof(*gather->steps));
	out->nsteps = n;
	for (size_t i = 0; i < n; i++) {
		out->steps[i].gpu_start = out->steps[i].gpu_end = TIME_NONE;
		for (enum step_measure m = 0; m < STEP_MEASURES; m++)
			out->steps[i].host_ns[m] = NO_TIME;
		gather->steps[i] = (struct gathered_step){INT64_MIN, INT64_MIN};
	}
}

static int no_instance(const struct gather *gather, struct error *err)
{
	const struct instances *instances = &gather->instances;
	char range[TOLD_SIZE];

	told_range(gather, range);
	if (instances->unclosed)
		return error_set(err, "no NVTX range %s was ever closed", range);
	if (instances->unusable)
		return error_set(err, "the NVTX ranges %s have no usable times", range);
	if (gather->options->nameless)
		return error_set(err, "there is no NVTX range %s", range);
	return instances_missing(gather->store, gather->options->range, err);
}

/* Each instance of the range is a step. */
static int steps_of_range(struct gather *gather, struct error *err)
{
	const struct instances *instances = &gather->instances;
	struct launches *out = gather->out;

	if (instances_read(&gather->instances, gather->store, gather->options->range, err) < 0)
		return -1;
	out->unlaunched = instances->n == 0;
	if (out->unlaunched)
		return no_instance(gather, err);
	add_steps(gather, instances->n);
	for (size_t i = 0; i < instances->n; i++) {
		const struct instance *instance = &instances->item[i];
		struct launch_step *step = &out->steps[instance->step];

		step->start = instance->start;
		step->end = instance->end;
		step->thread = instance->thread;
	}
	out->nested = instances->nested;
	out->unclosed = instances->unclosed;
	out->unusable += instances->unusable;
	return 0;
}

static void work_of_step(struct gather *gather, const struct gathered_work *work)
{
	struct launch_step *step = &gather->out->steps[work->step];
	int64_t *last_ask = &gather->steps[work->step].last_ask;

	*last_ask = work->call_start > *last_ask ? work->call_start : *last_ask;
	if (step->gpu_start == TIME_NONE || work->start < step->gpu_start)
		step->gpu_start = work->start;
	step->gpu_end = work->end > step->gpu_end ? work->end : step->gpu_end;
}

/* The step in which the work was asked for. */
static void assign_step(struct gather *gather, struct gathered_work *work)
{
	bool is_called = work->call_start != CALL_UNKNOWN && work->call_start != CALL_AMBIGUOUS;
	int64_t step = NO_INSTANCE;

	gather->out->ambiguous += work->call_start == CALL_AMBIGUOUS && work->form != NO_FORM;
	if (!gather->out->has_range) {
		work->call_start = is_called ? work->call_start : work->start;
		step = 0;
	} else if (is_called) {
		step = step_of_call(gather, work->call_thread, work->call_start);
	}
	if (step == NO_INSTANCE)
		return;
	work->step = (uint32_t)step;
	work_of_step(gather, work);
}

static void close_steps(struct gather *gather)
{
	struct launches *out = gather->out;

	for (size_t i = 0; i < out->nsteps; i++) {
		struct launch_step *step = &out->steps[i];
		const struct gathered_step *calls = &gather->steps[i];

		step->waits =
			!out->has_range || (calls->last_wait != INT64_MIN && calls->last_wait >= calls->last_ask &&
						   step->gpu_end <= step->end);
	}
	if (!out->has_range) {
		out->steps[0].start = gather->first;
		out->steps[0].end = gather->last;
	}
}

static int no_launch_in_steps(const struct gather *gather, struct error *err)
{
	const struct left_sum *left = gather->out->left;
	char range[TOLD_SIZE];

	return error_set(err,
		"no kernel was launched in a range %s: %zu outside of it, %zu in it by other threads, %zu by "
		"unknown calls",
		told_range(gather, range), left[LEFT_OUTSIDE].launches, left[LEFT_OTHER_THREAD].launches,
		left[LEFT_NO_CALL].launches);
}

/* Whether each kernel in a step is one that was chosen, if there are any. */
static bool steps_have_no_others(const struct gather *gather)
{
	for (size_t i = 0; i < gather->n; i++) {
		const struct gathered_work *work = &gather->work[i];

		if (work->step != NO_STEP && work->form != NO_FORM && !gather->chosen[work->form])
			return false;
	}
	return true;
}

/* ---- all of it ---- */

static int64_t span_of_kernels(const struct gather *gather)
{
	int64_t first = INT64_MAX, last = INT64_MIN;

	for (size_t i = 0; i < gather->n; i++) {
		const struct gathered_work *work = &gather->work[i];

		if (work->form == NO_FORM)
			continue;
		first = work->start < first ? work->start : first;
		last = work->end > last ? work->end : last;
	}
	return last > first ? last - first : 0;
}

static int gather_all(struct gather *gather, struct error *err)
{
	struct launches *out = gather->out;

	if (gather_work(gather, err) < 0)
		return -1;
	out->unlaunched = out->nlaunches == 0;
	if (out->unlaunched)
		return error_set(err, gather->nuntimed > 0 ? "no kernel of the program has usable times"
							   : "the program ran no kernel");
	out->span_ns = span_of_kernels(gather);
	if (choose_kernels(gather, err) < 0 || (out->has_range && steps_of_range(gather, err) < 0))
		return -1;
	if (!out->has_range)
		add_steps(gather, 1);
	if (gather_calls(gather, err) < 0)
		return -1;
	for (size_t i = 0; i < gather->n; i++)
		assign_step(gather, &gather->work[i]);
	close_steps(gather);
	gather_sum_up(gather);
	out->unlaunched = out->nsteady == 0 && steps_have_no_others(gather);
	return out->nsteady ? 0 : no_launch_in_steps(gather, err);
}

static void gather_free(struct gather *gather)
{
	forms_free(&gather->forms);
	forms_free(&gather->untimed_forms);
	codes_free(&gather->codes);
	clusters_free(&gather->clusters);
	instances_free(&gather->instances);
	devices_free(&gather->devices);
	numbering_free(&gather->processes);
	numbering_free(&gather->gpus);
	numbering_free(&gather->losers);
	free(gather->chosen);
	free(gather->work);
	free(gather->steps);
	free(gather->losses);
	free(gather->untimed);
	free(gather->untimed_chosen);
	free(gather->graph_calls);
}

int launches_load(const char *path, const struct launches_options *options, struct launches *out, struct error *err)
{
	struct gather gather = {.options = options, .out = out, .first = INT64_MAX, .last = INT64_MIN};
	bool unlaunched;
	int result;

	*out = (struct launches){.has_range = options->range != NULL};
	gather.store = store_open(path, err);
	if (!gather.store)
		return -1;
	out->texts = texts_new();
	result = gather_all(&gather, err);
	gather_free(&gather);
	store_close(gather.store);
	if (result == 0)
		return 0;
	unlaunched = out->unlaunched;
	launches_release(out);
	out->unlaunched = unlaunched;
	return -1;
}

void launches_release(struct launches *launches)
{
	free(launches->kernels);
	free(launches->steps);
	free(launches->cells);
	free(launches->elsewhere);
	for (size_t i = 0; i < launches->ngraphs; i++)
		free(launches->graphs[i].numbers);
	free(launches->graphs);
	texts_free(launches->texts);
	*launches = (struct launches){0};
}

const char *left_out_word(enum left_out why)
{
	static const char *const words[LEFT_REASONS] = {
		[LEFT_FIRST_STEP] = "first-step",
		[LEFT_OTHER_STEP] = "other-step",
		[LEFT_EMPTY_STEP] = "empty-step",
		[LEFT_FIRST_LAUNCH] = "first-launch",
		[LEFT_OUTSIDE] = "outside",
		[LEFT_OTHER_THREAD] = "other-thread",
		[LEFT_NO_CALL] = "no-call",
		[LEFT_NOT_CHOSEN] = "not-chosen",
	};

	return words[why];
}

/* ---- means of steady steps ---- */

double launches_gpu_ns(const struct launches *launches)
{
	double sum = 0;

	for (size_t i = 0; i < launches->nsteps; i++)
		sum += launches->steps[i].left_out == LEFT_NOTHING ? launches->steps[i].ns : 0;
	return launches->nsteady ? sum / (double)launches->nsteady : NAN;
}

double launches_busy_ns(const struct launches *launches)
{
	return launches_gpu_ns(launches) * launches->busy_share;
}

enum run_lack launches_lack(const struct launches *launches)
{
	if (launches->steps_may_lack)
		return LACK_OF_EACH_STEP;
	if (launches->lost > 0 || launches->unfinished > 0)
		return LACK_SOME;
	return launches->perhaps_lost ? LACK_PERHAPS : LACK_NOTHING;
}

bool launches_all_wait(const struct launches *launches)
{
	size_t waiting = 0;

	for (size_t i = 0; i < launches->nsteps; i++)
		waiting += launches->steps[i].left_out == LEFT_NOTHING && launches->steps[i].waits;
	return launches->nsteady && waiting == launches->nsteady;
}

void launches_find_pace(struct launches *launches, double pause)
{
	struct paced_step *steps;

	if (!launches->has_range || launches->is_split)
		return;
	steps = xcalloc(launches->nsteps + 1, sizeof(*steps));
	for (size_t i = 0; i < launches->nsteps; i++) {
		const struct launch_step *step = &launches->steps[i];

		steps[i] = (struct paced_step){.process = process_of(step->thread),
			.start = step->start,
			.end = step->end,
			.lag = step->lag,
			.is_steady = step->left_out == LEFT_NOTHING};
	}
	steps_pace(steps, launches->nsteps, pause, &launches->pace);
	for (size_t i = 0; i < launches->nsteps; i++)
		memcpy(launches->steps[i].host_ns, steps[i].host_ns, sizeof(steps[i].host_ns));
	free(steps);
}

struct paced_run launches_paced(const struct launches *launches, size_t side)
{
	return (struct paced_run){.side = side,
		.traced = true,
		.ends = launches_all_wait(launches) && !launches->pace.overlap,
		.pace = launches->pace};
}
