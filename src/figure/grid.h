/* grid.h: reading a sweep of the model as a grid: its axes, and the point at a place. All take NULL. */
#ifndef DBPROF_FIGURE_GRID_H
#define DBPROF_FIGURE_GRID_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

/* `axis` is "x" or "y". A sweep without y has one curve: its count along y is 1 and its value there NaN. */
size_t grid_count(const json_t *sweep, const char *axis);
double grid_value(const json_t *sweep, const char *axis, size_t i);
const char *grid_param(const json_t *sweep, const char *axis);

/* Whether the value is "no limit": 0 of the parameter that limits blocks. */
bool grid_unlimited(const json_t *sweep, const char *axis, double value);

/* The point at x value i and y value k, or NULL: the grid has none there. */
const json_t *grid_point(const json_t *sweep, size_t i, size_t k);

/* A value in few characters: "64 Ki", "32", "no limit". Buffers have FORMAT_SIZE bytes. */
char *grid_label(const json_t *sweep, const char *axis, double value, char *text);

/* The same in full: "65,536". */
char *grid_words(const json_t *sweep, const char *axis, double value, char *text);

/* "n (elements)"; "stages" where the unit says no more than the parameter. */
char *grid_title(const json_t *sweep, const char *axis, char *text);

#endif
