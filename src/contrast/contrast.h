/* contrast.h: runs somebody's programs by turns and makes a recording in which they are the variants of a family.
 * Nothing here prints or exits, unless memory is short. docs/contrast.md says what is measured, and how. */
#ifndef DBPROF_CONTRAST_CONTRAST_H
#define DBPROF_CONTRAST_CONTRAST_H

#include "contrast/options.h"
#include "util/error.h"

/* Measures and writes the recording. 0, also where a side failed: then *failed is its number, `err` says how, and the
 * recording has what was run until then. *failed is -1 if all went well. -1 with `err` if nothing could be written, if
 * the person has interrupted, or, with `keeps_older`, if a side failed before anything of any was measured: an older
 * file at `output` stays as it was. */
int contrast_record(const struct contrast_options *options, int *failed, struct error *err);

#endif
