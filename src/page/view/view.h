/*
 * view.h: turns the tree into what the templates print. Mustache has no logic, so every string is formatted and every
 * choice is made here. The view is a tree of text, true and lists; templates/ says where each goes.
 */
#ifndef DBPROF_PAGE_VIEW_VIEW_H
#define DBPROF_PAGE_VIEW_VIEW_H

#include <jansson.h>
#include <stdbool.h>

#include "figure/timeline-data.h"
#include "tree/json.h"

/* What the page is made of. All borrowed. */
struct view_input {
	const json_t *model;
	const json_t *drawn;   /* figure's name to SVG, from figures_draw() */
	const json_t *exports; /* what lies beside the page: see report/exports.h; may be NULL */
};

/* The whole page's view, a new reference. */
json_t *view_build(const struct view_input *input);

/* ---- for the files of this folder ---- */

/* Where the view of one recording is being built. */
struct view {
	const json_t *drawn;
	const json_t *recording; /* R */
	size_t number;           /* of the recording, from 0 */
	bool first;              /* nothing stands above it on the page */
	bool several;            /* other recordings stand on the page, too */
};

/* Text that a person reads; a new reference. */
json_t *view_text(const char *format, ...) __attribute__((format(printf, 1, 2)));

/*
 * What is not there is put as null or false. Otherwise a template would look for the key in the objects around this
 * one, and print the family's speed-up for a case that has none.
 */

/* Puts the text `value` under `key`; null if it is empty. */
void view_put_text(json_t *object, const char *key, const char *value);

/* Puts a list under `key`, and under `has_KEY` whether it has items: so a template can print what stands around it. */
void view_put_list(json_t *object, const char *key, json_t *list);

/* A table of texts (rows of cells; the first row is the head) as one text with columns; null without columns. */
json_t *view_columns(const json_t *rows);

/* The same of rows that are objects: each column's head, and its text's key or "key.member". Null without rows. */
struct view_column {
	const char *head, *path;
};
json_t *view_columns_of(const json_t *rows, const struct view_column *columns, size_t n);

/* Numbers for people, "n/a" for NaN. */
json_t *view_time(double ns);
json_t *view_bytes(double bytes);
json_t *view_count(double count);
json_t *view_ratio(double ratio);
/* With the decimals of its interval; low and high may be NaN. A ratio with a verdict stands on its own side of 1 ± band
 * (util/format.h); one without has the band 0. */
json_t *view_ratio_within(double ratio, double low, double high, double band);
json_t *view_percent(double share);
/* What a ratio differs from 1 by: "+2.00 %". */
json_t *view_change(double ratio);
/* "1.270× to 1.290×" */
json_t *view_interval(double low, double high, double band);
/* How far low and high lie from the middle: "−0.31 % to +0.42 %". */
json_t *view_spread(double low, double middle, double high);
json_t *view_throughput(double rate, const char *headline_unit);

/* Puts {"svg"} of a figure under `key`; null if it was not drawn. `family` is NULL for the program's own. */
void view_put_figure(struct view *view, json_t *object, const char *key, const char *family, const char *what);

/* An id for an element: what anchor_of() makes of it in the first recording, "r2-..." of that in the second;
 * "stream--two" of stream/two, for checkers of HTML want no slash. Parts of a family add "__" and a word. */
json_t *view_id(struct view *view, const char *anchor);

/* A text in which no line breaks between a number and its unit. */
json_t *view_unbroken(const char *text);

/* Puts text as a sentence: begun with a capital, ended with a full stop. Null for "". */
void view_put_sentence(json_t *object, const char *key, const char *text);

/* The events of a timeline and where the figure has them, as text for a script element. */
json_t *view_timeline(timeline_maker *make, const json_t *subject);

/* Puts `palette`: the colours by name, those of light and dark under `light` and `dark`. */
void view_put_palette(json_t *page);

/* Text that a page may hold between <script> and </script>. */
json_t *view_script_json(const json_t *value);

/* Puts `verdict` {"word", "sign", "class", "failed": which checks of the evidence failed, in words, or null} of a
 * contrast, by its size where it has one. It may be NULL: not measured. */
void view_put_verdict(json_t *object, const json_t *contrast);

/* Puts `speedup` {"value", "interval", "blocks"} of a contrast; null if it has none. */
void view_put_speedup(json_t *object, const json_t *contrast);

enum { VIEW_SETTINGS_SIZE = 1024 };

/* " --set=n=8 --set=chunk=4": every setting that the recording was made with, into `text` of VIEW_SETTINGS_SIZE bytes,
 * which it returns. */
