/*
 * model.h: what the files of the model (model.c, model-*.c) share; private to them. The tree that they build is
 * described in docs/report-json.md.
 *
 * Functions that return json_t * give a new reference, or NULL: then model->err says why, or memory has run out.
 * Functions that return int give 0 or -1 in the same way.
 */
#ifndef DBPROF_MODEL_MODEL_H
#define DBPROF_MODEL_MODEL_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analyze/analyze.h"
#include "model/rows-json.h"
#include "report/report.h"
#include "store/copies.h"
#include "store/devices.h"
#include "store/event.h"
#include "store/rowset.h"
#include "store/store.h"
#include "tree/counter-keys.h"
#include "tree/json.h"
#include "util/number.h"

/* ---- the trace: device work and NVTX ranges (model-trace.c) ---- */

enum { COPY_KIND_NONE = -1 }; /* of kernels and memsets */

/* One piece of device work. Recordings have millions: nothing here that is not needed. */
struct activity {
	int64_t start, end;
	int64_t process, correlation; /* correlation 0: no call is known */
	int64_t bytes;                /* copies and memsets; -1 for a kernel and a graph */
	int64_t thread, called;       /* of the API call that asked for it; 0 if it is not known */
	const char *name; /* a kernel's short name, a graph's; NULL for copies and memsets. Owned by the trace */
	uint32_t stream;
	int device;                /* as the GPU is numbered: see device_of() */
	int8_t copy_kind;          /* ENUM_CUDA_MEMCPY_OPER or COPY_KIND_NONE */
	int8_t src_kind, dst_kind; /* ENUM_CUDA_MEM_KIND or -1; both enumerations as the schema numbers them */
	uint8_t cls;               /* enum work_class */
};

/* An NVTX range. */
struct range {
	int64_t start, end, thread;
	const char *text, *domain; /* domain NULL: the default one. Owned by the trace */
	int64_t color;             /* ARGB, -1 for none */
	int depth;                 /* 0 is outermost on its thread; start/end ranges come in rows below the others */
	int parent;                /* index of the innermost range around its start, or -1; -1 for start/end ranges */
	bool apart;                /* a start/end range: may overlap others of its thread in any way */
	bool iteration;            /* a traced iteration of a family */
};

struct trace {
	struct activity *work; /* by start */
	size_t nwork;
	struct devices devices;
	size_t unusable;  /* records left out, for they have no times: the profiler gives 0 where it has none */
	size_t graphs;    /* launches of graphs that were traced as a whole */
	size_t beyond;    /* pieces of work left out, on more GPUs than any machine has */
	size_t ambiguous; /* pieces of work whose call may be that of either of two processes: it counts as unknown */
	bool no_calls;    /* the file has no API calls */
	const struct activity **by_call; /* the work whose API call is known, by the call's thread and start */
	size_t ncalled;
	struct range *ranges; /* by thread and start, an outer range before its inner ones */
	size_t nranges;
	struct texts *texts;
};

enum { GPUS_MOST = 256 }; /* whose work is read */

/* G objects, each of kilobytes, in a list of ranges or processes, whose pieces of work may each have a GPU of its own.
 */
enum { GPUS_TOLD = 10000 };

/* A selection of device work. */
struct work_list {
	const struct activity **item;
	size_t n;
};

/* An empty trace. */
void trace_begin(struct trace *trace);
int trace_load(struct trace *trace, struct store *store, struct error *err);
void trace_free(struct trace *trace);

/* The text, stored once in the trace; equal texts give equal pointers. */
const char *trace_text(struct trace *trace, const char *text);
/* The same for the text of a column, or `otherwise` where it is NULL. */
const char *trace_name(struct trace *trace, const struct cursor *row, int column, const char *otherwise);
/* What the trace has to say in diagnostics, [text] (model-trace-notes.c). */
json_t *trace_notes(const struct trace *trace);

/* model-work.c: reads the device work, as it stands in the file. */
int trace_work(struct trace *trace, struct store *store, struct error *err);
/* model-calls.c: finds the API call of each piece of work and fills by_call. */
int trace_calls(struct trace *trace, struct store *store, struct error *err);
/* model-ranges.c: reads the NVTX ranges, with depth and parent. */
int trace_ranges(struct trace *trace, struct store *store, struct error *err);

/* model-nesting.c: sorts the ranges and gives them depth and parent. */
int trace_nest(struct trace *trace);

/* The work that belongs to a range: by_call[first .. first + count). */
void range_work(const struct trace *trace, const struct range *range, size_t *first, size_t *count);

