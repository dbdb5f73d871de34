/* rows.c: see rows.h. */
#include "contrast/rows.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "analyze/thresholds.h"
#include "contrast/extent-rows.h"
#include "contrast/sample-rows.h"
#include "contrast/step/kernel-steps.h"
#include "contrast/step/kinds.h"
#include "util/alloc.h"
#include "util/clip.h"
#include "util/strbuf.h"
#include "util/text/words.h"

static struct value real_or_null(double value)
{
	if (isnan(value))
		return (struct value){.kind = VALUE_NULL};
	return VALUE_OF_REAL(value);
}

/* ---- family, variants, sides ---- */

/* A word without its folders: those of the program, and of any absolute path. */
static char *short_word(char *word, bool is_program)
{
	char *slash = is_program || *word == '/' ? strrchr(word, '/') : NULL;

	return slash && slash[1] != '\0' ? slash + 1 : word;
}

/* The command without folders: cut short, between two characters, where it is long. */
static char *short_command(const struct contrast_command *side)
{
	enum { LONGEST = 60 };
	char **words, *text, *cut, begin[LONGEST - 3];
	size_t n = 0;

	while (side->argv[n])
		n++;
	words = xcalloc(n + 1, sizeof(*words));
	for (size_t i = 0; i < n; i++)
		words[i] = short_word(side->argv[i], i == 0);
	text = words_join(words);
	clip_print(begin, sizeof(begin), "%s", text);
	cut = strlen(text) <= LONGEST ? xstrdup(text) : xasprintf("%s ...", begin);
	free(words);
	free(text);
	return cut;
}

/* The command is that of the first value. It need not have the value: that may stand in the environment. */
static char *title_of_values(const struct contrast_options *o, const char *command)
{
	enum { NAME_MOST = 80 };
	char first[NAME_MOST], last[NAME_MOST];

	clip_print(first, sizeof(first), "%s", o->sides[0].name);
	clip_print(last, sizeof(last), "%s", o->sides[o->nsides - 1].name);
	return o->nsides == 2 ? xasprintf("%s against %s: %s", last, first, command)
			      : xasprintf("%zu values of %.60s against %s: %s", o->nsides - 1, o->sides[0].vary, first,
					command);
}

static char *title_of(const struct contrast_options *o)
{
	char *first = short_command(&o->sides[0]), *other = short_command(&o->sides[o->nsides - 1]);
	char *title = o->nsides == 1     ? xstrdup(first)
		      : o->sides[0].vary ? title_of_values(o, first)
		      : o->nsides == 2   ? xasprintf("%s against %s", other, first)
					 : xasprintf("%zu commands against %s", o->nsides - 1, first);

	free(first);
	free(other);
	return title;
}

static const char *question_of(const struct contrast_options *o)
{
	return o->nsides > 1 ? "Which command needs less time on the GPU, and which one as a whole?"
			     : "Would more buffers make its kernels faster, and how many?";
}

/* `shown`: the side that is shown against the first. */
static int row_of_family(struct recording *rec, const struct contrast_options *o, size_t shown, struct error *err)
{
	char *title = title_of(o);
	const struct value row[FAMILY_NUMBER] = {
		[FAMILY_name] = VALUE_OF_TEXT(CONTRAST_FAMILY),
		[FAMILY_ord] = VALUE_OF_INT(0),
		[FAMILY_title] = VALUE_OF_TEXT(title),
		[FAMILY_question] = VALUE_OF_TEXT(question_of(o)),
		[FAMILY_single] = VALUE_OF_TEXT(o->sides[0].name),
		[FAMILY_double] = VALUE_OF_TEXT(o->nsides > 1 ? o->sides[shown].name : NULL),
		[FAMILY_origin] = VALUE_OF_TEXT(o->nsides > 1 ? "programs" : "advice"),
	};
	int code = recording_row(rec, TABLE_FAMILY, row, err);

	free(title);
	return code;
}

static int row_of_variant(struct recording *rec, const struct contrast_options *o, size_t side, struct error *err)
{
	char *command = words_join(o->sides[side].argv);
	const struct value row[VARIANT_NUMBER] = {
		[VARIANT_family] = VALUE_OF_TEXT(CONTRAST_FAMILY),
		[VARIANT_name] = VALUE_OF_TEXT(o->sides[side].name),
		[VARIANT_ord] = VALUE_OF_INT((int64_t)side),
		[VARIANT_summary] = VALUE_OF_TEXT(command),
		[VARIANT_kind] = VALUE_OF_TEXT("candidate"),
		[VARIANT_buffers] = VALUE_OF_INT(side == 0 ? 1 : 2),
		[VARIANT_teachesFailure] = VALUE_OF_INT(0),
	};
	int code = recording_row(rec, TABLE_VARIANT, row, err);

	free(command);
	return code;
}

