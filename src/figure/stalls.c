/* stalls.c: what warps wait for: a pair of bars for each reason, single above double. */
#include "figure/figure.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tree/counter-keys.h"
#include "tree/tree.h"
#include "util/alloc.h"
#include "util/axis.h"
#include "util/format.h"

enum { BAR_PX = 16, WIDE_PITCH_PX = 44, NARROW_PITCH_PX = 60, NARROW_NAME_PX = 20 };
enum { LEFT_WIDE_PX = 180, LEFT_NARROW_PX = 10, RIGHT_PX = 14, TOP_PX = 6, BOTTOM_PX = 48 };
enum { VALUE_WIDE_PX = 120, VALUE_NARROW_PX = 100 };

/* A reason and its shares of warp time in %. */
struct reason {
	const char *name; /* "long_scoreboard" */
	double share[2];  /* single's and double's; NaN where not counted */
	size_t at;
};

struct reasons {
	enum figure_form form;
	struct reason *reason;
	size_t n;
	double to; /* % at the right edge */
};

static double stalls_largest(const struct reason *reason)
{
	return fmax(reason->share[0], reason->share[1]);
}

static int by_share(const void *left, const void *right)
{
	const struct reason *a = left, *b = right;
	double x = stalls_largest(a), y = stalls_largest(b);

	if (x != y)
		return x < y ? 1 : -1;
	return (a->at > b->at) - (a->at < b->at);
}

/* The reasons that are worth a row, largest first; `reasons` has room for all metrics. */
static void take_reasons(const json_t *family, struct reasons *reasons)
{
	const json_t *metrics = json_object_get(family, "metrics"), *values[2];
	static const char *const roles[] = {"single", "double"};

	for (int side = 0; side < 2; side++) {
		const json_t *of_case = tree_headline_case(family, tree_role(family, roles[side]));

		values[side] = json_object_get(json_object_get(of_case, "counters"), "values");
	}
	for (size_t i = 0; i < json_array_size(metrics); i++) {
		const char *key = tree_text(json_array_get(metrics, i), "key");
		struct reason reason = {key + strlen(STALL_PREFIX), {NAN, NAN}, i};

		if (!is_stall_share(key))
			continue;
		for (int side = 0; side < 2; side++)
			reason.share[side] = tree_real(values[side], key);
		if (stalls_largest(&reason) >= STALL_WORTH_A_ROW)
			reasons->reason[reasons->n++] = reason;
	}
	qsort(reasons->reason, reasons->n, sizeof(*reasons->reason), by_share);
}

/* Top of the upper bar of reason `i`, in px. */
static double bar_top(const struct reasons *reasons, size_t i)
{
	return reasons->form == FIGURE_WIDE ? 6 + WIDE_PITCH_PX * (double)i
					    : NARROW_NAME_PX + NARROW_PITCH_PX * (double)i;
}

static void write_bars(struct strbuf *data, const struct reasons *reasons)
{
	static const unsigned colors[] = {COLOR_SINGLE, COLOR_DOUBLE};

	for (size_t i = 0; i < reasons->n; i++) {
		for (int side = 0; side < 2; side++) {
			double y = bar_top(reasons, i) + BAR_PX * side, share = reasons->reason[i].share[side];

			if (isfinite(share))
				strbuf_printf(data, "0 0 0 %.6g %g %g %u\n", share, y, y + BAR_PX - 1, colors[side]);
		}
	}
}

/* "long scoreboard", beside the pair (wide) or above it (narrow). */
static void write_name(struct strbuf *data, const struct reasons *reasons, size_t i)
{
	double y = bar_top(reasons, i);
	char text[64];

	snprintf(text, sizeof(text), "%s", reasons->reason[i].name);
	for (char *c = text; *c; c++)
		if (*c == '_')
			*c = ' ';
	figure_label(data, 0, reasons->form == FIGURE_WIDE ? y + BAR_PX : y - NARROW_NAME_PX / 2.0, text);
}

/* Behind its bar; the first pair says which is which. */
static void write_value(struct strbuf *data, const struct reasons *reasons, size_t i, int side)
{
	static const char *const names[] = {"  single", "  double"};
	double share = reasons->reason[i].share[side];
	char percent[FORMAT_SIZE], text[FORMAT_SIZE + 16];

	format_percent(percent, sizeof(percent), share / 100);
	snprintf(text, sizeof(text), "%s%s", percent, i == 0 ? names[side] : "");
	figure_label(data, (isfinite(share) ? share : 0) + 0.008 * reasons->to,
		bar_top(reasons, i) + BAR_PX * (side + 0.5), text);
}

/* The blocks in the order of plots/stalls.gp. */
static void stalls_write_data(struct strbuf *data, const struct reasons *reasons)
{
	bool wide = reasons->form == FIGURE_WIDE;

	figure_block(data, 7); /* 0: bars */
	write_bars(data, reasons);
	figure_block(data, 3); /* 1: names in the wide form */
	for (size_t i = 0; wide && i < reasons->n; i++)
		write_name(data, reasons, i);
	figure_block(data, 3); /* 2: values; in the narrow form with the names */
	for (size_t i = 0; i < reasons->n; i++) {
		write_value(data, reasons, i, 0);
		write_value(data, reasons, i, 1);
		if (!wide)
			write_name(data, reasons, i);
	}
}

/* How many % the axis has, so that the longest bar leaves room for its value. */
static double axis_end(const struct reasons *reasons)
{
	bool wide = reasons->form == FIGURE_WIDE;
	int width = wide ? FIGURE_WIDE_PX - LEFT_WIDE_PX : FIGURE_NARROW_PX - LEFT_NARROW_PX;

	width -= RIGHT_PX;
	return stalls_largest(&reasons->reason[0]) * width / (double)(width - (wide ? VALUE_WIDE_PX : VALUE_NARROW_PX));
}

static void stalls_figure(const struct figure_family *in, struct reasons *reasons)
{
	bool wide = reasons->form == FIGURE_WIDE;
	char name[FIGURE_NAME_SIZE];

	reasons->to = axis_end(reasons);
	figure_name(name, sizeof(name), in->recording, tree_text(in->family, "name"), "stalls");
	struct figure *figure = figure_add(in->figures, name, reasons->form);
	struct strbuf *data = &figure->data;
	stalls_write_data(data, reasons);
	figure->script = "stalls.gp";
	figure->height = TOP_PX + BOTTOM_PX + (int)reasons->n * (wide ? WIDE_PITCH_PX : NARROW_PITCH_PX);
	figure_arg(figure, "%d", wide ? LEFT_WIDE_PX : LEFT_NARROW_PX);
	figure_arg(figure, "%.9g", reasons->to);
	figure_arg(figure, "%.9g", axis_step(reasons->to, wide ? 10 : 5));
	snprintf(figure->title, sizeof(figure->title), "What warps wait for in %s", tree_text(in->family, "title"));
	snprintf(figure->desc, sizeof(figure->desc), "The table of counters has the same shares of warp time.");
}

void figure_stalls(const struct figure_family *in)
{
	size_t room = json_array_size(json_object_get(in->family, "metrics"));
	struct reasons reasons = {.reason = xcalloc(room, sizeof(struct reason))};

	take_reasons(in->family, &reasons);
	for (enum figure_form form = FIGURE_WIDE; form < FIGURE_FORMS && reasons.n > 0; form++) {
		reasons.form = form;
		stalls_figure(in, &reasons);
	}
	free(reasons.reason);
}
