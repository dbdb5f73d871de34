/* old-names.c: tables and columns have been renamed since 2021: the names that they have in older exports. */
#include "store/store-private.h"

static const struct {
	enum table_id table;
	const char *name;
} tables[] = {
	{TABLE_GPU, "TARGET_INFO_CUDA_GPU"},
	{TABLE_CONTEXT, "TARGET_INFO_CUDA_NULL_STREAM"},
};

/* Only columns whose unit has not changed. */
static const struct {
	enum table_id table;
	int column;
	const char *name;
} columns[] = {
	{TABLE_GPU, GPU_id, "deviceId"},
	{TABLE_GPU, GPU_cuDevice, "deviceId"},
	{TABLE_GPU, GPU_smCount, "numMultiprocessors"},
	{TABLE_GPU, GPU_threadsPerWarp, "numThreadsPerWarp"},
	{TABLE_GPU, GPU_maxWarpsPerSm, "maxWarpsPerMultiprocessor"},
	{TABLE_GPU, GPU_maxBlocksPerSm, "maxBlocksPerMultiprocessor"},
	{TABLE_GPU, GPU_computeMajor, "computeCapabilityMajor"},
	{TABLE_GPU, GPU_computeMinor, "computeCapabilityMinor"},
	{TABLE_CONTEXT, CONTEXT_nullStreamId, "streamId"},
	{TABLE_SYNCHRONIZATION, SYNCHRONIZATION_syncType, "deprecatedSyncType"},
};

const char *old_table_name(enum table_id table)
{
	for (size_t i = 0; i < sizeof(tables) / sizeof(*tables); i++)
		if (tables[i].table == table)
			return tables[i].name;
	return NULL;
}

const char *old_column_name(enum table_id table, int column)
{
	for (size_t i = 0; i < sizeof(columns) / sizeof(*columns); i++)
		if (columns[i].table == table && columns[i].column == column)
			return columns[i].name;
	return NULL;
}
