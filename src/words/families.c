/* families.c: see families.h. */
#include "words/families.h"

void words_families(json_t *recording)
{
	(void)recording;
}
