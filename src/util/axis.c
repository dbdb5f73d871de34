/* axis.c: see axis.h. */
#include "util/axis.h"

#include <math.h>
#include <stddef.h>

double axis_step(double span, int ticks)
{
	static const double nice[] = {1, 2, 2.5, 5, 10};
	double raw = span / ticks;

	if (!(raw > 0))
		return 1;
	double power = pow(10, floor(log10(raw)));
	for (size_t i = 0; i < sizeof(nice) / sizeof(nice[0]); i++) {
		if (nice[i] * power >= raw * 0.999)
			return nice[i] * power;
	}
	return 10 * power;
}
