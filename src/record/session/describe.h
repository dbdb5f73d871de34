/* describe.h: the rows that say what was run: families, variants, cases, their sources and PTX. */
#ifndef DBPROF_RECORD_SESSION_DESCRIBE_H
#define DBPROF_RECORD_SESSION_DESCRIBE_H

#include "record/record.h"
#include "store/store.h"

/* Writes them for everything that is selected. `capability` is the device's, 90 for 9.0; the PTX that fits it best is
 * taken. */
int describe_write(struct recording *rec, const struct record_options *options, int capability, struct error *err);

/* The part of it that is sources and PTX. */
int describe_files(struct recording *rec, const struct record_options *options, int capability, struct error *err);

#endif
