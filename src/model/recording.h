/* recording.h: one recording while its tree is made. */
#ifndef DBPROF_MODEL_RECORDING_H
#define DBPROF_MODEL_RECORDING_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "store/rowset.h"
#include "model/part/wish.h"
#include "model/trace/trace.h"
#include "store/store.h"
#include "util/error.h"

struct gpu_reading;
struct gpu_sweeps;
struct iteration;

/* The caller sets `store`, `file` and `err`, and `notes` to hear what was left out; the rest is loaded. */
struct model {
	struct store *store;
	const char *file; /* base name */
	const char *gpu;  /* number of the GPU that is told of; NULL: that of families. Borrowed */
	bool shipped;
	struct error *err;
	struct rowset table[TABLES_NUMBER]; /* the small ones; the others are empty */
	struct trace trace;
	struct part part;
	struct gpu_sweeps *sweeps;    /* over all work of each GPU; NULL: not made. Whoever makes them frees them */
	json_t *gpus;                 /* [G] of the whole recording, once it is made; NULL: not yet */
	struct iteration *iterations; /* of families, sorted; model/trace/iteration.c */
	json_t *notes;                /* the diagnostics that the model itself adds: see model_note_facts() */
	size_t niterations;
	struct gpu_reading *readings; /* beside blocks of samples, sorted; model/family/readings.c */
	size_t nreadings;
};

/* Loads some of the small tables: 0, or -1 with model->err. A table that is not among the small ones stays empty. */
int model_load_tables(struct model *model, const enum table_id *tables, size_t n);

/* Loads all small tables: 0, or -1 with model->err. */
int model_load_all_tables(struct model *model);

/* Whether row `i` of DBPROF_FAMILY stands for a program that was advised. Its recording is one of a program, not of
 * families. */
bool is_of_advice(const struct rows *families, size_t i);

/* Whether the recording has families to show. */
bool model_has_families(const struct model *model);

/* Frees what was loaded, also in part, and closes the store. */
void model_free(struct model *model);

/* Adds a warning {"id", facts ...} to the recording's diagnostics, once: words/diagnostics.c makes its text. Takes the
 * reference. */
void model_note_facts(const struct model *model, json_t *note);

/* The same for something that could not be read, with the message as its fact "error". */
void model_note_error(const struct model *model, const char *id, const struct error *err);

/* The text of a source file. NULL if the recording lacks it; lives as long as the model. */
const char *model_source_text(const struct model *model, const char *file);

#endif