/* ---- one recording ---- */

struct model {
	struct store *store;
	const char *file; /* base name */
	bool shipped;
	struct error *err;
	struct rowset table[TABLES_NUMBER]; /* the small ones; the others are empty */
	struct trace trace;
	struct iteration *iterations; /* of families, sorted; model-iteration.c */
	json_t *notes;                /* what the model itself has to say in diagnostics */
	size_t niterations;
	struct gpu_reading *readings; /* beside blocks of samples, sorted; model-readings.c */
	size_t nreadings;
};

/* Loads some of the small tables and nothing else, for those who need no trace; model->store and model->err are set. A
 * table that is not among the small ones stays empty. */
int model_load_tables(struct model *model, const enum table_id *tables, size_t n);
/* Frees what was loaded, also in part, and closes the store. */
void model_free(struct model *model);

/* Adds a warning to the recording's diagnostics, once. */
int model_note(const struct model *model, const char *text);

/* ---- device work in numbers (model-overlap.c) ---- */

/* Of the work on one device. */
int work_overlap(const struct work_list *work, int device, struct overlap *out);
json_t *overlap_json(const struct model *model, int device, const struct overlap *overlap); /* G */
json_t *gpus_json(const struct model *model, const struct work_list *work);                 /* [G], one per device */
json_t *all_gpus_json(const struct model *model);
/* Everything on the device; out->item is for free(). */
int work_all(const struct model *model, struct work_list *out);
json_t *ranges_json(const struct model *model); /* model-groups.c */

/* ---- timelines (model-timeline.c) and their texts (model-names.c) ---- */

/* T of some work; `ranges`, which is sorted, are those shown above it. */
json_t *timeline_json(
	const struct model *model, const struct work_list *work, const struct range **ranges, size_t nranges);

const char *class_key(enum work_class cls);   /* "h2d" ... */
const char *class_words(enum work_class cls); /* "host to device" ... */
/* Memory kind of the host's side of a copy; of its source, if no side is the host's. */
int copy_memory(const struct activity *copy);
/* "4.00 MiB host to device, pinned"; a kernel's short name. */
void activity_words(const struct activity *work, char *text, size_t size);

/* ---- traced iterations of families (model-iteration.c) ---- */

/* One range "trace LABEL N" inside a range "FAMILY/VARIANT". */
struct iteration {
	const char *anchor; /* "FAMILY/VARIANT" */
	const char *label;  /* of the case */
	long number;
	const struct range *range;
};

int iterations_find(struct model *model);
/* Those of one variant in one case, by number. */
const struct iteration *iterations_of(const struct model *model, const char *anchor, const char *label, size_t *n);

/* ---- readings of the GPU's state beside blocks of samples (model-readings.c) ---- */

struct gpu_reading {
	const char *family, *label; /* borrowed */
	int64_t block, row;         /* SAMPLE_block that it was read after; where it stands in the table */
	double celsius;             /* NaN if unknown */
	int64_t processes;          /* that compute on the GPU, -1 if unknown */
	int64_t throttle;           /* NVML's mask of reasons, -1 if unknown */
};

int readings_find(struct model *model);
/* Those of one case, by block; none in recordings that read the clocks without saying where. */
const struct gpu_reading *readings_of(const struct model *model, const char *family, const char *label, size_t *n);
bool reading_throttled(const struct gpu_reading *reading);
/* Whether the GPU was throttled in a block; readings and blocks are both in order, but a block may lack its reading. */
bool block_throttled(const struct gpu_reading *readings, size_t n, int64_t block);

/* ---- what was measured of one variant in one case (model-measure.c) ---- */

/* Barrier stall, each way it is measured: NaN where it is not. */
struct barrier {
	double share[BARRIER_WAYS];
	double per_issue;       /* warps that wait at a barrier, on average, per instruction issued */
	double samples, cycles; /* the whole of which samples and phases are shares */
};

/* One number per sample, and where each was taken. Owned. */
struct series {
	double *x;
	int *block, *run;
	size_t n;
};

/* Makes room for `n`; -1 without memory, what there is stays owned. */
int series_room(struct series *series, size_t n);
void series_free(struct series *series);
/* Adds `x` for sample `i`. */
void series_add(struct series *series, double x, const struct rows *samples, size_t i);

/* SM clocks beside the samples. Owned. */
struct clocks {
	double *mhz;
	size_t n;
	double median; /* NaN without any */
};

