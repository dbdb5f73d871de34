/* evidence-gpu.h: the state of the GPU while samples were taken. */
#ifndef DBPROF_MODEL_FAMILY_EVIDENCE_GPU_H
#define DBPROF_MODEL_FAMILY_EVIDENCE_GPU_H

#include "analyze/analyze.h"

struct model;

/* When the family's time pass ran; everything, if the recording does not say (model-evidence-gpu.c). */
struct interval time_pass(const struct model *model, const char *family);

#endif