char *view_settings(const struct view *view, char *text);

/* Why a pass has nothing for a family, in words; "" if it was done. */
void view_pass_reason(const struct view *view, const char *family, const char *pass, char *text, size_t size);

/* Puts as a sentence why a pass gave nothing for a family; null if it was done, or the recording knows no such pass. */
void view_put_refusal(struct view *view, json_t *object, const char *key, const char *family, const char *pass);

/* The failures of a contrast's evidence, "; " between them; null if there are none. */
json_t *view_failures(const json_t *contrast);

/* The headline contrast of a family, or NULL. */
const json_t *view_headline(const json_t *family);

/* ---- PC samples beside the code (stalls.c) ---- */

/* "stalls" of the family's single or double in the headline case; NULL if there are no samples. */
const json_t *view_stalls(const json_t *family, const char *role);

/* The largest share of the samples that a line of a file, or an instruction where `file` is NULL, has. */
double view_longest_share(const json_t *stalls, const char *file);

/* The file that the code of the family's single or double stands in. Borrowed. */
const char *view_side_file(const json_t *family, const char *role);

/* The largest share that a line of its side's file has on either side: the bars' common scale. 0 without samples. */
double view_longest_bar(const json_t *family);

/* {"class", "width" (whole % of the longest), "share" (null if too small for words), "hot" (to stay in sight),
 * "reason", "all"} for line `number` of `file`; null if it has no samples. */
json_t *view_stall_bar(const json_t *stalls, const char *file, double number, double longest);

/* The same of the instruction at an offset. */
json_t *view_offset_bar(const json_t *stalls, double offset, double longest);

/* Where the bars of one side of a listing come from. */
struct code_bars {
	const json_t *stalls; /* NULL: no samples */
	const char *file;     /* of source lines; NULL: the rows are instructions, their numbers offsets */
	double longest;       /* of both sides: 0 without samples */
};

/* Puts "code", the rows [{"a_line", "a", "b_line", "b", "kind"}] of a listing with their bars, "sampled": whether any
 * has one, and "code_rest", "code_unseen": whether any, or all of them, are hidden until asked for. */
void view_put_code_rows(
	json_t *object, const json_t *rows, const struct code_bars *single, const struct code_bars *dbl);

/* How many samples one side has and what share of them lies outside the code that is shown (whose line numbers are
 * under `number`); null without samples. */
json_t *view_stall_sum(const json_t *family, const char *role, const char *number);

/* "long_scoreboard" as words. */
json_t *view_reason_words(const char *name);

/* Adds rows for the instructions of "stalls" with most samples: "role" (`called`), "symbol", "offset", "where" (null
 * without a line), "samples", "share", "reason". */
void view_add_offsets(json_t *list, const json_t *stalls, const char *called);

/* Puts the lines with a barrier, and the instructions with most samples. */
void view_barriers(json_t *page, const json_t *family);
void view_offsets(json_t *page, const json_t *family);

/* ---- one function per part of the page; each puts what the part's template prints ---- */

void view_head(struct view *view, json_t *page);
void view_families(struct view *view, json_t *page);
/* After view_families(): its rows are the families' views. */
void view_overview(struct view *view, json_t *page);

/* Whether a part of a family's time is two things at once. */
bool view_splits_time(const json_t *family);
/* What a family's row in the overview and the line of its fold say. */
void view_row(struct view *view, json_t *row, const json_t *family);
/* The timeline of the family's pair as "picture", null without one: figure, data for the script, whether it has a
 * strip. */
void view_put_timeline(struct view *view, json_t *page, const json_t *family);
void view_picture(struct view *view, json_t *page, const json_t *family);
/* Of programs: the timeline of a typical step, and of which step of each side it is; without one, whose step is too
 * large for it. */
void view_median_steps(struct view *view, json_t *page, const json_t *family);
void view_steps(struct view *view, json_t *page, const json_t *family);
void view_changed(json_t *page, const json_t *family);
void view_why(struct view *view, json_t *page, const json_t *family);
void view_cost(json_t *page, const json_t *family);
void view_variants(struct view *view, json_t *page, const json_t *family);
void view_floor(json_t *page, const json_t *family);
void view_climb(struct view *view, json_t *page, const json_t *family);
void view_roles(json_t *page, const json_t *family);
void view_items(struct view *view, json_t *page, const json_t *family);

/* Puts "items_text", the latencies at the points of a sweep as a table of text; null where no items are recorded.
 * Behind the titles of the axes. */
