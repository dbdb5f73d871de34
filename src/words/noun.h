/* noun.h: a short noun for what a family works on. */
#ifndef DBPROF_WORDS_NOUN_H
#define DBPROF_WORDS_NOUN_H

#include <jansson.h>
#include <stddef.h>

enum { NOUN_SIZE = 64 };

/* Writes a noun in the plural, NOUN_SIZE bytes: "copies" for a family whose launches copy; else the first part of its
 * name that its title has too, "scans" for scan-kogge-stone, or as the title writes it if that is an abbreviation,
 * "SGEMM"; else the name. Families of the same noun are told together. */
void family_noun(const json_t *family, char *noun);

#endif
