/* pass-phases.c: not written yet. */
#include "record/worker.h"

void pass_phases(struct worker *w)
{
	error_set(&w->skipped, "not part of this dbprof");
}
