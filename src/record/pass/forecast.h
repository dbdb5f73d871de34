/* forecast.h: measures the machine's constants, and writes down what they predict, before anything is timed. */
#ifndef DBPROF_RECORD_PASS_FORECAST_H
#define DBPROF_RECORD_PASS_FORECAST_H

#include "record/worker/worker.h"

struct forecast;

/* Measures the machine and writes the constants down. NULL with `err` if it cannot be measured. */
struct forecast *forecast_open(struct worker *w, struct error *err);

/* Makes a prediction for the pair of the case that is set up, if both variants say what they do and can run here. Hands
 * the rows to the operating system. -1 with the problem noted. */
int forecast_case(struct forecast *forecast, const struct size_case *size, void *state);

void forecast_close(struct forecast *forecast); /* NULL is allowed */

#endif