/* NAME=VALUE lines. */
static char *environment_text(const struct contrast_command *side)
{
	struct strbuf text = {0};

	for (char **entry = side->environment; entry && *entry; entry++)
		strbuf_printf(&text, "%s%s", entry == side->environment ? "" : "\n", *entry);
	return strbuf_take(&text);
}

/* DBPROF_SIDE.variation; NULL if it cannot be told. */
static const char *variation_word(const struct contrast_samples *samples, size_t side)
{
	if (side == 0 || !samples || samples->sides[0].kernels.n == 0 || samples->sides[side].kernels.n == 0)
		return NULL;
	return samples->sides[side].matching.is_alike ? "alike" : "differs";
}

static int row_of_side(struct recording *rec, const struct contrast_options *o, const struct measured_side *measured,
	const struct contrast_samples *samples, size_t side, struct error *err)
{
	char *command = words_join(o->sides[side].argv), *environment = environment_text(&o->sides[side]), hash[17];
	bool ended = measured->ran && WIFEXITED(measured->status);
	const struct value row[SIDE_NUMBER] = {
		[SIDE_family] = VALUE_OF_TEXT(CONTRAST_FAMILY),
		[SIDE_variant] = VALUE_OF_TEXT(o->sides[side].name),
		[SIDE_command] = VALUE_OF_TEXT(command),
		[SIDE_environment] = VALUE_OF_TEXT(*environment == '\0' ? NULL : environment),
		[SIDE_exit] = VALUE_OF_INT_IF(WEXITSTATUS(measured->status), ended),
		[SIDE_signal] = VALUE_OF_INT_IF(WTERMSIG(measured->status), measured->ran && !ended),
		[SIDE_output] = VALUE_OF_TEXT(measured->ran ? hash : NULL),
		[SIDE_outputBytes] = VALUE_OF_INT_IF(measured->output.bytes, measured->ran),
		[SIDE_outputCheck] = VALUE_OF_TEXT(measured->check),
		[SIDE_vary] = VALUE_OF_TEXT(o->sides[side].vary),
		[SIDE_value] = VALUE_OF_TEXT(o->sides[side].value),
		[SIDE_variation] = VALUE_OF_TEXT(variation_word(samples, side)),
		[SIDE_ended] = VALUE_OF_TEXT(measured->ended),
	};
	int code;

	snprintf(hash, sizeof(hash), "%016" PRIx64, measured->output.hash);
	code = recording_row(rec, TABLE_SIDE, row, err);
	free(command);
	free(environment);
	return code;
}

/* ---- runs ---- */

static const char *kind_word(const struct contrast_options *o, const struct measured_run *run)
{
	static const char *const words[] = {[SIDE_PLAIN] = "plain",
		[SIDE_HOST] = "host",
		[SIDE_TRACED] = "traced",
		[SIDE_COUNTED] = "counted",
		[SIDE_SAMPLED] = "sampled",
		[SIDE_PM] = "pm",
		[SIDE_CODE] = "code"};
	bool is_apart = run->kind >= SIDE_COUNTED;

	return run->block < 0 && !is_apart && o->nsides > 1 ? "warm-up" : words[run->kind];
}

/* Whether something that the program left behind used the GPU: it may have had more to do when it was ended. */
static bool works_when_left(const struct measured_run *run)
{
	const struct launches *launches = run->launches;
	int64_t last = launches->nsteps > 0 ? launches->steps[launches->nsteps - 1].end : 0;

	return run->run.left > 0 && !launches->has_range && run->run.epoch_ns + last > run->run.end_ns;
}

static enum run_lack lack_of_run(const struct measured_run *run)
{
	enum run_lack lack = launches_lack(run->launches);

	return lack == LACK_NOTHING && works_when_left(run) ? LACK_SOME : lack;
}

/* DBPROF_BLOCK.beginShare */
static double begin_share_of(const struct measured_run *run, enum step_measure measure)
{
	if (run->launches)
		return run->counted ? kernel_steps_begins(run->counted) : NAN;
	return run->times.n[measure] > 0 ? (double)run->times.begins[measure] / (double)run->times.n[measure] : NAN;
}

