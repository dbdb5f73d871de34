/* format.c: numbers for people: significant digits, prefixes, and rounding where the prefix changes. */
#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "util/format.h"

#define COUNT(a) (sizeof(a) / sizeof *(a))

struct sample {
	double value;
	const char *text;
};

static void assert_texts(char *(*format)(char *, size_t, double), const struct sample *samples, size_t n)
{
	char buf[FORMAT_SIZE];

	for (size_t i = 0; i < n; i++) {
		assert_ptr_equal(format(buf, sizeof buf, samples[i].value), buf);
		assert_string_equal(buf, samples[i].text);
	}
}

static void times(void **state)
{
	static const struct sample samples[] = {
		{0, "0 ns"},
		{1, "1.00 ns"},
		{12.34, "12.3 ns"},
		{330e3, "330 µs"},
		{4.07e6, "4.07 ms"},
		{25.11e6, "25.1 ms"},
		{1e9, "1.00 s"},
		{59.96e9, "60.0 s"},
		{0.5, "0.500 ns"},
		{0.01234, "0.0123 ns"},
		{-4.07e6, "-4.07 ms"},
		{1234567e9, "1230000 s"},
	};

	(void)state;
	assert_texts(format_time_ns, samples, COUNT(samples));
}

/* Nobody counts hundreds of digits, and a page of them is too large. */
static void numbers_far_off(void **state)
{
	char buf[FORMAT_SIZE];

	(void)state;
	assert_string_equal(format_time_ns(buf, sizeof buf, 1e300), "1.00e+291 s");
	assert_string_equal(format_time_ns(buf, sizeof buf, 1e-300), "1.00e-300 ns");
	assert_string_equal(format_time_ns(buf, sizeof buf, -1e300), "-1.00e+291 s");
	assert_string_equal(format_bytes(buf, sizeof buf, ldexp(1, 200)), "1.39e+42 EiB");
	assert_string_equal(format_rate(buf, sizeof buf, 1e99, "B/s"), "1.00e+81 EB/s");
	assert_string_equal(format_count(buf, sizeof buf, 1e20), "100,000,000,000,000,000,000");
	assert_string_equal(format_count(buf, sizeof buf, -1e99), "-1.00e+99");
	assert_string_equal(format_count(buf, sizeof buf, 1e-99), "0");
	assert_string_equal(format_ratio(buf, sizeof buf, 1e-99), "1.00e-99×");
	assert_string_equal(format_ratios(buf, sizeof buf, 1e-99, 1e99), "1.00e-99× to 1.00e+99×");
	assert_string_equal(format_gain(buf, sizeof buf, 1e99), "1.00e+99×");
	assert_string_equal(format_gains(buf, sizeof buf, 1.1, 1e99), "1.10 to 1.00e+99×");
	assert_string_equal(format_percent(buf, sizeof buf, 1e-99), "1.00e-97 %");
	assert_string_equal(format_percent(buf, sizeof buf, DBL_MAX), "n/a");
}

static void times_at_the_borders(void **state)
{
	static const struct sample samples[] = {
		{999.4, "999 ns"},
		{999.6, "1.00 µs"},
		{999.4e3, "999 µs"},
		{999.9e3, "1.00 ms"},
		{999999.9e3, "1.00 s"},
		{9.994e6, "9.99 ms"},
		{9.996e6, "10.0 ms"},
		{99.94e6, "99.9 ms"},
		{99.96e6, "100 ms"},
		{-999.9e3, "-1.00 ms"},
		{0.9996, "1.00 ns"},
		{999.6e9, "1000 s"},
	};

	(void)state;
	assert_texts(format_time_ns, samples, COUNT(samples));
}

static void bytes(void **state)
{
	static const struct sample samples[] = {
		{0, "0 B"},
		{1, "1 B"},
		{512, "512 B"},
		{1023, "1023 B"},
		{1024, "1.00 KiB"},
		{1536, "1.50 KiB"},
		{4096, "4.00 KiB"},
		{16896, "16.5 KiB"},
		{233472, "228 KiB"},
		{1000 * 1024, "1000 KiB"},
		{1023 * 1024, "1023 KiB"},
		{1048575, "1.00 MiB"},
		{2147483648.0, "2.00 GiB"},
		{10.236 * 1024, "10.2 KiB"},
		{9.996 * 1024, "10.0 KiB"},
		{99.96 * 1024, "100 KiB"},
		{1048576.0 * 1048576 * 1048576, "1.00 EiB"},
		{-4096, "-4.00 KiB"},
	};

	(void)state;
	assert_texts(format_bytes, samples, COUNT(samples));
}

