/* pack.c: compresses a recording. */
#include "store/packed/packed.h"

#include <stdlib.h>
#include <zstd.h>
#include <zstd_errors.h>

#include "util/alloc.h"

struct packing {
	ZSTD_CCtx *context;
	char *out;
	int64_t wrote;
};

struct packing *packing_start(int64_t size)
{
	/* A gigabyte would take a quarter of an hour at the better level. */
	enum { BEST = 19, QUICK = 9, BEST_BYTES = 64 << 20 };
	struct packing *packing = xcalloc(1, sizeof(*packing));

	packing->context = ZSTD_createCCtx();
	if (!packing->context)
		out_of_memory();
	(void)ZSTD_CCtx_setParameter(packing->context, ZSTD_c_compressionLevel, size <= BEST_BYTES ? BEST : QUICK);
	(void)ZSTD_CCtx_setParameter(packing->context, ZSTD_c_checksumFlag, 1);
	(void)ZSTD_CCtx_setPledgedSrcSize(packing->context, (unsigned long long)size);
	packing->out = xmalloc(ZSTD_CStreamOutSize());
	return packing;
}

int packing_add(struct packing *packing, const void *data, size_t size, bool last, store_put *put, void *user,
	struct error *err)
{
	ZSTD_inBuffer in = {data, size, 0};
	size_t left = 1;

	while (last ? left != 0 : in.pos < in.size) {
		ZSTD_outBuffer out = {packing->out, ZSTD_CStreamOutSize(), 0};

		left = ZSTD_compressStream2(packing->context, &out, &in, last ? ZSTD_e_end : ZSTD_e_continue);
		if (ZSTD_getErrorCode(left) == ZSTD_error_memory_allocation)
			out_of_memory();
		if (ZSTD_isError(left) != 0)
			return error_system(err, "cannot compress: %s", ZSTD_getErrorName(left));
		packing->wrote += (int64_t)out.pos;
		if (out.pos > 0 && put(user, out.dst, out.pos, err) != 0)
			return -1;
	}
	return 0;
}

int64_t packing_size(const struct packing *packing)
{
	return packing->wrote;
}

void packing_free(struct packing *packing)
{
	if (!packing)
		return;
	ZSTD_freeCCtx(packing->context);
	free(packing->out);
	free(packing);
}
