/* scan-device.cuh: what the kernels of the family scan-device share: arguments, sums of a tile, the look-back. */
#ifndef DBPROF_KERNELS_SCAN_DEVICE_CUH
#define DBPROF_KERNELS_SCAN_DEVICE_CUH

#include "scan-device/state.h"

/* Of every kernel of the family, in one struct. */
struct scan_arguments {
	const void *in;
	void *out;
	void *status; /* one of each tile, see struct scan_status */
	void *sums;   /* of tiles, for three kernels */
	struct scan_control *control;
	int vectors; /* whole ones of the input; behind them are `rest` elements */
	int rest, tiles, stages;
	int warps; /* of a block that scan, where others reduce */
};

static const unsigned ALL_LANES = 0xffffffffu;

/* ---- a vector: 16 bytes of elements T, which are summed as `sum` ---- */

template <class T> struct scan_of {
	typedef T sum;
	static constexpr int LENGTH = VECTOR_BYTES / sizeof(T);

	static __device__ __forceinline__ void unpack(const uint4 &vector, sum (&value)[LENGTH])
	{
		memcpy(value, &vector, sizeof(vector));
	}
	static __device__ __forceinline__ uint4 pack(const sum (&value)[LENGTH])
	{
		uint4 vector;

		memcpy(&vector, value, sizeof(vector));
		return vector;
	}
};

/* Rounded once, when a sum is stored. */
template <> struct scan_of<__half> {
	typedef float sum;
	static constexpr int LENGTH = 8;

	static __device__ __forceinline__ void unpack(const uint4 &vector, sum (&value)[LENGTH])
	{
		__half2 pair[LENGTH / 2];

		memcpy(pair, &vector, sizeof(vector));
#pragma unroll
		for (int i = 0; i < LENGTH / 2; i++) {
			const float2 two = __half22float2(pair[i]);

			value[2 * i] = two.x;
			value[2 * i + 1] = two.y;
		}
	}
	static __device__ __forceinline__ uint4 pack(const sum (&value)[LENGTH])
	{
		__half2 pair[LENGTH / 2];
		uint4 vector;

#pragma unroll
		for (int i = 0; i < LENGTH / 2; i++)
			pair[i] = __floats2half2_rn(value[2 * i], value[2 * i + 1]);
		memcpy(&vector, pair, sizeof(vector));
		return vector;
	}
};

template <class S> static __device__ __forceinline__ S warp_sum(S value)
{
#pragma unroll
	for (int offset = SCAN_LANES / 2; offset > 0; offset /= 2)
		value += __shfl_xor_sync(ALL_LANES, value, offset);
	return value;
}

/* The sum of this lane and those before it. */
template <class S> static __device__ __forceinline__ S warp_scan(S value, int lane)
{
#pragma unroll
	for (int offset = 1; offset < SCAN_LANES; offset *= 2) {
		const S before = __shfl_up_sync(ALL_LANES, value, offset);

		if (lane >= offset)
			value += before;
	}
	return value;
}

/* The sum of the lanes before this one, from what warp_scan() returned. */
template <class S> static __device__ __forceinline__ S warp_before(S upto, int lane)
{
	const S before = __shfl_up_sync(ALL_LANES, upto, 1);

	return lane == 0 ? S(0) : before;
}

/* ---- a thread's part of a tile ---- */