static int row_of_run(struct recording *rec, const struct contrast_options *o, const struct measurement *measured,
	const struct measured_run *run, struct error *err)
{
	const struct side_readings *readings = &run->run.readings;
	const struct launches *launches = run->launches;
	enum step_measure period = step_period_beside(measured->measure);
	size_t first = run->counted ? run->counted->nsteady : 0;
	int64_t steps = (int64_t)(launches && launches->has_range ? launches->nsteady : run->times.n[STEP_DURATION]);
	char hash[EXTENT_HASH_BYTES];
	struct value row[BLOCK_NUMBER] = {
		[BLOCK_family] = VALUE_OF_TEXT(CONTRAST_FAMILY),
		[BLOCK_variant] = VALUE_OF_TEXT(o->sides[run->side].name),
		[BLOCK_kind] = VALUE_OF_TEXT(kind_word(o, run)),
		[BLOCK_block] = VALUE_OF_INT_IF(run->block, run->block >= 0),
		[BLOCK_position] = VALUE_OF_INT_IF(run->position, run->block >= 0),
		[BLOCK_start] = VALUE_OF_INT(run->run.start_ns),
		[BLOCK_end] = VALUE_OF_INT(run->run.end_ns),
		[BLOCK_steps] = VALUE_OF_INT_IF(steps, steps > 0),
		[BLOCK_stepNs] = real_or_null(run->times.ns[measured->measure]),
		[BLOCK_smMhz] = real_or_null(readings->n > 0 ? readings->sm_mhz : NAN),
		[BLOCK_powerMw] = real_or_null(readings->n > 0 ? readings->power_mw : NAN),
		[BLOCK_throttle] = VALUE_OF_INT_IF(readings->throttle, readings->n > 0 && readings->throttle >= 0),
		[BLOCK_readings] = VALUE_OF_INT(readings->n),
		[BLOCK_gpu] = VALUE_OF_INT_IF(run->gpu, run->gpu >= 0),
		[BLOCK_gpus] = VALUE_OF_INT_IF((int64_t)seen_gpus_busy(&run->run), launches),
		[BLOCK_launches] = VALUE_OF_INT_IF(launches ? (int64_t)launches->nlaunches : 0, launches),
		[BLOCK_gpuNs] = VALUE_OF_INT_IF(launches ? launches->ns : 0, launches),
		[BLOCK_waits] =
			VALUE_OF_INT_IF(launches && launches_paced(launches, 0).ends, launches && launches->has_range),
		[BLOCK_incomplete] = VALUE_OF_INT_IF(launches ? lack_of_run(run) : LACK_NOTHING, launches),
		[BLOCK_firstSteps] = VALUE_OF_INT_IF((int64_t)first, first > 0 && (int64_t)first < steps),
		[BLOCK_beginShare] = real_or_null(begin_share_of(run, measured->measure)),
		[BLOCK_kernelSumNs] = real_or_null(launches ? launches_gpu_ns(launches) : NAN),
		[BLOCK_kernelBusyNs] = real_or_null(launches ? launches_busy_ns(launches) : NAN),
		[BLOCK_kernelSpanNs] = VALUE_OF_INT_IF(launches ? launches->span_ns : 0, launches),
		[BLOCK_lagShare] = real_or_null(launches ? pace_lag_share(&launches->pace.by[period]) : NAN),
		[BLOCK_periodNs] = real_or_null(run->times.ns[period]),
		[BLOCK_placedNs] = real_or_null(run->placed.ns[measured->measure]),
	};

	put_extent(launches, hash, row);
	put_step_work(launches ? &launches->work[measured->measure] : &(struct step_work){.known = false},
		run->times.ns[measured->measure], row);
	/* A program that could not be started was not run. */
	return run->run.not_started != 0 ? 0 : recording_row(rec, TABLE_BLOCK, row, err);
}

/* What does not count of a traced run of a block. */
static int rows_of_left_out(
	struct recording *rec, const struct contrast_options *o, const struct measured_run *run, struct error *err)
{
	for (enum left_out why = 0; run->launches && run->block >= 0 && why < LEFT_REASONS; why++) {
		const struct left_sum *left = &run->launches->left[why];
		const struct value row[LEFTOUT_NUMBER] = {
			[LEFTOUT_family] = VALUE_OF_TEXT(CONTRAST_FAMILY),
			[LEFTOUT_variant] = VALUE_OF_TEXT(o->sides[run->side].name),
			[LEFTOUT_block] = VALUE_OF_INT(run->block),
			[LEFTOUT_position] = VALUE_OF_INT(run->position),
			[LEFTOUT_reason] = VALUE_OF_TEXT(left_out_word(why)),
			[LEFTOUT_steps] = VALUE_OF_INT((int64_t)left->steps),
			[LEFTOUT_launches] = VALUE_OF_INT((int64_t)left->launches),
			[LEFTOUT_ns] = VALUE_OF_INT(left->ns),
		};

		if ((left->steps > 0 || left->launches > 0) && recording_row(rec, TABLE_LEFTOUT, row, err) < 0)
			return -1;
	}
	return 0;
}

