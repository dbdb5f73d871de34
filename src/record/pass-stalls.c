/* pass-stalls.c: not written yet. */
#include "record/worker.h"

bool pass_stalls_open(struct worker *w)
{
	error_set(&w->skipped, "not part of this dbprof");
	return false;
}

void pass_stalls(struct worker *w)
{
	(void)w;
}

void pass_stalls_close(struct worker *w)
{
	(void)w;
}