/* A warp has VECTORS rows of 32 vectors, one after another in memory: whatever moves them moves 512 bytes in a row. */
template <class T, int VECTORS> struct scan_part {
	typedef typename scan_of<T>::sum sum;
	static constexpr int LENGTH = scan_of<T>::LENGTH;

	uint4 vector[VECTORS];
	sum before[VECTORS]; /* the sum of all that is before the vector in the warp's part of the tile */
	int first;           /* number of the thread's first vector in the array; the others follow in steps of 32 */

	__device__ __forceinline__ scan_part(int tile, int warps, int warp = (int)threadIdx.x / SCAN_LANES)
	    : first((tile * warps + warp) * VECTORS * SCAN_LANES + (int)threadIdx.x % SCAN_LANES)
	{
	}
	__device__ __forceinline__ int number(int row) const
	{
		return first + row * SCAN_LANES;
	}
	/* Takes the vectors from where `at(row)` points. The array's last elements may be less than a vector. */
	template <class At> __device__ __forceinline__ void load(const struct scan_arguments &scan, At at)
	{
		const uint4 zeros = {0, 0, 0, 0};

#pragma unroll
		for (int row = 0; row < VECTORS; row++)
			vector[row] = number(row) < scan.vectors ? *at(row) : zeros;
		if (scan.rest > 0)
			load_rest(scan);
	}
	__device__ __forceinline__ void load_global(const struct scan_arguments &scan)
	{
		load(scan, [&](int row) { return (const uint4 *)scan.in + number(row); });
	}
	/* Sums within the warp; returns that of all its vectors. */
	__device__ __forceinline__ sum add_up()
	{
		const int lane = threadIdx.x % SCAN_LANES;
		sum all = 0;

#pragma unroll
		for (int row = 0; row < VECTORS; row++) {
			const sum upto = warp_scan(row_sum(row), lane);

			before[row] = all + warp_before(upto, lane);
			all += __shfl_sync(ALL_LANES, upto, SCAN_LANES - 1);
		}
		return all;
	}
	/* The sum of a warp's vectors, for who does not need `before`. */
	__device__ __forceinline__ sum total() const
	{
		sum all = 0;

#pragma unroll
		for (int row = 0; row < VECTORS; row++)
			all += row_sum(row);
		return warp_sum(all);
	}
	/* Stores the result: `base` is the sum of all before the warp's part. */
	__device__ __forceinline__ void store(const struct scan_arguments &scan, sum base)
	{
		uint4 *const out = (uint4 *)scan.out;

#pragma unroll
		for (int row = 0; row < VECTORS; row++) {
			sum value[LENGTH], upto = base + before[row];

			scan_of<T>::unpack(vector[row], value);
#pragma unroll
			for (int i = 0; i < LENGTH; i++)
				value[i] = upto += value[i];
			vector[row] = scan_of<T>::pack(value);
			if (number(row) < scan.vectors)
				out[number(row)] = vector[row];
		}
		if (scan.rest > 0)
			store_rest(scan);
	}

      private:
	__device__ __forceinline__ sum row_sum(int row) const
	{
		sum value[LENGTH], all;

		scan_of<T>::unpack(vector[row], value);
		all = value[0];
#pragma unroll
		for (int i = 1; i < LENGTH; i++)
			all += value[i];
		return all;
	}
	/* The row of this thread that has the array's last elements, or VECTORS and more. */
	__device__ __forceinline__ int rest_row(const struct scan_arguments &scan) const
	{
		const int behind = scan.vectors - first;

		return behind >= 0 && behind % SCAN_LANES == 0 ? behind / SCAN_LANES : VECTORS;
	}
	__device__ __forceinline__ void load_rest(const struct scan_arguments &scan)
	{
		const int rest = rest_row(scan);
		const T *const in = (const T *)scan.in + (size_t)scan.vectors * LENGTH;
		T value[LENGTH] = {};
		uint4 last;

		if (rest >= VECTORS)
			return;
#pragma unroll
		for (int i = 0; i < LENGTH; i++)
			if (i < scan.rest)
				value[i] = in[i];
		memcpy(&last, value, sizeof(last));
#pragma unroll
		for (int row = 0; row < VECTORS; row++)
			if (row == rest)
				vector[row] = last;
	}
	__device__ __forceinline__ void store_rest(const struct scan_arguments &scan) const
	{
		const int rest = rest_row(scan);
		T *const out = (T *)scan.out + (size_t)scan.vectors * LENGTH;
		T value[LENGTH];
		uint4 last = {0, 0, 0, 0};

		if (rest >= VECTORS)
			return;
#pragma unroll
		for (int row = 0; row < VECTORS; row++)
			if (row == rest)
				last = vector[row];
		memcpy(value, &last, sizeof(last));
#pragma unroll
		for (int i = 0; i < LENGTH; i++)
			if (i < scan.rest)
				out[i] = value[i];
	}
};

/* What the warps of a block tell one another. */
template <class S> struct scan_shared {
	S total[SCAN_WARPS_MAX];
	S before_tile;
	int tile[SCAN_STAGES_MAX]; /* in each stage, or the next one in the first */
	unsigned tag;              /* of this launch's sums */
};

/* Of `warps` warps of the block: those that add up. */
static __device__ __forceinline__ void warps_barrier(int warps)
{
	asm volatile("bar.sync 1, %0;" ::"r"(warps * SCAN_LANES) : "memory");
}

/* The sum of the warps before this one; *all is that of the block. For a whole warp, once all have left their totals.
 */
