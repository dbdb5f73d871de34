/* advice.h: the sentences about a program that was advised: docs/report-json.md. */
#ifndef DBPROF_WORDS_ADVICE_ADVICE_H
#define DBPROF_WORDS_ADVICE_ADVICE_H

#include <jansson.h>

/* Adds them to "advice" and "advised" of a recording; nothing where these are null. words_program() comes before it,
 * since one answer tells of kernels and copies. */
void words_program_advice(json_t *recording);

#endif