static void rates(void **state)
{
	char buf[FORMAT_SIZE];

	(void)state;
	assert_string_equal(format_rate(buf, sizeof buf, 7.0149e12, "FLOP/s"), "7.01 TFLOP/s");
	assert_string_equal(format_rate(buf, sizeof buf, 7.02e12, "FLOP/s"), "7.02 TFLOP/s");
	assert_string_equal(format_rate(buf, sizeof buf, 54.3e9, "B/s"), "54.3 GB/s");
	assert_string_equal(format_rate(buf, sizeof buf, 12.1e9, "elements/s"), "12.1 Gelements/s");
	assert_string_equal(format_rate(buf, sizeof buf, 825e12, "FLOP/s"), "825 TFLOP/s");
	assert_string_equal(format_rate(buf, sizeof buf, 999.7e9, "B/s"), "1.00 TB/s");
	assert_string_equal(format_rate(buf, sizeof buf, 1000, "B/s"), "1.00 kB/s");
	assert_string_equal(format_rate(buf, sizeof buf, 999, "B/s"), "999 B/s");
	assert_string_equal(format_rate(buf, sizeof buf, 0, "B/s"), "0 B/s");
	assert_string_equal(format_rate(buf, sizeof buf, 2.5e21, "B/s"), "2500 EB/s");
	assert_string_equal(format_rate(buf, sizeof buf, NAN, "B/s"), "n/a");
}

static void quantities(void **state)
{
	static const struct sample samples[] = {
		{0, "0"},
		{16.91, "16.9"},
		{999, "999"},
		{154e6, "154 M"},
		{NAN, "n/a"},
	};

	(void)state;
	assert_texts(format_quantity, samples, COUNT(samples));
}

static void counts(void **state)
{
	static const struct sample samples[] = {
		{0, "0"},
		{7, "7"},
		{999, "999"},
		{1000, "1,000"},
		{25600, "25,600"},
		{16777216, "16,777,216"},
		{123456, "123,456"},
		{-1234567, "-1,234,567"},
		{-0.25, "0"},
		{9007199254740992.0, "9,007,199,254,740,992"},
	};

	(void)state;
	assert_texts(format_count, samples, COUNT(samples));
}

static void ratios(void **state)
{
	static const struct sample samples[] = {
		{1.2841, "1.284×"},
		{0.9863, "0.986×"},
		{1, "1.000×"},
		{0.9996, "1.000×"},
		{0.49996, "0.500×"},
		{0.1234, "0.123×"},
		{2.345, "2.35×"},
		{9.996, "10.0×"},
		{12.34, "12.3×"},
		{1234, "1230×"},
		{0, "0×"},
		{-0.5, "-0.500×"},
	};

	(void)state;
	assert_texts(format_ratio, samples, COUNT(samples));
}

static void percents(void **state)
{
	static const struct sample samples[] = {
		{0.441, "44.1 %"},
		{1, "100 %"},
		{0.9996, "100 %"},
		{0.05, "5.00 %"},
		{0.0999, "9.99 %"},
		{0.09999, "10.0 %"},
		{0, "0 %"},
		{-0.08, "-8.00 %"},
		{0.00123, "0.123 %"},
	};

	(void)state;
	assert_texts(format_percent, samples, COUNT(samples));
}

static void what_is_no_number(void **state)
{
	static const struct sample samples[] = {{NAN, "n/a"}, {INFINITY, "n/a"}, {-INFINITY, "n/a"}};

	(void)state;
	assert_texts(format_time_ns, samples, COUNT(samples));
	assert_texts(format_bytes, samples, COUNT(samples));
	assert_texts(format_count, samples, COUNT(samples));
	assert_texts(format_ratio, samples, COUNT(samples));
	assert_texts(format_percent, samples, COUNT(samples));
}

/* The buffer's first byte beyond `size` stays as it was, and the text is cut and terminated. */
static void assert_cut(char *(*format)(char *, size_t, double), double value, const char *whole)
{
	char buf[FORMAT_SIZE];

	for (size_t size = 0; size <= strlen(whole); size++) {
		memset(buf, '#', sizeof buf);
		format(buf, size, value);
		assert_int_equal(buf[size], '#');
		if (size > 0) {
			assert_true(strlen(buf) < size);
			assert_memory_equal(buf, whole, strlen(buf));
		}
	}
}

