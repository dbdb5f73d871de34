/* answer.h: a program's answer in one sentence. */
#ifndef DBPROF_MODEL_TRACE_ANSWER_H
#define DBPROF_MODEL_TRACE_ANSWER_H

#include <jansson.h>

/* The program's answer in one sentence, from [G] and [Y]; null without a list of these (model-answer.c). */
json_t *answer_json(const json_t *gpus, const json_t *pays);

#endif
