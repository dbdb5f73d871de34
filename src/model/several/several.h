/* several.h: recordings of one report held against each other: verdicts by date, gains by GPU. */
#ifndef DBPROF_MODEL_SEVERAL_SEVERAL_H
#define DBPROF_MODEL_SEVERAL_SEVERAL_H

#include <jansson.h>

/*
 * `recordings` is the list of the tree. All three look at recordings with families only, and a recording without a date
 * is older than any with one.
 *
 * For each model of GPU that two recordings or more are of: its recordings by date, and each family's headline verdict
 * in each (`history`). For two models of GPU or more: each family's gain on each, from the latest recording
 * (`across`), or null. Both new references.
 */
json_t *history_json(const json_t *recordings);
json_t *across_json(const json_t *recordings);

/* Puts `detailed` into each recording: whether the page shows it whole. Of many only the latest are. */
void put_detailed(json_t *recordings);

#endif
