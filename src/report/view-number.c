/* view-number.c: numbers of the model as text. */
#include "report/view.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "report/tree.h"
#include "util/format.h"

json_t *view_time(struct view *view, double ns)
{
	char buf[FORMAT_SIZE];

	return view_text(view, "%s", format_time_ns(buf, sizeof(buf), ns));
}

json_t *view_bytes(struct view *view, double bytes)
{
	char buf[FORMAT_SIZE];

	return view_text(view, "%s", format_bytes(buf, sizeof(buf), bytes));
}

json_t *view_count(struct view *view, double count)
{
	char buf[FORMAT_SIZE];

	return view_text(view, "%s", format_count(buf, sizeof(buf), count));
}

json_t *view_ratio(struct view *view, double ratio)
{
	char buf[FORMAT_SIZE];

	return view_text(view, "%s", format_ratio(buf, sizeof(buf), ratio));
}

json_t *view_percent(struct view *view, double share)
{
	char buf[FORMAT_SIZE];

	return view_text(view, "%s", format_percent(buf, sizeof(buf), share));
}

json_t *view_interval(struct view *view, double low, double high)
{
	enum { MOST_DIGITS = 6 };
	char a[FORMAT_SIZE], b[FORMAT_SIZE];

	format_ratio(a, sizeof(a), low);
	format_ratio(b, sizeof(b), high);
	for (int digits = 3; strcmp(a, b) == 0 && low < high && digits <= MOST_DIGITS; digits++) {
		snprintf(a, sizeof(a), "%.*f×", digits, low);
		snprintf(b, sizeof(b), "%.*f×", digits, high);
	}
	return view_text(view, "%s to %s", a, b);
}

json_t *view_spread(struct view *view, double low, double middle, double high)
{
	double below = 100 * (low / middle - 1), above = 100 * (high / middle - 1);

	/* U+2212 is as wide as the plus. */
	return view_text(
		view, "%s%.2f %% to %s%.2f %%", below < 0 ? "−" : "+", fabs(below), above < 0 ? "−" : "+", fabs(above));
}

/* The model has base units; the family names the unit of its headline with a prefix: "GFLOP/s", "GB/s", "Gelements/s".
 */
json_t *view_throughput(struct view *view, double rate, const char *headline_unit)
{
	char buf[FORMAT_SIZE];

	return view_text(view, "%s", format_rate(buf, sizeof(buf), rate, headline_unit + (*headline_unit == 'G')));
}

json_t *view_work(struct view *view, const json_t *work)
{
	const json_t *busy = json_object_get(work, "busy_ns");
	char span[FORMAT_SIZE], idle[FORMAT_SIZE], kernel[FORMAT_SIZE], copy[FORMAT_SIZE], exposed[FORMAT_SIZE];

	format_time_ns(span, sizeof(span), tree_real(work, "span_ns"));
	format_time_ns(idle, sizeof(idle), tree_real(work, "idle_ns"));
	format_time_ns(kernel, sizeof(kernel), tree_real(busy, "kernel"));
	format_time_ns(copy, sizeof(copy), tree_real(busy, "copy"));
	format_time_ns(exposed, sizeof(exposed), tree_real(work, "exposed_copy_ns"));
	if (tree_real(busy, "copy") > 0)
		return view_text(view,
			"%s from first to last device work: kernels run for %s, copies for %s, of which %s "
			"are exposed (no kernel runs beside them); the GPU is idle for %s.",
			span, kernel, copy, exposed, idle);
	return view_text(view, "%s from first to last device work: kernels run for %s, the GPU is idle for %s.", span,
		kernel, idle);
}
