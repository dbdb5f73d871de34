/* pass-pm.c: not written yet. */
#include "record/worker.h"

bool pass_pm_open(struct worker *w)
{
	error_set(&w->skipped, "not part of this dbprof");
	return false;
}

void pass_pm(struct worker *w)
{
	(void)w;
}

void pass_pm_close(struct worker *w)
{
	(void)w;
}