static void buffers_too_small(void **state)
{
	(void)state;
	assert_cut(format_time_ns, 4.07e6, "4.07 ms");
	assert_cut(format_bytes, 4096, "4.00 KiB");
	assert_cut(format_count, -1234567, "-1,234,567");
	assert_cut(format_ratio, 1.28, "1.280×");
	assert_cut(format_percent, 0.441, "44.1 %");
}

static void the_largest_and_the_smallest_fit(void **state)
{
	char buf[FORMAT_SIZE], wide[4 * FORMAT_SIZE];

	(void)state;
	assert_string_equal(format_count(buf, sizeof buf, -DBL_MAX), format_count(wide, sizeof wide, -DBL_MAX));
	assert_string_equal(format_percent(buf, sizeof buf, DBL_MIN), format_percent(wide, sizeof wide, DBL_MIN));
	assert_string_equal(format_ratio(buf, sizeof buf, -DBL_MIN), format_ratio(wide, sizeof wide, -DBL_MIN));
	assert_string_equal(format_time_ns(buf, sizeof buf, DBL_MAX), format_time_ns(wide, sizeof wide, DBL_MAX));
	assert_string_equal(format_bytes(buf, sizeof buf, DBL_MAX), format_bytes(wide, sizeof wide, DBL_MAX));
}

static void assert_range(double low, double high, const char *want)
{
	char buf[FORMAT_SIZE];

	assert_string_equal(format_ratios(buf, sizeof buf, low, high), want);
}

static void ranges_of_ratios(void **state)
{
	(void)state;
	assert_range(1.27, 1.29, "1.270× to 1.290×");
	assert_range(1.1302, 1.1307, "1.1302× to 1.1307×");
	assert_range(0.90901, 0.9092, "0.9090× to 0.9092×");
	assert_range(1234.4, 1234.6, "1234.4× to 1234.6×");
	assert_range(9.5, 10.5, "9.50× to 10.50×");
	assert_range(1.25, 1.25, "1.250× to 1.250×");
	assert_range(NAN, NAN, "n/a to n/a");
}

static void assert_within(double ratio, double low, double high, const char *want)
{
	char buf[FORMAT_SIZE];

	assert_string_equal(format_ratio_within(buf, sizeof buf, ratio, low, high), want);
}

/* A value never stands outside its own interval. */
static void ratios_in_their_intervals(void **state)
{
	(void)state;
	assert_within(1.003, 1.0026, 1.0035, "1.0030×");
	assert_within(1.0104, 1.0099, 1.0151, "1.010×");
	assert_within(12.34, 11.96, 12.71, "12.3×");
	assert_within(1.28, NAN, NAN, "1.280×");
	assert_within(NAN, 1, 2, "n/a");
}

static void assert_judged(double low, double high, double band, const char *want)
{
	char buf[FORMAT_SIZE];

	assert_string_equal(format_judged_ratios(buf, sizeof buf, low, high, band), want);
}

/* An interval that reaches over a limit does not look as if it ended there, nor one that ends inside as if it reached
 * over. */
static void ratios_on_their_side(void **state)
{
	char buf[FORMAT_SIZE];

	(void)state;
	assert_judged(0.98996, 1.0098, 0.01, "0.98996× to 1.00980×");
	assert_judged(0.9896, 1.0104, 0.01, "0.9896× to 1.0104×");
	assert_judged(0.9904, 1.0096, 0.01, "0.990× to 1.010×");
	assert_judged(0.99, 1.01, 0.01, "0.990× to 1.010×");
	assert_judged(0.95, 1.0504, 0.05, "0.9500× to 1.0504×");
	assert_judged(0.9896, 1.0104, 0, "0.990× to 1.010×");
	assert_judged(1.01000001, 1.02, 0.01, "1.010000× to 1.020000×");
	assert_string_equal(format_judged_ratio(buf, sizeof buf, 1.0, 0.9896, 1.0104, 0.01), "1.0000×");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(times),
		cmocka_unit_test(numbers_far_off),
		cmocka_unit_test(times_at_the_borders),
		cmocka_unit_test(bytes),
		cmocka_unit_test(rates),
		cmocka_unit_test(quantities),
		cmocka_unit_test(counts),
		cmocka_unit_test(ratios),
		cmocka_unit_test(ranges_of_ratios),
		cmocka_unit_test(ratios_in_their_intervals),
		cmocka_unit_test(ratios_on_their_side),
		cmocka_unit_test(percents),
		cmocka_unit_test(what_is_no_number),
		cmocka_unit_test(buffers_too_small),
		cmocka_unit_test(the_largest_and_the_smallest_fit),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
