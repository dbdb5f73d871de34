/* tensor-map.h: describes a matrix to TMA, by the driver's function, which dbprof is not linked against. */
#ifndef DBPROF_KERNELS_TENSOR_MAP_H
#define DBPROF_KERNELS_TENSOR_MAP_H

#include <cuda.h>
#include <cuda_runtime_api.h>

/* Row-major, in device memory. `row` is the distance of two rows in bytes, a multiple of 16. */
struct tensor_matrix {
	void *at;
	CUtensorMapDataType type;
	int rows, cols;
	size_t row;
};

typedef CUresult tensor_map_encode(CUtensorMap *, CUtensorMapDataType, cuuint32_t, void *, const cuuint64_t *,
	const cuuint64_t *, const cuuint32_t *, const cuuint32_t *, CUtensorMapInterleave, CUtensorMapSwizzle,
	CUtensorMapL2promotion, CUtensorMapFloatOOBfill);

/* NULL if the driver has none. */
static inline tensor_map_encode *tensor_map_encoder(void)
{
	static void *found;
	enum cudaDriverEntryPointQueryResult result;

	if (!found && cudaGetDriverEntryPointByVersion(
			      "cuTensorMapEncodeTiled", &found, 12000, cudaEnableDefault, &result) != cudaSuccess)
		found = NULL;
	return (tensor_map_encode *)found;
}

/* Describes a matrix for boxes of box_rows x box_cols. */
static inline cudaError_t tensor_map(
	CUtensorMap *out, struct tensor_matrix of, unsigned box_rows, unsigned box_cols, CUtensorMapSwizzle swizzle)
{
	const cuuint64_t size[] = {(cuuint64_t)of.cols, (cuuint64_t)of.rows}, row[] = {of.row};
	const cuuint32_t box[] = {box_cols, box_rows}, every[] = {1, 1};
	tensor_map_encode *encode = tensor_map_encoder();

	if (!encode)
		return cudaErrorNotSupported;
	return encode(out, of.type, 2, of.at, size, row, box, every, CU_TENSOR_MAP_INTERLEAVE_NONE, swizzle,
		       CU_TENSOR_MAP_L2_PROMOTION_L2_256B, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE) == CUDA_SUCCESS
		       ? cudaSuccess
		       : cudaErrorInvalidValue;
}

#endif
