/* code.h: whether the sides of a contrast of programs run the same machine code, in words. */
#ifndef DBPROF_WORDS_CONTRAST_CODE_H
#define DBPROF_WORDS_CONTRAST_CODE_H

#include <jansson.h>
#include <stddef.h>

/* Puts "code_text" into the family. Where both sides run the same machine code, the text of the verdict says so too:
 * a sentence is added to it. */
void contrast_code_words(json_t *family, char *text, size_t size);

#endif
