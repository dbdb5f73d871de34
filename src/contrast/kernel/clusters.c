/* clusters.c: see clusters.h. */
#include "contrast/kernel/clusters.h"

#include <stdlib.h>
#include <string.h>

#include "util/alloc.h"
#include "util/number.h"

static int by_launch(const void *left, const void *right)
{
	const struct cluster *a = left, *b = right;

	if (a->process != b->process)
		return int64_order(a->process, b->process);
	if (a->correlation != b->correlation)
		return int64_order(a->correlation, b->correlation);
	return int64_order(a->node, b->node);
}

static void take_cluster(struct clusters *clusters, const struct cursor *row)
{
	struct cluster cluster = {.process = cursor_int(row, CLUSTER_globalPid),
		.correlation = cursor_int(row, CLUSTER_correlationId),
		.node = cursor_int(row, CLUSTER_graphNodeId)};

	for (int i = 0; i < 3; i++)
		cluster.blocks[i] = cursor_int(row, CLUSTER_clusterX + i);
	xgrow(&clusters->cluster, clusters->n, &clusters->room, sizeof(*clusters->cluster));
	clusters->cluster[clusters->n++] = cluster;
}

int clusters_read(struct clusters *clusters, struct store *store, struct error *err)
{
	struct cursor *row = store_rows(store, TABLE_CLUSTER, -1, err);
	int more;

	if (!row)
		return -1;
	while ((more = cursor_next(row, err)) > 0)
		take_cluster(clusters, row);
	cursor_close(row);
	if (clusters->n > 1)
		qsort(clusters->cluster, clusters->n, sizeof(*clusters->cluster), by_launch);
	return more;
}

void clusters_find(
	const struct clusters *clusters, int64_t process, int64_t correlation, int64_t node, int64_t blocks[3])
{
	static const int64_t none[] = {1, 1, 1};
	const struct cluster key = {.process = process, .correlation = correlation, .node = node};
	const struct cluster *found =
		clusters->n ? bsearch(&key, clusters->cluster, clusters->n, sizeof(key), by_launch) : NULL;

	memcpy(blocks, found ? found->blocks : none, sizeof(none));
}

void clusters_free(struct clusters *clusters)
{
	free(clusters->cluster);
	*clusters = (struct clusters){0};
}
