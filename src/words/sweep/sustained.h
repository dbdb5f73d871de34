/* sustained.h: the rates of arrival that a sweep's pair sustains, in a sentence. */
#ifndef DBPROF_WORDS_SUSTAINED_H
#define DBPROF_WORDS_SUSTAINED_H

#include <jansson.h>

/* Puts "text" into a W's "sustained", if that is no JSON null. */
void sustained_words(json_t *sweep);

#endif
