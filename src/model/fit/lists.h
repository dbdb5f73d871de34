/* lists.h: lists of the tree that are cut to a size in bytes; private to src/model/fit. */
#ifndef DBPROF_MODEL_FIT_LISTS_H
#define DBPROF_MODEL_FIT_LISTS_H

#include <jansson.h>
#include <stddef.h>

/* How many bytes of report.json a value takes whose key stands `depth` levels deep. */
size_t fit_size(const json_t *value, size_t depth);

/* Of a list, what an entry is worth: the best ones are kept. `recording` is the list's R. */
typedef double fit_worth(const json_t *entry, const json_t *recording);

/* Adds an entry that is left out to a sum. */
typedef void fit_left(json_t *sum, const json_t *entry);

/* Leaves out the entries that are worth least, but for one, until the list has the size; adds them to `sum` if there is
 * `left`. Returns how many they are. */
size_t fit_keep_best(json_t *list, size_t room, size_t depth, const json_t *recording, fit_worth *worth, json_t *sum,
	fit_left *left);

/* Adds `n` to a member of an object, which may not be there yet. */
void fit_count(json_t *object, const char *key, json_int_t n);

/* Cuts long texts in the middle, where they differ least; returns how many. */
size_t fit_cut_texts(json_t *value);

/* Cuts the "gpus" of each entry of a list, and says in "others" of the entry what the others add up to, so that the
 * list, or its `few` largest entries if it has more, has the size as far as this can give it. */
void fit_cut_gpus(json_t *list, size_t room, size_t depth, const json_t *recording, size_t few);

/* Time in which work of an entry of "ranges" or "processes" ran on GPUs, summed over them. */
double fit_busy(const json_t *entry);

/* Makes the lanes of a timeline coarser, then leaves some out, until they have the size; returns how many it left out.
 * Lanes of unusual GPUs are left out last. */
size_t fit_cut_lanes(json_t *timeline, size_t room, size_t depth, const json_t *recording);

#endif
