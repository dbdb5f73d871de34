/* pass-counters.c: not written yet. */
#include "record/worker.h"

bool pass_counters_open(struct worker *w)
{
	error_set(&w->skipped, "not part of this dbprof");
	return false;
}

void pass_counters(struct worker *w)
{
	(void)w;
}

void pass_counters_close(struct worker *w)
{
	(void)w;
}
