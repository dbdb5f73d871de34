// arch: 90a
/* scan-device-cub.cu: the reference of scan-device: CUB's scan, as the toolkit brings it. */
#include <cub/device/device_scan.cuh>

#include "families.h"
#include "queue.h"
#include "scan-device/state.h"

// begin cub
/* `work` NULL: only puts the size of the working memory into *size. */
template <class T>
static cudaError_t cub_sum(const struct scan_device_state *s, void *work, size_t *size, cudaStream_t stream)
{
	return cub::DeviceScan::InclusiveSum(work, *size, (const T *)s->in, (T *)s->out, (int)s->n, stream);
}

static cudaError_t cub_sum_of_type(const struct scan_device_state *s, void *work, size_t *size, cudaStream_t stream)
{
	switch (s->type) {
	case SCAN_F32:
		return cub_sum<float>(s, work, size, stream);
	case SCAN_I32:
		return cub_sum<int>(s, work, size, stream);
	case SCAN_I64:
		return cub_sum<long long>(s, work, size, stream);
	default:
		return cub_sum<__half>(s, work, size, stream);
	}
}
// end cub

cudaError_t scan_device_cub_size(const struct scan_device_state *s, size_t *size)
{
	return cub_sum_of_type(s, NULL, size, NULL);
}

cudaError_t scan_device_launch_cub(void *state, cudaStream_t stream, struct enqueued *done)
{
	struct scan_device_state *s = (struct scan_device_state *)state;
	struct queue q = {done, cudaSuccess};

	scan_device_rotate(s);
	queue_note(&q, cub_sum_of_type(s, s->cub, &s->cub_size, stream));
	if (q.error == cudaSuccess)
		done->kernels += 2; // the one that prepares the look-back, and the scan
	return q.error;
}