struct measured {
	const char *family, *variant, *label, *anchor; /* borrowed */
	const char *kind;                              /* DBPROF_VARIANT.kind; borrowed */
	const char *unsupported;                       /* the reason, or NULL */
	int64_t buffers;
	int barriers; /* in the PTX of the contrast pair; 0: none, or not known */
	struct rows verify, samples, counts, resource;
	bool pair;        /* single or double of the family's contrast */
	bool headline;    /* the case is */
	bool on_purpose;  /* meant to be wrong */
	bool withheld;    /* wrong and not meant to be: its time is not reported */
	bool right;       /* its variant was verified, and came out right in every case; set by the family */
	double *ns;       /* samples, empty if withheld; owned */
	int *block, *run; /* of each sample; owned */
	size_t n;
	struct series apart;  /* those of blocks in which the GPU was throttled: shown, and counted nowhere */
	struct series cycles; /* of the samples whose clock was measured on the GPU: time times clock */
	struct summary time;  /* NaN without samples */
	double low, high;     /* 95 % interval of the median, or NaN */
	double median_cycles; /* NaN without any */
	struct clocks on_gpu; /* as measured right behind the samples */
	struct clocks nvml;   /* as the driver says */
	double sm_mhz;        /* median of the first of these that there is, or NaN */
	size_t ntraced;       /* samples taken while activity records were on */
	double traced;        /* their median, or NaN */
	size_t iterations;    /* traced */
	double *spans;        /* of the iterations that have device work; owned */
	size_t nspans;
	struct work_list work;     /* of the iteration with the median span; owned */
	const struct range *range; /* of that iteration, or NULL */
	struct overlap overlap;    /* of that work; valid if work.n > 0 */
	bool has_resources;
	struct kernel_resources kernel;
	struct occupancy occupancy; /* valid if has_occupancy */
	bool has_occupancy;
	json_t *counters; /* of the case, or NULL; owned */
	struct barrier barrier;
};

/* Whether a kind is part of the work only: timed, and nothing that competes. */
bool is_part(const char *kind);
/* The times, and a series, as the functions of analyze.h take them; borrowed. */
struct blocked_samples samples_of(const struct measured *m);
struct blocked_samples series_samples(const struct series *series);

/* Samples, clocks and what tracing costs (model-times.c), part of measure_case(). */
int take_times(const struct model *model, struct measured *m, const struct rows *traced);
void times_free(struct measured *m);

/* Fills the rest of *m; the caller has set the borrowed strings, `buffers`, `pair`, `headline` and `on_purpose` and
 * zeroed all else. */
int measure_case(const struct model *model, const struct rows *device, struct measured *m);
void measured_free(struct measured *m);

/* Whether row `i` is of this variant and case: they stand in three columns from `family` on. */
bool measured_in_row(const struct measured *m, const struct rows *rows, size_t i, int family);

bool came_out_wrong(const struct rows *verify);
/* Whether host and records agree in row `i` of a slice of DBPROF_COUNT. */
bool count_agrees(const struct rows *counts, size_t i);

/* The variant's entry for that case (model-variant.c). `single` is the family's single in the same case, or NULL. */
json_t *variant_case_json(
	const struct model *model, const struct measured *m, const struct measured *single, double throughput);

/* ---- counters (model-counters.c) ---- */

/* F."metrics": what the values derived from counters are called and mean. */
json_t *metrics_json(const struct model *model);
/* "counters" of a variant's case into *out; NULL there if nothing was counted. */
int counters_of(const struct model *model, const struct measured *m, json_t **out);
/* A derived value, or NaN. */
double counter_value(const struct measured *m, const char *key);

/* ---- inside the kernel, and against time (model-stalls.c, model-phases.c, model-pm.c) ---- */

/* Of a variant's case; JSON null where the recording has nothing of it. */
json_t *stalls_json(const struct model *model, const struct measured *m);
json_t *phases_json(const struct model *model, const struct measured *m);
json_t *pm_json(const struct model *model, const struct measured *m);

/* ---- barrier stall (model-barrier.c) ---- */

/* After counters_of(). */
int barrier_of(const struct model *model, const struct measured *m, struct barrier *out);
json_t *barrier_json(const struct barrier *barrier);

/* ---- the floor of a pipeline (model-floor.c) ---- */

/* Every variant in one case. */
struct rivals {
	const struct measured *const *list;
	size_t n;
};

struct floor {
	const struct measured *schedule; /* the shortest that moves the bytes without kernels, or NULL */
	const struct measured *kernels, *loads, *stores; /* other parts of the work, or NULL */
	const struct measured *source;  /* schedule or kernels: the longer, whose time is the floor; NULL: no floor */
	const struct measured *nearest; /* the candidate with the largest share, or NULL */
	struct ratio share;             /* time of source / time of nearest */
};

