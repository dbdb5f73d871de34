/* finding.c: see finding.h. */
#include "model/pair/finding.h"

#include <stdio.h>

void not_measured(struct finding *out, const char *why)
{
	out->ok = CHECK_NOT_MEASURED;
	snprintf(out->text, sizeof(out->text), "not measured: %s", why);
}
