/* items.h: what becomes of the items of a launch, such as frames, in words. */
#ifndef DBPROF_WORDS_ITEMS_H
#define DBPROF_WORDS_ITEMS_H

#include <jansson.h>

/* Adds to each of F."items" its "noun" ("frames" where the family counts frames a second, else "items"), and its
 * "text": what the pair carries, how late items are done, and which ones found no buffer. */
void items_words(json_t *family);

#endif
