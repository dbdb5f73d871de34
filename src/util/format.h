/*
 * format.h: numbers for people: three significant digits, the unit after a space. NaN and infinity give "n/a".
 *
 * What is far too large or too small for any prefix is written with a power of ten: "1.00e+30 s".
 *
 * Each function fills `buf` (FORMAT_SIZE bytes hold any result; a smaller one cuts it short) and returns it. Text is
 * UTF-8. Rounding comes before the choice of the prefix: 999.9 µs is "1.00 ms".
 */
#ifndef DBPROF_UTIL_FORMAT_H
#define DBPROF_UTIL_FORMAT_H

#include <stddef.h>

enum { FORMAT_SIZE = 512 };

/* Nanoseconds: "12.3 ns", "330 µs", "4.07 ms", "25.1 s". */
char *format_time_ns(char *buf, size_t size, double ns);

/* Bytes in powers of 1024: "512 B", "4.00 KiB", "2.00 GiB". */
char *format_bytes(char *buf, size_t size, double bytes);

/* A rate in a base unit such as "FLOP/s", "B/s" or "elements/s": "7.02 TFLOP/s", "54.3 GB/s". */
char *format_rate(char *buf, size_t size, double rate, const char *unit);

/* A whole number, all its digits: "16,777,216". */
char *format_count(char *buf, size_t size, double count);

/* A number with the prefixes of rates but no unit: "154 M", "16.9", "0". */
char *format_quantity(char *buf, size_t size, double quantity);

/* "1.284×": with three decimals from 0.5 to 2. */
char *format_ratio(char *buf, size_t size, double ratio);

/* An interval of ratios, "1.270× to 1.290×". Both ends have the same number of decimals: as many as format_ratio()
 * gives, or more, so that they differ. */
char *format_ratios(char *buf, size_t size, double low, double high);

/* A ratio with the decimals of its interval, so that it stands between the ends. As format_ratio() if it has no
 * interval. */
char *format_ratio_within(char *buf, size_t size, double ratio, double low, double high);

/* As the two above, with as many decimals as it takes for both ends to stand where they are: on their own side of
 * 1 - band and of 1 + band, by which a verdict was found. 1.0104 is no "1.010×" where 1.01 is the limit. */
char *format_judged_ratios(char *buf, size_t size, double low, double high, double band);
char *format_judged_ratio(char *buf, size_t size, double ratio, double low, double high, double band);

/* A ratio in short, for a headline: "1.34×", "12.3×", "123×". */
char *format_gain(char *buf, size_t size, double ratio);

/* From the one to the other, in short: "1.10 to 1.21×", or "1.10×" if they look alike. */
char *format_gains(char *buf, size_t size, double low, double high);

/* A share of 1: 0.441 gives "44.1 %". */
char *format_percent(char *buf, size_t size, double share);

#endif
