/* wgmma.cuh: products by the tensor cores of sm_90a, by the 128 threads of a warpgroup, from shared memory as TMA with
 * a swizzle of 128 bytes leaves it; and what belongs to it: boxes of a matrix by TMA, and barriers in shared memory
 * that warps open too, in both blocks of a cluster. */
#ifndef DBPROF_KERNELS_WGMMA_CUH
#define DBPROF_KERNELS_WGMMA_CUH

#include "cp-async.cuh"

/* Rows of a tile in shared memory are 128 bytes, which are 64 elements along K; 8 of them repeat the swizzle. */
enum { WGMMA_ROW_BYTES = 128, WGMMA_K = 64, WGMMA_STEP = 16, WGMMA_ROWS = 64, WARPGROUP = 128 };

/* ---- products ---- */

/* A tile whose rows lie along K, at a multiple of 1024 bytes: "Matrix descriptor format" in the PTX manual. */
static __device__ __forceinline__ uint64_t wgmma_tile(const void *shared)
{
	constexpr uint64_t SWIZZLE_128 = (uint64_t)1 << 62, EIGHT_ROWS = (uint64_t)(8 * WGMMA_ROW_BYTES / 16) << 32;

	return (shared_address(shared) & 0x3ffff) >> 4 | (uint64_t)1 << 16 | EIGHT_ROWS | SWIZZLE_128;
}

/* The tile's columns from step `i` of 16 elements on. */
static __device__ __forceinline__ uint64_t wgmma_step(uint64_t tile, int i)
{
	return tile + (uint64_t)(i * WGMMA_STEP * 2 / 16);
}

/* Before the first product that uses registers which the thread has written. */
static __device__ __forceinline__ void wgmma_fence()
{
	asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
}

/* Closes the group of products that were started. */
static __device__ __forceinline__ void wgmma_commit()
{
	asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
}

/* Waits until at most PENDING groups are under way. */
template <int PENDING> static __device__ __forceinline__ void wgmma_wait()
{
	asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(PENDING) : "memory");
}

#define WGMMA_4(c, i) "+f"(c[i]), "+f"(c[i + 1]), "+f"(c[i + 2]), "+f"(c[i + 3])
#define WGMMA_16(c, i) WGMMA_4(c, i), WGMMA_4(c, i + 4), WGMMA_4(c, i + 8), WGMMA_4(c, i + 12)
#define WGMMA_32(c, i) WGMMA_16(c, i), WGMMA_16(c, i + 16)

/* Starts C += A B^T for 64 rows of A, 128 rows of B and 16 elements of K. */
static __device__ __forceinline__ void wgmma_multiply(float (&c)[64], uint64_t a, uint64_t b)
{
	asm volatile("wgmma.mma_async.sync.aligned.m64n128k16.f32.bf16.bf16 {"
		     "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, "
		     "%16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31, "
		     "%32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47, "
		     "%48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63"
		     "}, %64, %65, 1, 1, 1, 0, 0;"
		     : WGMMA_32(c, 0), WGMMA_32(c, 32)
		     : "l"(a), "l"(b));
}

/* Starts C += A B^T for 64 rows of A, 256 rows of B and 16 elements of K. */
static __device__ __forceinline__ void wgmma_multiply(float (&c)[128], uint64_t a, uint64_t b)
{
	asm volatile("wgmma.mma_async.sync.aligned.m64n256k16.f32.bf16.bf16 {"
		     "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, "
		     "%16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31, "
		     "%32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47, "
		     "%48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63, "
		     "%64, %65, %66, %67, %68, %69, %70, %71, %72, %73, %74, %75, %76, %77, %78, %79, "
		     "%80, %81, %82, %83, %84, %85, %86, %87, %88, %89, %90, %91, %92, %93, %94, %95, "
		     "%96, %97, %98, %99, %100, %101, %102, %103, %104, %105, %106, %107, %108, %109, %110, %111, "
		     "%112, %113, %114, %115, %116, %117, %118, %119, %120, %121, %122, %123, %124, %125, %126, %127"
		     "}, %128, %129, 1, 1, 1, 0, 0;"
		     : WGMMA_32(c, 0), WGMMA_32(c, 32), WGMMA_32(c, 64), WGMMA_32(c, 96)
		     : "l"(a), "l"(b));
}

