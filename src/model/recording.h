/* recording.h: one recording while its tree is made. */
#ifndef DBPROF_MODEL_RECORDING_H
#define DBPROF_MODEL_RECORDING_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "store/rowset.h"
#include "model/trace/trace.h"
#include "store/store.h"
#include "util/error.h"

struct gpu_reading;
struct iteration;

/* Begins with `store`, `file`, `err` and, for those who want to hear of what was left out, `notes`. The rest is loaded.
 */
struct model {
	struct store *store;
	const char *file; /* base name */
	bool shipped;
	struct error *err;
	struct rowset table[TABLES_NUMBER]; /* the small ones; the others are empty */
	struct trace trace;
	struct iteration *iterations; /* of families, sorted; model/trace/iteration.c */
	json_t *notes;                /* what the model itself has to say in diagnostics */
	size_t niterations;
	struct gpu_reading *readings; /* beside blocks of samples, sorted; model/family/readings.c */
	size_t nreadings;
};

/* Loads some of the small tables and nothing else, for those who need no trace; model->store and model->err are set. A
 * table that is not among the small ones stays empty. */
int model_load_tables(struct model *model, const enum table_id *tables, size_t n);

/* Loads all small tables. */
int model_load_all_tables(struct model *model);

/* Frees what was loaded, also in part, and closes the store. */
void model_free(struct model *model);

/* Adds a warning to the recording's diagnostics, once. Returns 0, until the last caller has stopped asking. */
int model_note(const struct model *model, const char *text);

#endif
