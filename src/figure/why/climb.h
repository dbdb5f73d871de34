/* climb.h: the ladder of a family that has rungs. */
#ifndef DBPROF_FIGURE_WHY_CLIMB_H
#define DBPROF_FIGURE_WHY_CLIMB_H

#include <stdbool.h>

#include "figure/figure.h"

/* Adds "FAMILY-ladder" for the first of F."climbs", "FAMILY-ladder-2" for the second, and so on, of the first eight;
 * none for a case without a reference. False where the family has no rungs. */
bool climb_figures(const struct figure_family *in);

#endif
