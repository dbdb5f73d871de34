/* extent-checks.h: the checks of what runs have besides the steps that count, for the table in checks.c: other steps,
 * work outside of steps, graphs that were traced as a whole. Private to the folder of programs. */
#ifndef DBPROF_MODEL_FAMILY_PROGRAMS_EXTENT_EXTENT_CHECKS_H
#define DBPROF_MODEL_FAMILY_PROGRAMS_EXTENT_EXTENT_CHECKS_H

#include "model/family/programs/judging.h"

void check_places(const struct judging *judging, struct finding *out);
void check_coverage(const struct judging *judging, struct finding *out);
void check_launches(const struct judging *judging, struct finding *out);
void check_kinds(const struct judging *judging, struct finding *out);
void check_other_kinds(const struct judging *judging, struct finding *out);
void check_lone_kinds(const struct judging *judging, struct finding *out);
void check_other_host(const struct judging *judging, struct finding *out);
void check_begins(const struct judging *judging, struct finding *out);
void check_first_steps(const struct judging *judging, struct finding *out);
void check_shapes(const struct judging *judging, struct finding *out);
void check_kernels_outside(const struct judging *judging, struct finding *out);
void check_elsewhere(const struct judging *judging, struct finding *out);
void check_copies_outside(const struct judging *judging, struct finding *out);
void check_time_between(const struct judging *judging, struct finding *out);
void check_graphs(const struct judging *judging, struct finding *out);

#endif
