/* recording-scenarios.h: made-up recordings for tests, with numbers that can be worked out by hand. */
#ifndef TESTS_RECORDING_SCENARIOS_H
#define TESTS_RECORDING_SCENARIOS_H

#include "store/store.h"

struct scenario {
	const char *name, *summary;
	int (*fill)(struct recording *rec, struct error *err);
};

/* Ends with an entry without a name. */
extern const struct scenario scenarios[];

/* The facts that every scenario has, and a made-up GPU of compute capability 8.6. */
int scenario_facts(struct recording *rec, struct error *err);
int scenario_gpu(struct recording *rec, int id, struct error *err);

/* scenario-families.c: two families with everything that dbprof records about a family. */
int scenario_families(struct recording *rec, struct error *err);

/* scenario-why.c: what the passes that measure why give of these families. */
int scenario_why(struct recording *rec, struct error *err);

/* scenario-sweeps.c: two families with small sweeps, one of them interrupted; and one with a large sweep. */
int scenario_sweeps(struct recording *rec, struct error *err);
int scenario_sweep_grid(struct recording *rec, struct error *err);
/* scenario-floor.c: the same two families, one with a floor, the other with company on the GPU. */
int scenario_floor(struct recording *rec, struct error *err);

/* scenario-traced.c: two processes of a traced program, in one stream, in two, and with all that keeps copies back. */
int scenario_traced(struct recording *rec, struct error *err);

#endif
