/* clusters.h: the sizes of clusters of a run's launches, as DBPROF_CLUSTER tells them. */
#ifndef DBPROF_CONTRAST_KERNEL_CLUSTERS_H
#define DBPROF_CONTRAST_KERNEL_CLUSTERS_H

#include <stddef.h>
#include <stdint.h>

#include "store/store.h"
#include "util/error.h"

/* A launch with clusters: node is that of a CUDA graph, 0 without one. */
struct cluster {
	int64_t process, correlation, node;
	int64_t blocks[3];
};

/* Begins as {0}; clusters_free() ends it. */
struct clusters {
	struct cluster *cluster; /* by process, correlation and node */
	size_t n, room;
};

/* Reads the table. A recording without it is no error: no launch has clusters then. -1 with `err`. */
int clusters_read(struct clusters *clusters, struct store *store, struct error *err);

/* The blocks of a cluster of a launch in each direction: 1 without clusters. */
void clusters_find(
	const struct clusters *clusters, int64_t process, int64_t correlation, int64_t node, int64_t blocks[3]);

void clusters_free(struct clusters *clusters);

#endif
