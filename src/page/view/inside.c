/* inside.c: the inside of a kernel by its time stamps: the figures, what they show in tables, and what the stamps
 * cost. */
#include "page/view/view.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "figure/inside-data.h"
#include "tree/tree.h"
#include "util/clip.h"
#include "util/format.h"

/* A table of steps has at most so many rows; where there are more, each row is of several steps. */
enum { MAX_ROWS = 40 };

static const char *const roles[] = {"single", "double"};

enum { ROLES = sizeof(roles) / sizeof(roles[0]) };

/* "slower by 1.20 %" */
static void change_words(char *text, size_t size, bool changes, double change, const char *more, const char *less)
{
	char percent[FORMAT_SIZE];

	format_percent(percent, sizeof(percent), fabs(change));
	if (!changes)
		snprintf(text, size, "not measurably %s", more);
	else
		snprintf(text, size, "%s %s", percent, change > 0 ? more : less);
}

/* What the stamps cost: the kernel's time, and a block's life. */
static json_t *cost_words(const json_t *phases)
{
	const json_t *cost = json_object_get(phases, "perturbation");
	double kernel = tree_real(cost, "kernel"), block = tree_real(cost, "block");
	char kernel_words[FORMAT_SIZE + 32], block_words[FORMAT_SIZE + 32] = "not measured";
	char plain[FORMAT_SIZE], stamped[FORMAT_SIZE], times[2 * FORMAT_SIZE];

	if (!isfinite(kernel))
		return view_text("What the stamps cost was not measured.");
	change_words(kernel_words, sizeof(kernel_words), tree_true(cost, "kernel_changes"), kernel, "slower", "faster");
	if (isfinite(block))
		change_words(
			block_words, sizeof(block_words), tree_true(cost, "block_changes"), block, "longer", "shorter");
	format_time_ns(stamped, sizeof(stamped), tree_real(phases, "stamped_ns"));
	format_time_ns(plain, sizeof(plain), tree_real(phases, "plain_ns"));
	if (strcmp(stamped, plain) == 0)
		clip_print(times, sizeof(times), "%s", stamped);
	else
		clip_print(times, sizeof(times), "%s instead of %s", stamped, plain);
	return view_text("With stamps the kernel is %s (%s); the life of a stamped block: %s.", kernel_words, times,
		block_words);
}

/* Whether the picture is of a mean block: it is put together from segments. */
static bool inside_is_mean(const json_t *phases)
{
	return tree_real(phases, "segments") > 0;
}

/* A sentence about `n` of something, or nothing of none: "2 phases ..." */
static void some_words(char *text, size_t size, double n, const char *one, const char *many)
{
	char number[FORMAT_SIZE];

	*text = '\0';
	if (n > 0)
		snprintf(text, size, " %s %s", format_count(number, sizeof(number), n), n == 1 ? one : many);
}

static void cut_words(char *text, size_t size, const json_t *phases)
{
	some_words(text, size, tree_real(phases, "cut_phases"),
		"phase of a warp came out below zero and has no length.",
		"phases of warps came out below zero and have no length.");
}

static json_t *mean_words(const json_t *phases)
{
	char blocks[FORMAT_SIZE], segments[FORMAT_SIZE], cut[256], left[256];

	format_count(blocks, sizeof(blocks), tree_real(phases, "blocks"));
	format_count(segments, sizeof(segments), tree_real(phases, "segments"));
	cut_words(cut, sizeof(cut), phases);
	some_words(left, sizeof(left), tree_real(phases, "left_out"), "block was held up and is left out.",
		"blocks were held up and are left out.");
	return view_text(
		"the mean of %s stamped blocks, %.0f warps. Each block took the stamps of one of %s segments of its "
		"life.%s%s",
		blocks, tree_real(phases, "warps"), segments, cut, left);
}

/* Which block is shown, and how many are stamped. */
static json_t *inside_shown(const json_t *phases)
{
	char block[FORMAT_SIZE], blocks[FORMAT_SIZE], grid[FORMAT_SIZE], cut[256];

	if (inside_is_mean(phases))
		return mean_words(phases);
	cut_words(cut, sizeof(cut), phases);
	format_count(block, sizeof(block), tree_real(phases, "block"));
	format_count(blocks, sizeof(blocks), tree_real(phases, "blocks"));
	format_count(grid, sizeof(grid), tree_real(phases, "grid_blocks"));
	return view_text("block %s, %.0f warps; stamped: %s of %s blocks.%s", block, tree_real(phases, "warps"), blocks,
		grid, cut);
}