/* What the parts of the work make of a case. `source` is NULL in a family without schedules. */
int floor_of(const struct model *model, const struct rivals *rivals, struct floor *out);
/* An entry of F."floors"; null if there is no floor. `single` may be NULL. */
json_t *floor_json(const struct model *model, const struct rivals *rivals, const struct floor *floor,
	const struct measured *single);

/* F."fastest" of a case: the fastest candidate with one buffer against the fastest with several
 * (model-fastest.c); null unless there are both. */
json_t *fastest_json(const struct model *model, const struct rivals *rivals);

/* ---- contrast of single and double (model-contrast.c, model-evidence.c, model-cost.c, model-cause.c) ---- */

/* Both sides of the contrast in one case. */
struct contrast {
	bool headline;
	const struct measured *single, *dbl;
	size_t ncases; /* of the family: all_single and all_double have as many, for the check of results */
	const struct measured *all_single, *all_double;
	const struct floor *floor; /* of the case; NULL if not looked for */
	bool kernel_bound;         /* no copies in a launch: the SM clock counts */
	struct ratio ratio;
	struct ratio cycles; /* the same of SM cycles; NaN if they were not measured */
	enum verdict verdict;
	const struct measured *control; /* single's code with double's shared memory, or NULL */
	struct ratio footprint, rest;   /* single / control and control / double; valid with a control */
	enum verdict footprint_verdict; /* "slower": the footprint alone costs time */
};

/* Whether `m` is a control that differs from single in nothing but its shared memory, of which it has as much as
 * double: kind control, as many buffers as single, and static and dynamic bytes together more than single's and within
 * 1 KiB of double's. */
bool is_footprint_control(const struct measured *m, const struct measured *single, const struct measured *dbl);
/* How much of a loss the footprint explains: (control - single) / (double - single) by median time. NaN without a
 * control, or unless double is slower. */
double footprint_loss(const struct contrast *contrast);
json_t *cost_json(const struct contrast *contrast);
json_t *ratio_json(const struct ratio *ratio);

/* Time of `over` / time of `under`. */
int ratio_of(const struct model *model, const struct measured *over, const struct measured *under, struct ratio *out);
/* Half the width of the band around 1 that counts as the same. */
double same_band(void);

/* The recording's seed, which the bootstraps draw from; 0 if it has none. */
uint64_t seed_of(const struct model *model);

json_t *contrast_json(const struct model *model, struct contrast *contrast);
/* Fills *ok: no check failed. */
json_t *evidence_json(const struct model *model, const struct contrast *contrast, bool *ok);
/* One sentence from measured numbers. */
void cause_words(const struct contrast *contrast, char *text, size_t size);

/* ---- the rest of the tree ---- */

json_t *created_json(const struct model *model); /* model-head.c */
json_t *versions_json(const struct model *model);
json_t *passes_json(const struct model *model);
json_t *diagnostics_json(const struct model *model);

struct rows device_row(const struct model *model); /* the GPU of the families; empty if unknown (model-device.c) */
json_t *device_json(const struct model *model);
json_t *clocks_json(const struct model *model);
/* When the family's time pass ran; everything, if the recording does not say (model-evidence-gpu.c). */
struct interval time_pass(const struct model *model, const char *family);
bool throttle_matters(int64_t mask); /* of NVML's reasons: those that slow a running kernel */
bool sm_limits_of(const struct rows *device, struct sm_limits *out);

json_t *families_json(const struct model *model); /* model-family.c */

json_t *code_json(const struct model *model, const char *file, const char *variant); /* model-code.c */
json_t *code_pair_json(const struct model *model, const char *file, const char *single, const char *dbl);
json_t *ptx_json(const struct model *model, const char *file, const char *symbol); /* model-ptx.c */
/* Barriers in the PTX of a kernel, into *count; 0 if it is not there. */
int ptx_barriers(const struct model *model, const char *file, const char *symbol, int *count);

json_t *program_json(const struct model *model);   /* model-program.c */
json_t *processes_json(const struct model *model); /* [N] (model-processes.c) */
json_t *pays_json(const struct model *model);      /* [Y] (model-pays.c) */
/* Puts "close_up" into each Y of a list: of the first ones a typical stretch as a timeline (model-close.c). */
int close_ups(const struct model *model, json_t *pays);
/* The program's answer in one sentence, from [G] and [Y]; null without a list of these (model-answer.c). */
json_t *answer_json(const json_t *gpus, const json_t *pays);

#endif