template <class S>
static __device__ __forceinline__ S warps_before(const struct scan_shared<S> &shared, int warps, S *all)
{
	const int lane = threadIdx.x % SCAN_LANES;
	const S upto = warp_scan(lane < warps ? shared.total[lane] : S(0), lane);

	*all = __shfl_sync(ALL_LANES, upto, SCAN_LANES - 1);
	return __shfl_sync(ALL_LANES, warp_before(upto, lane), threadIdx.x / SCAN_LANES);
}

/* ---- look-back ---- */

/*
 * What a tile says of itself: its sum, or the sum of all up to its end. It is one word of 64 bits, so whoever reads it
 * has a sum with the tag that was stored with it, and no fence is needed. A sum of 64 bits is two such words, one for
 * each half: it counts once both tags are the same. A tag has the launch's number, so what earlier launches left is no
 * sum of this one, and nothing has to be cleared. Numbers begin again after 2^31 launches. A status that old would have
 * to be untouched by all launches between.
 */
enum { TAG_ALL = 1 }; /* the tag's lowest bit: all up to the tile's end */

/* Tag 0 and 1 are of no launch: memory that was cleared has them. */
static const unsigned EPOCH_LAST = 0x7ffffffeu;

template <class S, size_t SIZE = sizeof(S)> struct scan_status;

template <class S> struct scan_status<S, 4> {
	unsigned tag;
	S sum;

	static __device__ __forceinline__ void store(void *status, int tile, unsigned tag, S sum)
	{
		unsigned bits;

		memcpy(&bits, &sum, sizeof(bits));
		asm volatile("st.relaxed.gpu.global.u64 [%0], %1;" ::"l"((uint64_t *)status + tile),
			     "l"((uint64_t)tag << 32 | bits)
			     : "memory");
	}
	/* With a tag of no launch if it is not there yet. */
	__device__ __forceinline__ void load(const void *status, int tile)
	{
		uint64_t word;
		unsigned bits;

		asm volatile("ld.relaxed.gpu.global.u64 %0, [%1];"
			     : "=l"(word)
			     : "l"((const uint64_t *)status + tile)
			     : "memory");
		bits = (unsigned)word;
		tag = (unsigned)(word >> 32);
		memcpy(&sum, &bits, sizeof(sum));
	}
};

template <class S> struct scan_status<S, 8> {
	unsigned tag;
	S sum;

	static __device__ __forceinline__ void store(void *status, int tile, unsigned tag, S sum)
	{
		const uint64_t bits = (uint64_t)sum, high = (uint64_t)tag << 32;

		asm volatile("st.relaxed.gpu.global.v2.u64 [%0], {%1, %2};" ::"l"((uint64_t *)status + 2 * tile),
			     "l"(high | (bits & 0xffffffffu)), "l"(high | bits >> 32)
			     : "memory");
	}
	__device__ __forceinline__ void load(const void *status, int tile)
	{
		uint64_t low, high;

		asm volatile("ld.relaxed.gpu.global.v2.u64 {%0, %1}, [%2];"
			     : "=l"(low), "=l"(high)
			     : "l"((const uint64_t *)status + 2 * tile)
			     : "memory");
		tag = low >> 32 == high >> 32 ? (unsigned)(low >> 32) : 0;
		sum = (S)(high << 32 | (low & 0xffffffffu));
	}
};

/* Status words that a lane reads in one turn: a warp sees that of 128 tiles. On a large GPU so many are under
 * way, and one turn takes as long as several tiles. */
enum { LOOK_BACK_WINDOWS = 4 };

/* Turns after which a wait ends with an error: seconds, where microseconds are usual. A wrong kernel must not hang. */
static const unsigned TURNS_MAX = 1u << 24;

/* Whose bits a lane's own status decides about: those up to the nearest tile with the sum of all, or all lanes. */
static __device__ __forceinline__ unsigned lanes_up_to_first(unsigned all)
{
	return all == 0 ? ALL_LANES : all ^ (all - 1);
}

