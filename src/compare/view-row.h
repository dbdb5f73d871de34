/* view-row.h: one comparison as a row of the page, and the axis that a family's rows share. */
#ifndef DBPROF_COMPARE_VIEW_ROW_H
#define DBPROF_COMPARE_VIEW_ROW_H

#include "page/view/view.h"

/* The axis of a family's ratios outside sweeps; places on it are percents of its width. */
struct ratio_axis {
	double low, high, band;
};

/* Wide enough for the band, and for every interval of the family's comparisons outside sweeps. */
struct ratio_axis ratio_axis_of(const json_t *comparisons, double band);

/* What every row's axis shows: the band, 1, and the ticks. */
json_t *ratio_axis_view(const struct ratio_axis *axis);

/* A row: of `comparisons`, those of the family, it has what tells it from them. */
json_t *comparison_view(const struct ratio_axis *axis, const json_t *comparison, const json_t *comparisons);

/* Puts all checks as `checks`, those that failed also as `failed`, and how many these are. */
void view_put_findings(json_t *object, const json_t *evidence);

#endif
