/* lacks.h: what a recording does not tell about its loops; private to this folder. */
#ifndef DBPROF_MODEL_TRACE_PAYS_LACKS_H
#define DBPROF_MODEL_TRACE_PAYS_LACKS_H

#include "model/trace/pays/parts.h"

/* Notes each as a diagnostic of the recording. */
void note_pays_lacks(const struct model *model, const struct pays_sample *sample, const struct pays_host *host,
	const struct pays_phases *phases, const struct pays_lacks *lacks);

#endif