template <class S> struct scan_look_back {
	struct scan_status<S> seen[LOOK_BACK_WINDOWS];
	S sum; /* of what this lane has seen */

	/* Asks for what is missing of the windows of 32 tiles from `last` down. */
	__device__ __forceinline__ void look(const struct scan_arguments &scan, int last, unsigned tag)
	{
#pragma unroll
		for (int w = 0; w < LOOK_BACK_WINDOWS; w++) {
			const int tile = last - w * SCAN_LANES - (int)(threadIdx.x % SCAN_LANES);

			if (tile >= 0 && (seen[w].tag | TAG_ALL) != (tag | TAG_ALL))
				seen[w].load(scan.status, tile);
		}
	}
	/* Begins with new windows, of which nothing was seen yet. Before the first tile the sum of all is 0. */
	__device__ __forceinline__ void forget(int last, unsigned tag)
	{
#pragma unroll
		for (int w = 0; w < LOOK_BACK_WINDOWS; w++) {
			seen[w].tag = last - w * SCAN_LANES - (int)(threadIdx.x % SCAN_LANES) < 0 ? tag | TAG_ALL : 0;
			seen[w].sum = 0;
		}
	}
	/* Whether nothing is missing up to the nearest tile with the sum of all, or in all windows. Adds up then;
	 * *found: it came to such a tile. */
	__device__ __forceinline__ bool add_up(unsigned tag, bool *found)
	{
		bool whole = true;
		S more = 0;

		*found = false;
#pragma unroll
		for (int w = 0; w < LOOK_BACK_WINDOWS; w++) {
			const bool all = seen[w].tag == (tag | TAG_ALL), there = all || seen[w].tag == tag;
			const unsigned lanes = lanes_up_to_first(__ballot_sync(ALL_LANES, all));
			const unsigned missing = lanes & ~__ballot_sync(ALL_LANES, there);

			if (!*found && whole && missing == 0 && lanes >> threadIdx.x % SCAN_LANES & 1)
				more += seen[w].sum;
			whole = whole && (*found || missing == 0);
			*found = *found || (whole && __any_sync(ALL_LANES, all));
		}
		if (whole)
			sum += more;
		return whole;
	}
};

/* The sum of all before the tile. For a whole warp; `tag` is that of sums of this launch. */
template <class S>
static __device__ __forceinline__ S look_back(const struct scan_arguments &scan, int tile, unsigned tag)
{
	struct scan_look_back<S> back;
	unsigned turns = 0;
	bool found = false;

	back.sum = 0;
	for (int last = tile - 1; !found; last -= LOOK_BACK_WINDOWS * SCAN_LANES) {
		back.forget(last, tag);
		do {
			if (turns++ == TURNS_MAX)
				__trap();
			back.look(scan, last, tag);
		} while (!back.add_up(tag, &found));
	}
	return warp_sum(back.sum);
}

/* The tag of this launch's sums. */
static __device__ __forceinline__ unsigned scan_tag(const struct scan_control *control)
{
	return *(const volatile unsigned *)&control->epoch * 2 + 2;
}

static __device__ __forceinline__ int take_ticket(struct scan_control *control)
{
	return (int)atomicAdd(&control->ticket, 1);
}

/* By one thread of each block, once it will take no more tickets and knows the launch's number. */
static __device__ __forceinline__ void take_no_more_tickets(struct scan_control *control)
{
	__threadfence();
	if (atomicAdd(&control->left, 1) != gridDim.x - 1)
		return;
	__threadfence();
	control->ticket = control->left = 0;
	control->epoch = control->epoch == EPOCH_LAST ? 0 : control->epoch + 1;
}

/* ---- a block's tile ---- */

/* From the threads' parts, which are loaded, to the result. `meanwhile` is called once the whole block has its parts in
 * registers and the tile's sum is out, before the look-back. */
template <class T, int VECTORS, class Meanwhile>
static __device__ __forceinline__ void scan_tile(const struct scan_arguments &scan,
	struct scan_shared<typename scan_of<T>::sum> &shared, struct scan_part<T, VECTORS> &part, int tile, int warps,
	Meanwhile meanwhile)
{
	typedef typename scan_of<T>::sum sum;
	const int warp = threadIdx.x / SCAN_LANES, lane = threadIdx.x % SCAN_LANES;
	const unsigned tag = shared.tag;
	const sum own = part.add_up();
	sum all, before;

	if (lane == 0)
		shared.total[warp] = own;
	warps_barrier(warps);
	before = warps_before(shared, warps, &all);
	if (threadIdx.x == 0)
		scan_status<sum>::store(scan.status, tile, tile == 0 ? tag | TAG_ALL : tag, all);
	meanwhile();
	if (warp == 0) {
		const sum base = look_back<sum>(scan, tile, tag);

		if (lane == 0) {
			shared.before_tile = base;
			if (tile > 0)
				scan_status<sum>::store(scan.status, tile, tag | TAG_ALL, base + all);
		}
	}
	warps_barrier(warps);
	part.store(scan, shared.before_tile + before);
}

#endif