static int rows_of_kinds(
	struct recording *rec, const struct contrast_options *o, const struct measured_run *run, struct error *err)
{
	const struct value row[STEPKIND_NUMBER] = {
		[STEPKIND_family] = VALUE_OF_TEXT(CONTRAST_FAMILY),
		[STEPKIND_variant] = VALUE_OF_TEXT(o->sides[run->side].name),
		[STEPKIND_block] = VALUE_OF_INT(run->block),
		[STEPKIND_position] = VALUE_OF_INT(run->position),
	};

	return run->launches && run->block >= 0 ? rows_of_step_kinds(rec, run->launches, row, err) : 0;
}

/* A diagnostic; `text` is freed. NULL: none. */
static int row_of_warning(struct recording *rec, int64_t ns, char *text, struct error *err)
{
	enum { WARNING = 2 };
	const struct value row[DIAGNOSTIC_NUMBER] = {
		[DIAGNOSTIC_timestamp] = VALUE_OF_INT(ns),
		[DIAGNOSTIC_timestampType] = VALUE_OF_INT(1), /* of the target */
		[DIAGNOSTIC_source] = VALUE_OF_INT(1),        /* the tool itself */
		[DIAGNOSTIC_severity] = VALUE_OF_INT(WARNING),
		[DIAGNOSTIC_text] = VALUE_OF_TEXT(text),
	};
	int code = text ? recording_row(rec, TABLE_DIAGNOSTIC, row, err) : 0;

	free(text);
	return code;
}

/* A traced run that was repeated: it is in no block. */
static int row_of_repeated(struct recording *rec, const struct measured_run *run, struct error *err)
{
	char *text = run->repeated ? xasprintf("%s: a traced run, which was repeated", run->repeated) : NULL;

	return row_of_warning(rec, run->run.end_ns, text, err);
}

static int row_of_left_behind(struct recording *rec, const struct contrast_options *o,
	const struct measured_side *measured, size_t side, struct error *err)
{
	char *text = measured->left == 0 ? NULL
					 : xasprintf("%s " LEFT_BEHIND, o->sides[side].name, measured->left,
						   measured->left == 1 ? "" : "es");

	return row_of_warning(rec, 0, text, err);
}

int rows_of_sides(struct recording *rec, const struct contrast_options *options, const struct measurement *measured,
	const struct contrast_samples *samples, struct error *err)
{
	if (row_of_family(rec, options, samples ? contrast_side_shown(samples) : 1, err) < 0)
		return -1;
	for (size_t i = 0; i < options->nsides; i++)
		if (row_of_variant(rec, options, i, err) < 0 ||
			row_of_side(rec, options, &measured->sides[i], samples, i, err) < 0 ||
			row_of_left_behind(rec, options, &measured->sides[i], i, err) < 0)
			return -1;
	for (size_t i = 0; i < measured->nruns; i++)
		if (row_of_run(rec, options, measured, &measured->runs[i], err) < 0 ||
			rows_of_left_out(rec, options, &measured->runs[i], err) < 0 ||
			rows_of_kinds(rec, options, &measured->runs[i], err) < 0 ||
			row_of_repeated(rec, &measured->runs[i], err) < 0)
			return -1;
	return 0;
}

/* ---- passes behind the runs ---- */

int row_of_pass(struct recording *rec, const struct pass_row *pass, struct error *err)
{
	const struct value row[PASS_NUMBER] = {
		[PASS_family] = VALUE_OF_TEXT(CONTRAST_FAMILY),
		[PASS_pass] = VALUE_OF_TEXT(pass->pass),
		[PASS_status] = VALUE_OF_TEXT(pass->status),
		[PASS_reason] = VALUE_OF_TEXT(pass->reason->text[0] == '\0' ? NULL : pass->reason->text),
		[PASS_start] = VALUE_OF_INT(pass->start),
		[PASS_end] = VALUE_OF_INT(pass->end),
		[PASS_run] = VALUE_OF_INT(0),
	};

	return recording_row(rec, TABLE_PASS, row, err);
}
