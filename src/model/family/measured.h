/* measured.h: one variant in one case, with all that the passes gave for it. measure.h gathers it. */
#ifndef DBPROF_MODEL_FAMILY_MEASURED_H
#define DBPROF_MODEL_FAMILY_MEASURED_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analyze/analyze.h"
#include "model/family/series.h"
#include "model/trace/timeline.h"
#include "model/trace/trace.h"
#include "store/rowset.h"

/* Barrier stall, each way it is measured: NaN where it is not. */
struct barrier {
	double share[BARRIER_WAYS];
	double per_issue;       /* warps that wait at a barrier, on average, per instruction issued */
	double samples, cycles; /* all PC samples, all stamped cycles: the shares are shares of these */
};

/* SM clocks beside the samples. Owned. */
struct clocks {
	double *mhz;
	size_t n;
	double median; /* NaN without any */
};

struct measured {
	const char *family, *variant, *label, *anchor; /* borrowed */
	const char *kind;                              /* DBPROF_VARIANT.kind; borrowed */
	const char *file;                              /* of its code; borrowed */
	const char *asked;                             /* DBPROF_VARIANT.kernelName, or NULL; borrowed */
	char *longest; /* name of the kernel that takes most of the median launch, if one was asked for; owned; or NULL
			*/
	bool as_asked; /* that name is as asked, or it is not known */
	const char *unsupported; /* the reason, or NULL */
	const char *untraced;    /* DBPROF_VARIANT.untraced, or NULL; borrowed */
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
	struct series apart;     /* samples of blocks in which the GPU was throttled: shown, and counted nowhere */
	struct series cycles;    /* time times clock, of the samples whose clock was measured on the GPU */
	struct summary time;     /* NaN without samples */
	double low, high;        /* 95 % interval of the median, or NaN */
	double median_cycles;    /* NaN without any */
	struct clocks on_gpu;    /* as measured right behind the samples */
	struct clocks nvml;      /* as the driver says */
	double sm_mhz;           /* median clock on the GPU, else as the driver says; NaN without either */
	size_t ntraced;          /* samples taken while activity records were on */
	double traced;           /* their median, or NaN */
	size_t iterations;       /* traced */
	double *spans;           /* of the iterations that have device work; owned */
	struct traced_run *runs; /* the same iterations; owned */
	size_t nspans;
	struct work_list work;     /* of the iteration with the median span; owned */
	const struct range *range; /* of that iteration, or NULL */
	struct stretch step;       /* of programs: the step that `work` is of; not whole if there is none */
	struct overlap overlap;    /* of that work; valid if work.n > 0 */
	bool has_resources;
	struct kernel_resources kernel;
	struct occupancy occupancy; /* valid if has_occupancy */
	bool has_occupancy;
	json_t *counters; /* of the case, or NULL; owned */
	struct barrier barrier;
};

/* Whether a variant of this kind is part of the work only: it is timed and does not compete. */
bool is_part(const char *kind);

/* Whether some run of these rows of DBPROF_VERIFY is wrong. */
bool came_out_wrong(const struct rows *verify);

/* Whether row `i` is of this variant and case: they stand in three columns from `family` on. */
bool measured_in_row(const struct measured *m, const struct rows *rows, size_t i, int family);

/* The symbol of the variant's own kernel, or NULL. */
const char *measured_symbol(const struct measured *m);

/* The times as the functions of analyze.h take them; borrowed. */
struct blocked_samples samples_of(const struct measured *m);

/* A value derived from counters, or NaN. */
double counter_value(const struct measured *m, const char *key);

#endif
