/* cause-rules.h: facts and conditions of the rules that name a cause; private to cause*.c and their test. */
#ifndef DBPROF_MODEL_FAMILY_CONTRAST_CAUSE_RULES_H
#define DBPROF_MODEL_FAMILY_CONTRAST_CAUSE_RULES_H

#include <stdbool.h>
#include <stddef.h>

struct contrast;
struct measured;

/* Name of the rule or addition `i`; NULL behind the last. */
const char *cause_rule(size_t i);
/* Whether the rule or addition of that name speaks. */
bool cause_speaks(const struct contrast *contrast, const char *name);

/* Keys of stall reasons, "stall_wait"; NULL if nothing was counted on both sides. Owned by the contrast. */
const char *most_risen(const struct contrast *contrast); /* the one whose share of warp time rises most */
const char *most_fallen(const struct contrast *contrast);
const char *top_stall(const struct measured *m); /* the one with the largest share */
/* The unit that is busiest in double, by its throughput in % of peak; NULL if not counted. */
const char *busiest_unit(const struct contrast *contrast);

/* Double's value minus single's, and that over single's; NaN if a side lacks it. */
double counter_change(const struct contrast *contrast, const char *key);
double relative_change(const struct contrast *contrast, const char *key);

/* Conditions. A value that was not measured makes each of them false. */
bool when_single_wrong(const struct contrast *c);
bool when_double_wrong(const struct contrast *c);
bool when_pipelines(const struct contrast *c);
bool when_overlap_rose(const struct contrast *c);
bool when_overlap_pays(const struct contrast *c);
bool when_duplex_rose(const struct contrast *c);
bool when_idle_changed(const struct contrast *c);
bool when_short_kernels(const struct contrast *c);
bool when_shared_changed(const struct contrast *c);
bool when_registers_changed(const struct contrast *c);
bool when_shared_and_occupancy_changed(const struct contrast *c);
bool when_shared_changed_alone(const struct contrast *c);
bool when_registers_and_occupancy_changed(const struct contrast *c);
bool when_registers_changed_alone(const struct contrast *c);
bool when_same_resources(const struct contrast *c);
bool when_timed(const struct contrast *c);
bool when_always(const struct contrast *c);
bool when_fewer_barriers_pay(const struct contrast *c);
bool when_fewer_waits_pay(const struct contrast *c);
bool when_occupancy_pays(const struct contrast *c);
bool when_instructions_pay(const struct contrast *c);
bool when_traffic_pays(const struct contrast *c);
bool when_footprint_costs(const struct contrast *c);
bool when_occupancy_costs(const struct contrast *c);
bool when_waiting_moved(const struct contrast *c);
bool when_waits_cost(const struct contrast *c);
bool when_instructions_cost(const struct contrast *c);
bool when_bound(const struct contrast *c);
bool when_load_not_hidden(const struct contrast *c);
bool when_little_to_hide(const struct contrast *c);
bool when_barrier_was_cheap(const struct contrast *c);
bool when_same_waits(const struct contrast *c);
bool when_achieved_fell(const struct contrast *c);
bool when_achieved_rose(const struct contrast *c);
bool when_achieved_same(const struct contrast *c);
bool when_achieved_known(const struct contrast *c);
bool when_instructions_changed(const struct contrast *c);

#endif
