/* lack.h: what is known to be missing of a traced run: DBPROF_BLOCK.incomplete. */
#ifndef DBPROF_STORE_LACK_H
#define DBPROF_STORE_LACK_H

enum run_lack {
	LACK_NOTHING, /* nothing is known to be */
	LACK_SOME,    /* some records, or times of some */
	/* A process lost as many records as it has steady steps, or more. So each of them may lack the same kernel.
	 * With fewer at least one is whole, and they all have the same kernels. */
	LACK_OF_EACH_STEP,
	LACK_PERHAPS /* an export of Nsight Systems says that some may be, and not how many */
};

#endif
