/* chosen.h: one of dbprof's own variants, as a program is told of it by its arguments. */
#ifndef DBPROF_TESTS_CHOSEN_H
#define DBPROF_TESTS_CHOSEN_H

#include "families.h"

/* Ends the program with one line and status 1. */
void chosen_quit(const char *what, const char *why) __attribute__((noreturn));

/* The same if `code` is an error. */
void chosen_check(cudaError_t code, const char *what);

/* What "FAMILY/VARIANT" names; ends the program if there is no such one. */
const struct family *chosen_family(const char *name);
const struct variant *chosen_variant(const char *name);

/* The family's first case with parameters changed by "NAME=VALUE", `n` of them. */
struct size_case chosen_case(const struct family *family, char **settings, int n);

/* A state of the family for the case, for its tear_down(). */
void *chosen_set_up(const struct family *family, const struct size_case *size);

#endif