void view_items_of_sweep(json_t *page, const json_t *sweep);
void view_cases(json_t *page, const json_t *family);
void view_inside(struct view *view, json_t *page, const json_t *family);
void view_pm(struct view *view, json_t *page, const json_t *family);
void view_code(struct view *view, json_t *page, const json_t *family);
void view_ptx(json_t *page, const json_t *family);
void view_evidence(struct view *view, json_t *page, const json_t *family);
/* The checks of an evidence as a list. */
json_t *view_checks(const json_t *evidence);
/* Puts "passed": "8 of 8 checks passed, 1 not measured"; null without checks. */
void view_put_passed(json_t *object, const json_t *contrast);
/* Whether `dbprof contrast` made the family of programs, and such a family in place of all the parts above. */
bool view_is_of_programs(const json_t *family);
json_t *view_contrast(struct view *view, const json_t *family);

/* Puts the code of the kernels that both programs of a contrast have, side by side. */
void view_put_contrast_code(struct view *view, json_t *page, const json_t *family);

/* Puts why the kernels of a contrast of programs differ: the waterfall, and what was counted of each of them. */
void view_put_contrast_causes(struct view *view, json_t *page, const json_t *family);

/* Puts which kernels make the difference of two programs, which are each other's, and those of one side only. */
void view_put_contrast_kernels(json_t *page, const json_t *family);

/* Where the time of a step of two programs went, and why it differs; null where traced runs do not tell. */
json_t *view_step(struct view *view, const json_t *family);

/* Puts what PC sampling found in a kernel of a contrast of programs; nulls where neither side was sampled. */
void view_put_kernel_samples(json_t *kernel, const json_t *family, const char *label);

/* Puts "unsampled": kernels that were not sampled, or not wholly, and why. */
void view_put_unsampled(json_t *page, const json_t *family);

/* Whether the kernel was sampled on a side of the family's pair. */
bool view_is_sampled(const json_t *family, const char *label);

/* Puts "causes" (those that something can be done about) and "moved" of a contrast. */
void view_put_causes(json_t *page, const json_t *contrast);
/* Every counter that differs between the family's sides in a case, as one text with columns; null without any. */
json_t *view_counters_text(const json_t *family, const char *label);
/* What each side takes of an SM: rows of C. */
json_t *view_cost_rows(const json_t *cost);

/* The colour of a side of the family's pair; null for a third side. */
json_t *view_side_class(const json_t *family, const char *side);

/* Puts what its runs tell of themselves: no wait at the end of a step, sides that run the same, what does not count. */
void view_put_runs(json_t *page, const json_t *family);

/* Puts the values that it varies, if it does. */
void view_put_values(struct view *view, json_t *page, const json_t *family);
/* Text with “x” for `x`; null for "". */
json_t *view_quoted(const char *text);
void view_sweeps(struct view *view, json_t *page, const json_t *family);
void view_prediction(struct view *view, json_t *page);
/* Title, meaning and formula of each counter. */
void view_counter_meanings(json_t *page, const json_t *recordings);
void view_balance(json_t *page, const json_t *family);
void view_claims(struct view *view, json_t *page);
/* Puts "advice", null where nothing was advised. */
void view_advice(struct view *view, json_t *page);
void view_program(struct view *view, json_t *page);

/* ---- a recording without families ---- */

/* The places where double buffering would pay (pays.c), and the tables (work.c), into the program's view. */
void view_pays(struct view *view, json_t *out);
void view_work_tables(struct view *view, json_t *out);
void view_communication(const json_t *program, json_t *out); /* "communication", null without one */
void view_loops(const json_t *program, json_t *out);         /* "loops", null without others than those of "pays" */

/* processes.c: "python3 (process 5001)" as text of `size` bytes, which it returns; the processes by name; how many
 * kernels and copies there are; and what is missing of the recording, under `missing`. */
char *view_process(const struct view *view, double pid, char *text, size_t size);
json_t *view_process_names(struct view *view, const json_t *processes);
json_t *view_work_counts(const json_t *program);
void view_missing(struct view *view, json_t *page);

/* Whether nothing of the family was measured but points of its sweeps. */
bool view_only_sweeps(const json_t *family);

/* The reason in few words; where only sweeps were measured, what the first of them found. Borrowed. */
const char *view_because(const json_t *family);

/* Verification of one variant in one case in one sentence; "" if it was not verified. */
void view_verify(const json_t *verify, char *text, size_t size);

/* Puts `several`: what recordings of one report say beside each other; null for one. */
void view_several(json_t *page, const json_t *model);

#endif