/* ---- boxes of a matrix ---- */

/* As copy_box(), into all blocks of the cluster that `blocks` has a bit for, each at the same place as here. */
static __device__ __forceinline__ void copy_box_multicast(
	void *shared, const CUtensorMap *matrix, int row, int col, uint64_t *full, uint16_t blocks)
{
	asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster "
		     "[%0], [%1, {%2, %3}], [%4], %5;" ::"r"(shared_address(shared)),
		     "l"(matrix), "r"(col), "r"(row), "r"(shared_address(full)), "h"(blocks)
		     : "memory");
}

/* Stores a box, as part of this thread's next group. What lies beyond an edge is left out. */
static __device__ __forceinline__ void tma_store(const CUtensorMap *matrix, const void *shared, int row, int col)
{
	asm volatile("cp.async.bulk.tensor.2d.global.shared::cta.bulk_group [%0, {%1, %2}], [%3];" ::"l"(matrix),
		     "r"(col), "r"(row), "r"(shared_address(shared))
		     : "memory");
}

static __device__ __forceinline__ void tma_store_commit()
{
	asm volatile("cp.async.bulk.commit_group;" ::: "memory");
}

/* ---- barriers and clusters ---- */

/* Arrives at the barrier that lies at the same place in block `rank` of the cluster. */
static __device__ __forceinline__ void barrier_arrive_in(uint64_t *barrier, int rank)
{
	asm volatile("{\n"
		     ".reg .b32 there;\n"
		     "mapa.shared::cluster.u32 there, %0, %1;\n"
		     "mbarrier.arrive.shared::cluster.b64 _, [there];\n"
		     "}" ::"r"(shared_address(barrier)),
		     "r"(rank)
		     : "memory");
}

/* A barrier of all threads of the cluster. */
static __device__ __forceinline__ void cluster_sync()
{
	asm volatile("barrier.cluster.arrive.release.aligned;\n"
		     "barrier.cluster.wait.acquire.aligned;" ::
			     : "memory");
}

/* Barriers as they were made are seen by the other blocks of the cluster from here on. */
static __device__ __forceinline__ void cluster_init_fence()
{
	asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
}

/* A warp stores a block of 16 x 16 elements of 16 bits, as wgmma has them in registers: two rows of 8 x 8, then the two
 * on their right. Lane i gives the address of row i % 16, of the left half or, from lane 16 on, the right one. */
static __device__ __forceinline__ void stmatrix(void *row, unsigned a, unsigned b, unsigned c, unsigned d)
{
	asm volatile("stmatrix.sync.aligned.m8n8.x4.shared.b16 [%0], {%1, %2, %3, %4};" ::"r"(shared_address(row)),
		     "r"(a), "r"(b), "r"(c), "r"(d)
		     : "memory");
}

/* By all four warps of a warpgroup: from here on each of their threads has REGISTERS, fewer or more than before, a
 * multiple of 8 from 24 to 256. Who takes more waits until others have given enough. */
template <int REGISTERS> static __device__ __forceinline__ void registers_give()
{
	asm volatile("setmaxnreg.dec.sync.aligned.u32 %0;" ::"n"(REGISTERS));
}

template <int REGISTERS> static __device__ __forceinline__ void registers_take()
{
	asm volatile("setmaxnreg.inc.sync.aligned.u32 %0;" ::"n"(REGISTERS));
}

/* Barrier `id` (from 1) of one warpgroup. */
static __device__ __forceinline__ void warpgroup_sync(int id)
{
	asm volatile("bar.sync %0, 128;" ::"r"(id) : "memory");
}

#endif
