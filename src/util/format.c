/* format.c: see format.h. */
#include "util/format.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SIGNIFICANT = 3 };

/* Powers of ten between which numbers are written out. Beyond them nobody counts the digits. */
static const double BAND_EDGE = 1e-9; /* what a threshold in percent loses as a binary number */
enum { DECIMALS_MOST = 6 };
enum { EXPONENT_LEAST = -9, EXPONENT_MOST = 15, COUNT_EXPONENT_MOST = 20 };

static char *not_available(char *buf, size_t size)
{
	snprintf(buf, size, "n/a");
	return buf;
}

/* Rounds to the significant digits; *exponent is the power of ten of the first one, 0 for zero. */
static double round_significant(double value, int *exponent)
{
	char text[32];

	/* printf rounds in decimal. log10() and pow() do not do so reliably at the borders. */
	snprintf(text, sizeof(text), "%.*e", SIGNIFICANT - 1, value);
	*exponent = atoi(strchr(text, 'e') + 1);
	return strtod(text, NULL);
}

/* Whether the value is so large or so small that it is written as "1.00e+30". */
static bool is_far(double value, int most)
{
	int exponent;

	value = round_significant(value, &exponent);
	return value != 0 && (exponent > most || exponent < EXPONENT_LEAST);
}

static char *format_far(char *buf, size_t size, double value, const char *unit)
{
	snprintf(buf, size, "%.*e%s", SIGNIFICANT - 1, value, unit);
	return buf;
}

static int decimals(int exponent)
{
	return exponent < SIGNIFICANT - 1 ? SIGNIFICANT - 1 - exponent : 0;
}

/* "value PREFIXunit". prefix[i] stands for 1000^i, the last one also for everything above. */
static char *format_scaled(char *buf, size_t size, double value, const char *const *prefix, int count, const char *unit)
{
	int exponent, step;

	if (!isfinite(value))
		return not_available(buf, size);
	value = round_significant(value, &exponent);
	step = exponent < 0 ? 0 : exponent / 3;
	if (step >= count)
		step = count - 1;
	if (value == 0)
		snprintf(buf, size, "0 %s%s", prefix[0], unit);
	else if (exponent - 3 * step > EXPONENT_MOST || exponent < EXPONENT_LEAST)
		snprintf(buf, size, "%.*e %s%s", SIGNIFICANT - 1, value / pow(1000, step), prefix[step], unit);
	else
		snprintf(buf, size, "%.*f %s%s", decimals(exponent - 3 * step), value / pow(1000, step), prefix[step],
			unit);
	return buf;
}

char *format_time_ns(char *buf, size_t size, double ns)
{
	static const char *const prefix[] = {"n", "µ", "m", ""};

	return format_scaled(buf, size, ns, prefix, sizeof(prefix) / sizeof(*prefix), "s");
}

char *format_rate(char *buf, size_t size, double rate, const char *unit)
{
	static const char *const prefix[] = {"", "k", "M", "G", "T", "P", "E"};

	return format_scaled(buf, size, rate, prefix, sizeof(prefix) / sizeof(*prefix), unit);
}

