/* contrast.h: what a contrast of programs says, in sentences. */
#ifndef DBPROF_WORDS_CONTRAST_CONTRAST_H
#define DBPROF_WORDS_CONTRAST_CONTRAST_H

#include <jansson.h>
#include <stdbool.h>

/* Whether a family was made of somebody's programs. */
bool is_contrast_of_programs(const json_t *family);

/* What the verdict on kernels is of: "kernel time", or GPU time where graphs were traced as a whole. */
const char *contrast_kernel_time(const json_t *family);

/* Puts the texts of such a family: "verdict_text" and "reason_text", "text" of each verdict and check, "line" of each
 * side, and "because" and "cause" of its contrasts. */
void contrast_of_programs_words(json_t *family);

/* The text of the verdict, or an answer that is the same, without the reason why the runs ended, which somebody has
 * been told; for free(). */
char *contrast_words_told(const json_t *family, const char *text);

#endif
