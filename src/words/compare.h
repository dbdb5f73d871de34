/* compare.h: what text and page of a comparison both say: sweeps summed up, gains, chance, recordings, what is
 * missing. */
#ifndef DBPROF_WORDS_COMPARE_H
#define DBPROF_WORDS_COMPARE_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

/* Bytes that hold a ratio, an interval, a sentence. */
enum { RATIO_SIZE = 40, INTERVAL_SIZE = 2 * RATIO_SIZE + 8, SENTENCE_SIZE = 2048 };

/* A sweep of a family, summed up (compare/sweeps.h), in a sentence. `band` as below. */
void compare_sweep_words(const json_t *sweep, double band, char *text, size_t size);

/* Bytes that hold the name of what was compared. */
enum { VARIANT_SIZE = 512 };

/* The variant of a comparison; of a kernel that is called otherwise in new both names: "scale, diff in new". Returns
 * `text`. */
char *compare_variant_words(const json_t *comparison, char *text, size_t size);

/* Bytes that hold what of a kernel's launches was compared. */
enum { LAUNCHES_SIZE = 96 };

/* Of a kernel ", all grids" where its launches of all grids were compared as one, and ", grid 64×2", or ", grid
 * 64×2→96" if new has another, where another of `comparisons`, those of its family, has its name, but not its grid; ",
 * 42→21 launches" where their numbers are farther apart than `band` (share). Else "". Returns `text`. */
char *compare_launches_words(const json_t *comparison, const json_t *comparisons, double band, char *text, size_t size);

/* "1.004×", "0.520×", "12.3×", with the decimals of its interval: so many that both ends stand on their own side of the
 * limits of 1 ± band, by which the verdict was found; a ratio without a verdict has the band 0. "n/a" for NaN. Returns
 * `text`. */
char *compare_ratio_words(const json_t *ratio, double band, char *text, size_t size);

/* The time of a side of a comparison: of a traced program the mean, else the median. */
double compare_side_ns(const json_t *side);

/* Bytes that hold that time in words. */
enum { SIDE_TIME_SIZE = 96 };

/* The time that the ratio is of; "835 µs, 1.34 ms with all parts" where the mean of all parts of a run is farther from
 * it than `band` (share). Returns `text`. */
char *compare_time_words(const json_t *side, double band, char *text, size_t size);

/* Whether the row of this check's comparison points to it: it failed, or tells that all parts have another ratio. */
bool compare_check_is_told(const json_t *check);

/* A ratio's interval: "0.997× to 1.012×"; "n/a" if it has none. */
void compare_interval_words(const json_t *ratio, double band, char *text, size_t size);

/* What the family's double gained over its single in both recordings; the family has a "gain". */
void compare_gain_words(const json_t *family, char *text, size_t size);

/* The same where gains are compared: on which GPU it gains what, and what follows. */
void compare_gains_words(const json_t *tree, const json_t *family, char *text, size_t size);

/* What follows from comparing two gains, by the verdict: "a larger gain". */
const char *compare_gain_verdict(const char *verdict);

/* Points of sweeps that can have no verdict; "" if there are none. */
void compare_alone_words(const json_t *tree, char *text, size_t size);

/* How many of the tree's intervals miss by chance; "" with fewer than two intervals. */
void compare_chance_words(const json_t *tree, char *text, size_t size);

/* Why kernels and steps of two traced programs differ, as far as the traces tell: texts. A new reference. */
json_t *compare_causes_words(const json_t *tree);

/* GPU, driver, CUDA and date of a recording. */
void compare_recording_words(const json_t *recording, char *text, size_t size);

/* What only one of the two recordings has, a line for each thing, the points of a sweep together: texts. A new
 * reference. */
json_t *compare_missing_lines(const json_t *tree);

#endif
