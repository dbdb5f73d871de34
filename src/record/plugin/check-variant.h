/* check-variant.h: the part of the check of a family that is about its variants and their pair. */
#ifndef DBPROF_RECORD_PLUGIN_CHECK_VARIANT_H
#define DBPROF_RECORD_PLUGIN_CHECK_VARIANT_H

#include "util/error.h"
#include "variant.h"

/* All variants, and the family's pair. 0, or -1 with the first fault, which names variant and member. */
int variants_check(const struct family *family, struct error *err);

/* Whether two names are those of two candidates of the family; `of` says whose pair it is. */
int pair_check(const struct family *family, const char *of, const char *single, const char *dbl, struct error *err);

#endif
