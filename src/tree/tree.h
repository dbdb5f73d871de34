/* tree.h: reading the model, a tree in which every value may be missing or null. */
#ifndef DBPROF_TREE_TREE_H
#define DBPROF_TREE_TREE_H

#include <jansson.h>
#include <stdbool.h>

/* All take NULL and values of another type for "not there"; what they return lives as long as the tree. */

/* The member's text, or "". */
const char *tree_text(const json_t *object, const char *key);

/* The member as a number; NaN if there is none. */
double tree_real(const json_t *object, const char *key);

bool tree_true(const json_t *object, const char *key);

/* True if the member is there and not null. */
bool tree_has(const json_t *object, const char *key);

/* The element of an array whose member `key` is the text `value`, or NULL. */
const json_t *tree_find(const json_t *array, const char *key, const char *value);

/* The kernel or graph of a contrast of programs, by the label of its case: what is behind its ": ", or all of it. */
const char *tree_name_of_case(const char *label);

/* Whether that case is a CUDA graph's, which was to be counted as a whole. */
bool tree_case_is_graph(const json_t *family, const char *label);

/* The element of an array whose member `key` is true, or NULL. */
const json_t *tree_find_true(const json_t *array, const char *key);

/* A copy whose texts are fit for a terminal: see utf8_one_line(). The caller's; NULL of NULL. */
json_t *tree_for_terminal(const json_t *tree);

/* The families in the order in which they are shown: those about buffering first, the largest gain first, what has no
 * number last. A list of its own; the caller's. */
json_t *tree_by_gain(const json_t *families);

/* Whether the page shows this recording whole: of many, only some are. */
bool tree_is_detailed(const json_t *recording);

/* ---- a family of the model ---- */

/* Its headline case (the first one that is marked so), or NULL. */
const json_t *tree_headline(const json_t *family);

/* The contrast of that case, or NULL. */
const json_t *tree_headline_contrast(const json_t *family);

/* Whether the verdicts' kernels are the same because nothing about them is known to differ: neither machine code nor
 * launches. Then they say nothing of what the variation changed. Not so where only some of the kernels were looked at.
 * The verdicts are those of the family, or of one of its sides. */
bool tree_kernels_tell_nothing(const json_t *family, const json_t *verdicts);

/* Of {"kernel", "program"} the verdict that decides: that on the kernels; that on the program's step without one, where
 * the kernels tell nothing, and where the step differs clearly although the kernels are the same, as by an overlap,
 * unless only some of the kernels were looked at. NULL without either: the time of a whole process only checks the
 * sign.
 */
const json_t *tree_deciding_verdict(const json_t *family, const json_t *verdicts);

/* Whether the step's verdict decides although kernels have one: what is told of the step comes first then. */
bool tree_step_leads(const json_t *family, const json_t *verdicts);

/* Whether the processes take different times as wholes, and kernels tell nothing. */
bool tree_process_doubts(const json_t *family, const json_t *verdicts);

/* The word of the verdict that decides, or "": "unclear" where the process doubts it. */
const char *tree_deciding_word(const json_t *family, const json_t *verdicts);

/* Of a family that was made of programs: the contrast of their host times, or NULL. */
const json_t *tree_program_contrast(const json_t *family);

/* Of a family that was made of programs: the contrast of its verdict that decides. Else the headline's. */
const json_t *tree_deciding_contrast(const json_t *family);

/* The contrast whose time is told in parts: the headline's. Of programs the kernels' is not, but the step's. NULL if
 * there is none. */
const json_t *tree_timed_contrast(const json_t *family);

/* The variant that the family names as "single" or "double", or NULL. */
const json_t *tree_role(const json_t *family, const char *role);

/* What a reader knows the "single" or "double" of a pair as: of programs the side's own name, else the role. */
const char *tree_side_called(const json_t *family, const char *role);

/* Whether a rung or reference has a share of the reference that counts: one that ran something else than it was asked
 * to has a share of itself. */
bool tree_share_counts(const json_t *step);

/* Whether the ladder of the headline case says of every variant that was timed there, parts of the work aside, what
 * share of the reference it reaches: then nothing else has to show their times. False without a timed rung. */
bool tree_climb_has_all(const json_t *family);

/* What a variant gave in the case `label`, or NULL. */
const json_t *tree_case(const json_t *variant, const char *label);

/* The same for the family's headline case. */
const json_t *tree_headline_case(const json_t *family, const json_t *variant);

/* Whether some point of a sweep of the family was measured. */
bool tree_was_swept(const json_t *family);

#endif