char *format_bytes(char *buf, size_t size, double bytes)
{
	static const char *const unit[] = {"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
	const int last = sizeof(unit) / sizeof(*unit) - 1;
	int exponent, step = 0;

	if (!isfinite(bytes))
		return not_available(buf, size);
	/* From 1023.5 on, "1024 KiB" would be printed: that is 1.00 of the next unit. */
	for (; step < last && fabs(bytes) >= 1023.5; step++)
		bytes /= 1024;
	round_significant(bytes, &exponent);
	if (exponent > EXPONENT_MOST)
		snprintf(buf, size, "%.*e %s", SIGNIFICANT - 1, bytes, unit[step]);
	else
		snprintf(buf, size, "%.*f %s", step == 0 ? 0 : decimals(exponent), bytes, unit[step]);
	return buf;
}

char *format_count(char *buf, size_t size, double count)
{
	char digits[FORMAT_SIZE];
	size_t length, used = 0;

	if (!isfinite(count))
		return not_available(buf, size);
	if (fabs(count) >= 1 && is_far(count, COUNT_EXPONENT_MOST))
		return format_far(buf, size, count, "");
	length = (size_t)snprintf(digits, sizeof(digits), "%.0f", fabs(count));
	if (count < 0 && strcmp(digits, "0") != 0 && used + 1 < size)
		buf[used++] = '-';
	for (size_t i = 0; i < length && used + 2 < size; i++) {
		if (i > 0 && (length - i) % 3 == 0)
			buf[used++] = ',';
		buf[used++] = digits[i];
	}
	if (size > 0)
		buf[used] = '\0';
	return buf;
}

char *format_quantity(char *buf, size_t size, double quantity)
{
	size_t length = strlen(format_rate(buf, size, quantity, ""));

	if (length > 0 && buf[length - 1] == ' ')
		buf[length - 1] = '\0';
	return buf;
}

/* Three significant digits; near 1, where differences are small, three decimals. */
static int ratio_decimals(double ratio)
{
	int exponent;

	ratio = round_significant(ratio, &exponent);
	return ratio == 0 ? 0 : ratio >= 0.5 && ratio < 2 ? SIGNIFICANT : decimals(exponent);
}

char *format_ratio(char *buf, size_t size, double ratio)
{
	int places, exponent;

	if (!isfinite(ratio))
		return not_available(buf, size);
	if (is_far(ratio, EXPONENT_MOST))
		return format_far(buf, size, ratio, "×");
	places = ratio_decimals(ratio);
	snprintf(buf, size, "%.*f×", places, places > 0 ? ratio : round_significant(ratio, &exponent));
	return buf;
}

/* As many decimals for both ends as for a value between them: rounded alike, it stays between them. */
static int interval_decimals(double low, double high)
{
	int places = (int)fmax(ratio_decimals(low), ratio_decimals(high));

	return high - low > 1e-9 ? (int)fmax(places, ceil(-log10(high - low))) : places;
}

/* Of the band around 1: below, in it (ends included) or above. */
static int side_of_band(double value, double band)
{
	return value < 1 - band - BAND_EDGE ? -1 : value > 1 + band + BAND_EDGE;
}

/* So many decimals, or more, that a value rounded to them stays on its side. */
static int judged_decimals(double value, double band, int places)
{
	while (places < DECIMALS_MOST &&
		side_of_band(round(value * pow(10, places)) / pow(10, places), band) != side_of_band(value, band))
		places++;
	return places;
}

char *format_judged_ratio(char *buf, size_t size, double ratio, double low, double high, double band)
{
	int places;

	if (!isfinite(ratio) || !isfinite(low) || !isfinite(high))
		return format_ratio(buf, size, ratio);
	if (is_far(ratio, EXPONENT_MOST) || is_far(low, EXPONENT_MOST) || is_far(high, EXPONENT_MOST))
		return format_far(buf, size, ratio, "×");
	places = interval_decimals(low, high);
	if (band > 0)
		places = judged_decimals(high, band, judged_decimals(low, band, places));
	snprintf(buf, size, "%.*f×", places, ratio);
	return buf;
}

char *format_judged_ratios(char *buf, size_t size, double low, double high, double band)
{
	char a[FORMAT_SIZE], b[FORMAT_SIZE];

	format_judged_ratio(a, sizeof(a), low, low, high, band);
	format_judged_ratio(b, sizeof(b), high, low, high, band);
	snprintf(buf, size, "%s to %s", a, b);
	return buf;
}

char *format_ratio_within(char *buf, size_t size, double ratio, double low, double high)
{
	return format_judged_ratio(buf, size, ratio, low, high, 0);
}

char *format_ratios(char *buf, size_t size, double low, double high)
{
	return format_judged_ratios(buf, size, low, high, 0);
}

static int gain_decimals(double ratio)
{
	return ratio < 9.995 ? 2 : ratio < 99.95 ? 1 : 0;
}

char *format_gain(char *buf, size_t size, double ratio)
{
	if (!isfinite(ratio))
		return not_available(buf, size);
	if (is_far(ratio, EXPONENT_MOST))
		return format_far(buf, size, ratio, "×");
	snprintf(buf, size, "%.*f×", gain_decimals(ratio), ratio);
	return buf;
}

char *format_gains(char *buf, size_t size, double low, double high)
{
	char a[FORMAT_SIZE], b[FORMAT_SIZE];

	format_gain(a, sizeof(a), low);
	format_gain(b, sizeof(b), high);
	if (strcmp(a, b) == 0 || !isfinite(low) || !isfinite(high))
		snprintf(buf, size, "%s", isfinite(low) ? a : b);
	else
		snprintf(buf, size, "%.*s to %s", (int)(strlen(a) - strlen("×")), a, b);
	return buf;
}

char *format_percent(char *buf, size_t size, double share)
{
	double percent = 100 * share;
	int exponent;

	if (!isfinite(percent))
		return not_available(buf, size);
	if (is_far(percent, EXPONENT_MOST))
		return format_far(buf, size, percent, " %");
	percent = round_significant(percent, &exponent);
	snprintf(buf, size, "%.*f %%", percent == 0 ? 0 : decimals(exponent), percent);
	return buf;
}
