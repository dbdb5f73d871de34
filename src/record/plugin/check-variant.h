/* check-variant.h: checks a family's names, variants, pair, ladder and sweeps. */
#ifndef DBPROF_RECORD_PLUGIN_CHECK_VARIANT_H
#define DBPROF_RECORD_PLUGIN_CHECK_VARIANT_H

#include "variant.h"
#include "util/error.h"

/* Whether a name is made of a to z, 0 to 9 and '-'; `what` says of what. 0, or -1. */
int name_check(const char *name, const char *what, struct error *err);

/* Whether `file` is the name of a file alone, and text. 0, or -1. */
int file_name_check(const char *file, struct error *err);

/* All variants, and the family's pair. 0, or -1 with the first fault, which names variant and member. */
int variants_check(const struct family *family, struct error *err);

/* The rungs of all variants: what is below each, and one lowest rung. 0, or -1 with the first fault. */
int ladder_check(const struct family *family, struct error *err);

/* All sweeps. */
int sweeps_check(const struct family *family, struct error *err);

#endif
