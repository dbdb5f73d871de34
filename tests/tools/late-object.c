/* late-object.c: a shared object that uses CUPTI and takes long to relocate: it is loaded while dbprof looks for such.
 */
#include <cupti.h>

extern char **environ;

enum { MANY = 200000 };

/* Each needs a look-up of its own. */
#define P10(p) p, p, p, p, p, p, p, p, p, p
#define P1000(p) P10(P10(P10(p)))
static char ***const pointers[MANY] = {P10(P10(P1000(&environ))), P10(P10(P1000(&environ)))};

CUptiResult (*enable)(CUpti_ActivityKind kind) = cuptiActivityEnable;
__attribute__((visibility("default"))) int touch(void);

int touch(void)
{
	for (int i = 0; i < MANY; i++)
		if (pointers[i] != &environ)
			return 1;
	return cuptiActivityDisable(CUPTI_ACTIVITY_KIND_MEMCPY) != CUPTI_SUCCESS;
}
