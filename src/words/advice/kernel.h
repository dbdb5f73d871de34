/* kernel.h: the sentences about one kernel that was judged. Private to this folder. */
#ifndef DBPROF_WORDS_ADVICE_KERNEL_H
#define DBPROF_WORDS_ADVICE_KERNEL_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

/* Adds "verdict_text", "because", "now_text", "action"."text" and "line" to a kernel of "advice". */
void words_advised_kernel(json_t *kernel);

/* "best" of a kernel; NULL if no gain is known. */
const json_t *advised_gain(const json_t *kernel);

/* The cause that decides: of a gain the largest part, else what keeps it from being one. NULL without any. */
const json_t *advice_first_cause(const json_t *causes, bool pays);

/* Why, or why not, of a cause, in at most 14 words. `pays`: more tiles in flight would. */
void advice_cause_words(const json_t *cause, bool pays, char *text, size_t size);

#endif
