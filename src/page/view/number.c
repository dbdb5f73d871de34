/* number.c: numbers of the model as text. */
#include "page/view/view.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tree/tree.h"
#include "util/format.h"

json_t *view_time(double ns)
{
	char buf[FORMAT_SIZE];

	return view_text("%s", format_time_ns(buf, sizeof(buf), ns));
}

json_t *view_bytes(double bytes)
{
	char buf[FORMAT_SIZE];

	return view_text("%s", format_bytes(buf, sizeof(buf), bytes));
}

json_t *view_count(double count)
{
	char buf[FORMAT_SIZE];

	return view_text("%s", format_count(buf, sizeof(buf), count));
}

json_t *view_ratio(double ratio)
{
	char buf[FORMAT_SIZE];

	return view_text("%s", format_ratio(buf, sizeof(buf), ratio));
}

json_t *view_ratio_within(double ratio, double low, double high, double band)
{
	char buf[FORMAT_SIZE];

	return view_text("%s", format_judged_ratio(buf, sizeof(buf), ratio, low, high, band));
}

json_t *view_percent(double share)
{
	char buf[FORMAT_SIZE];

	/* U+2212 is as wide as a digit. */
	return view_text("%s%s", share < 0 ? "−" : "", format_percent(buf, sizeof(buf), fabs(share)));
}

json_t *view_interval(double low, double high, double band)
{
	char buf[FORMAT_SIZE];

	return view_text("%s", format_judged_ratios(buf, sizeof(buf), low, high, band));
}

/* A percentage with its sign, unless it rounds to nothing. U+2212 is as wide as the plus. */
static char *signed_percent(char *text, size_t size, double percent)
{
	const char *sign = fabs(percent) < 0.005 ? "" : percent < 0 ? "−" : "+";
	enum { WRITTEN_OUT = 1000000 };
	char far[FORMAT_SIZE];

	if (fabs(percent) < WRITTEN_OUT)
		snprintf(text, size, "%s%.*f %%", sign,
			fabs(percent) < 9.995   ? 2
			: fabs(percent) < 99.95 ? 1
						: 0,
			fabs(percent));
	else
		snprintf(text, size, "%s%s", sign, format_percent(far, sizeof(far), fabs(percent) / 100));
	return text;
}

json_t *view_change(double ratio)
{
	char text[FORMAT_SIZE];

	return view_text("%s", signed_percent(text, sizeof(text), 100 * (ratio - 1)));
}

json_t *view_spread(double low, double middle, double high)
{
	char below[FORMAT_SIZE], above[FORMAT_SIZE];

	return view_text("%s to %s", signed_percent(below, sizeof(below), 100 * (low / middle - 1)),
		signed_percent(above, sizeof(above), 100 * (high / middle - 1)));
}

/* The model has base units; the family names the unit of its headline with a prefix: "GFLOP/s", "GB/s", "Gelements/s".
 * What it names without one, "frames/s", is counted. */
json_t *view_throughput(double rate, const char *headline_unit)
{
	char buf[FORMAT_SIZE];

	if (*headline_unit != 'G')
		return view_text("%s %s", format_count(buf, sizeof(buf), rate), headline_unit);
	return view_text("%s", format_rate(buf, sizeof(buf), rate, headline_unit + 1));
}