static json_t *inside_run_view(const json_t *family, const char *role)
{
	const json_t *phases = inside_phases(family, role);
	const json_t *cost = json_object_get(phases, "perturbation");
	double plain = tree_real(phases, "plain_registers"), stamped = tree_real(phases, "stamped_registers");
	json_t *run = json_object();

	put_json(run, "role", view_text("%s", role));
	put_json(run, "name", view_text("%s", tree_text(family, role)));
	put_json(run, "shown", inside_shown(phases));
	put_json(run, "cost", cost_words(phases));
	put_json(run, "registers",
		isfinite(plain) && isfinite(stamped) && plain != stamped
			? view_text(
				  "The stamped kernel takes %.0f registers per thread instead of %.0f.", stamped, plain)
			: json_null());
	put_json(run, "disturbed", json_boolean(tree_true(cost, "disturbs")));
	put_json(run, "stretched", json_boolean(tree_true(cost, "stretches")));
	return run;
}

/* A number, or null where there is none: the templates print a dash for it. */
static json_t *inside_share_view(double share)
{
	return isfinite(share) ? view_percent(share) : json_null();
}

/* Shares of the phases in all warp cycles of the stamped blocks. */
static json_t *shares_view(const json_t *family)
{
	static const char *const words[INSIDE_PHASES] = {
		"load", "wait at a barrier", "compute", "store"}; /* in the order of enum inside_phase */
	json_t *rows = json_array();

	for (enum inside_phase phase = INSIDE_LOAD; phase < INSIDE_PHASES; phase++) {
		json_t *row = json_object();

		put_json(row, "phase", view_text("%s", inside_key(phase)));
		put_json(row, "words", view_text("%s", words[phase]));
		for (int r = 0; r < ROLES; r++) {
			const json_t *shares = json_object_get(inside_phases(family, roles[r]), "shares");

			put_json(row, roles[r], inside_share_view(tree_real(shares, inside_key(phase))));
		}
		append_json(rows, row);
	}
	return rows;
}

/* ---- waiting by step ---- */

static json_t *step_name(const struct wait_step *step)
{
	return step->last > step->first ? view_text("%.0f to %.0f", step->first, step->last)
					: view_text("%.0f", step->first);
}

static json_t *step_rows(struct wait_step *const step[ROLES], const size_t n[ROLES])
{
	int longer = n[1] > n[0];
	json_t *rows = json_array();

	for (size_t i = 0; i < n[longer]; i++) {
		json_t *row = json_object();

		put_json(row, "step", step_name(&step[longer][i]));
		for (int r = 0; r < ROLES; r++)
			put_json(row, roles[r], i < n[r] ? inside_share_view(wait_share(&step[r][i])) : json_null());
		append_json(rows, row);
	}
	return rows;
}

static json_t *wait_view(struct view *view, const json_t *family)
{
	static const struct view_column columns[] = {{"step", "step"}, {"single", "single"}, {"double", "double"}};
	struct wait_step *step[ROLES] = {NULL, NULL};
	size_t n[ROLES] = {0, 0}, group = wait_group(family, MAX_ROWS);
	json_t *wait = json_object();

	for (int r = 0; r < ROLES; r++)
		n[r] = wait_steps(inside_phases(family, roles[r]), group, &step[r]);
	view_put_figure(view, wait, "figure", tree_text(family, "name"), "wait");
	view_put_list(wait, "rows", step_rows(step, n));
	put_json(wait, "text",
		view_columns_of(json_object_get(wait, "rows"), columns, sizeof(columns) / sizeof(columns[0])));
	for (int r = 0; r < ROLES; r++)
		free(step[r]);
	return wait;
}

/* ---- the part of the page ---- */

static json_t *inside_view(struct view *view, const json_t *family)
{
	const char *name = tree_text(family, "name");
	json_t *inside = json_object(), *runs = json_array();

	for (int r = 0; r < ROLES; r++) {
		if (inside_phases(family, roles[r]))
			append_json(runs, inside_run_view(family, roles[r]));
	}
	view_put_list(inside, "runs", runs);
	put_json(inside, "mean",
		json_boolean(inside_is_mean(inside_phases(family, "single")) ||
			     inside_is_mean(inside_phases(family, "double"))));
	view_put_figure(view, inside, "zoom", name, "inside-zoom");
	view_put_figure(view, inside, "whole", name, "inside");
	put_json(inside, "shares", shares_view(family));
	put_json(inside, "wait", wait_view(view, family));
	return inside;
}

void view_inside(struct view *view, json_t *page, const json_t *family)
{
	bool there = inside_phases(family, "single") || inside_phases(family, "double");

	put_json(page, "inside", there ? inside_view(view, family) : json_null());
	put_json(page, "shows_inside", json_boolean(there || tree_true(page, "has_steps")));
	view_put_refusal(view, page, "no_inside", there ? "" : tree_text(family, "name"), "phases");
}
