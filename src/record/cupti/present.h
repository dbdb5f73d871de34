/* present.h: looks for NVIDIA hardware without CUDA. */
#ifndef DBPROF_RECORD_CUPTI_PRESENT_H
#define DBPROF_RECORD_CUPTI_PRESENT_H

#include <stdbool.h>

/* Whether the hardware is there (PCI, device nodes or WSL), whatever CUDA says; needs no CUDA. */
bool device_present(void);

#endif
