/* families.c: the table of kernel families, in the order of the report. */
#include "families.h"

const struct family *const families[] = {
	&family_scan_kogge_stone,
	&family_scan_hillis_steele,
	&family_sgemm,
	&family_stream,
	&family_warp_scan,
	&family_tile_pipeline,
	&family_self_test,
};

const int families_count = (int)(sizeof(families) / sizeof(families[0]));
