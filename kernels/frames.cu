/* frames.cu: a stream of images through a blur and an edge filter: frames a second, and how long each one takes. */
#include "families.h"
#include "frames/state.h"
#include "queue.h"

enum { TILE_X = 32, TILE_Y = 16 }; /* pixels of a block, one for each thread */

/* A launch of which the frames take longer to arrive (s) is not made: a pass needs some twenty of each variant. */
enum { FRAMES_LONGEST_S = 10 };

/* While the host waits for an arrival it looks this often for frames that have ended (ns). */
static const int64_t LOOK_NS = 5000;

// begin one-buffer, one-buffer-ahead, two-buffers, three-buffers
/* The block's tile of the image, with RADIUS pixels around it. Beyond the image its outermost pixels go on. */
template <int RADIUS>
static __device__ __forceinline__ void frame_tile(
	uint8_t (*tile)[TILE_X + 2 * RADIUS], const uint8_t *image, int width, int height)
{
	const int left = blockIdx.x * TILE_X - RADIUS, top = blockIdx.y * TILE_Y - RADIUS;

	for (int y = threadIdx.y; y < TILE_Y + 2 * RADIUS; y += TILE_Y)
		for (int x = threadIdx.x; x < TILE_X + 2 * RADIUS; x += TILE_X)
			tile[y][x] = image[min(max(top + y, 0), height - 1) * width + min(max(left + x, 0), width - 1)];
}

/* (1 4 6 4 1) / 16 along both sides, rounded once. */
__global__ void __launch_bounds__(TILE_X *TILE_Y)
	frame_blur(const uint8_t *image, uint8_t *blurred, int width, int height)
{
	__shared__ uint8_t tile[TILE_Y + 4][TILE_X + 4];
	__shared__ uint16_t across[TILE_Y + 4][TILE_X];
	const int tx = threadIdx.x, ty = threadIdx.y, x = blockIdx.x * TILE_X + tx, y = blockIdx.y * TILE_Y + ty;

	frame_tile<2>(tile, image, width, height);
	__syncthreads();
	for (int row = ty; row < TILE_Y + 4; row += TILE_Y) {
		const uint8_t *t = &tile[row][tx];

		across[row][tx] = (uint16_t)(t[0] + 4 * t[1] + 6 * t[2] + 4 * t[3] + t[4]);
	}
	__syncthreads();
	if (x < width && y < height)
		blurred[y * width + x] = (uint8_t)((across[ty][tx] + 4 * across[ty + 1][tx] + 6 * across[ty + 2][tx] +
							   4 * across[ty + 3][tx] + across[ty + 4][tx] + 128) >>
						   8);
}

/* Sobel's filter: |gx| + |gy|, saturated. */
__global__ void __launch_bounds__(TILE_X *TILE_Y)
	frame_edges(const uint8_t *blurred, uint8_t *edges, int width, int height)
{
	__shared__ uint8_t tile[TILE_Y + 2][TILE_X + 2];
	const int tx = threadIdx.x, ty = threadIdx.y, x = blockIdx.x * TILE_X + tx, y = blockIdx.y * TILE_Y + ty;
	const uint8_t *a = &tile[ty][tx], *b = &tile[ty + 1][tx], *c = &tile[ty + 2][tx];

	frame_tile<1>(tile, blurred, width, height);
	__syncthreads();
	if (x < width && y < height) {
		const int gx = a[2] + 2 * b[2] + c[2] - a[0] - 2 * b[0] - c[0];
		const int gy = c[0] + 2 * c[1] + c[2] - a[0] - 2 * a[1] - a[2];

		edges[y * width + x] = (uint8_t)min(abs(gx) + abs(gy), (int)FRAMES_EDGE_MAX);
	}
}
// end one-buffer, one-buffer-ahead, two-buffers, three-buffers

/* ---- on the host ---- */

static struct kernel_config frames_config(const void *function, const struct frames_state *s)
{
	const struct kernel_config config = {
		.function = function,
		.grid = {(unsigned)(s->width + TILE_X - 1) / TILE_X, (unsigned)(s->height + TILE_Y - 1) / TILE_Y, 1},
		.block = {TILE_X, TILE_Y, 1},
		.dynamic_smem = 0,
	};

	return config;
}

static void frames_filter(
	struct queue *q, const struct frames_state *s, const struct frame_buffer *buffer, cudaStream_t stream)
{
	const struct kernel_config blur = frames_config((const void *)frame_blur, s);
	const struct kernel_config edges = frames_config((const void *)frame_edges, s);
	struct frame_buffer b = *buffer;
	int width = s->width, height = s->height;
	void *for_blur[] = {&b.image, &b.blurred, &width, &height};
	void *for_edges[] = {&b.blurred, &b.edges, &width, &height};

	queue_kernel(q, &blur, for_blur, stream);
	queue_kernel(q, &edges, for_edges, stream);
}

/* A launch while it runs. Frame k has buffer k % buffers; of all frames `taken` were enqueued, and `done` of them were
 * seen to have ended. */
struct frames_line {
	struct frames_state *s;
	struct queue q;
	int buffers, most; /* device buffers, each with a stream; frames that may be under way */
	int taken, done;
	int64_t start, looked; /* ns, the host's clock */
};

static struct frame_marks *frames_marks_of(struct frames_line *line, int frame)
{
	return &line->s->marks[frame % FRAMES_MARKS];
}

/* The host has seen that the oldest frame under way has ended. */
static void frames_seen(struct frames_line *line)
{
	line->s->item[line->done++].done = frames_now() - line->start;
}

/* Waits until the oldest frame under way has ended. */
static void frames_wait(struct frames_line *line)
{
	queue_note(&line->q, cudaEventSynchronize(frames_marks_of(line, line->done)->end));
	frames_seen(line);
}

/* Sees which frames have ended, without waiting. */
static void frames_look(struct frames_line *line)
{
	cudaError_t code = cudaSuccess;

	while (line->done < line->taken && code == cudaSuccess) {
		code = cudaEventQuery(frames_marks_of(line, line->done)->end);
		if (code == cudaSuccess)
			frames_seen(line);
	}
	if (code == cudaErrorNotReady)
		(void)cudaGetLastError(); /* no failure, so that nobody must find it later */
	else
		queue_note(&line->q, code);
	line->looked = frames_now();
}

/* Lets time pass until the next frame arrives; sees meanwhile which ones have ended. */
static void frames_await(struct frames_line *line, int64_t due)
{
	int64_t now;

	while ((now = frames_now()) < due && line->q.error == cudaSuccess)
		if (line->done < line->taken && now - line->looked >= LOOK_NS)
			frames_look(line);
}

/* Notes how long a frame that has ended took on the GPU. */
static void frames_read_work(struct frames_line *line, int frame)
{
	const struct frame_marks *marks;
	float ms = 0;

	if (frame < 0 || line->q.error != cudaSuccess)
		return;
	marks = frames_marks_of(line, frame);
	queue_note(&line->q, cudaEventElapsedTime(&ms, marks->begin, marks->end));
	line->s->item[frame].work = (double)ms * 1e6;
}

// begin one-buffer, one-buffer-ahead, two-buffers, three-buffers
/* A frame through its buffer: copied in, blurred, its edges found, copied out. */
static void frames_enqueue(struct frames_line *line, int frame)
{
	struct frames_state *s = line->s;
	const struct frame_buffer *buffer = &s->buffer[frame % line->buffers];
	const cudaStream_t stream = s->stream[frame % line->buffers];
	const size_t at = s->pixels * (size_t)frame;

	queue_record(&line->q, frames_marks_of(line, frame)->begin, stream);
	queue_copy(&line->q, buffer->image, s->image + at, s->pixels, cudaMemcpyHostToDevice, stream);
	frames_filter(&line->q, s, buffer, stream);
	queue_copy(&line->q, s->edges + at, buffer->edges, s->pixels, cudaMemcpyDeviceToHost, stream);
	queue_record(&line->q, frames_marks_of(line, frame)->end, stream);
}

/* Takes the next frame when it has arrived and no more than `most` are under way with it. The source drops nothing: a
 * frame waits until there is a buffer, and what has arrived behind it waits too. */
static void frames_take(struct frames_line *line)
{
	struct frames_state *s = line->s;
	const int frame = line->taken;
	struct item *item = &s->item[frame];

	item->arrived = s->period > 0 ? frame * s->period : frame > 0 ? s->item[frame - 1].taken : 0;
	frames_await(line, line->start + item->arrived);
	frames_look(line);
	item->held_back = line->taken - line->done == line->most;
	if (item->held_back)
		frames_wait(line);
	item->taken = frames_now() - line->start;
	frames_enqueue(line, frame);
	line->taken++;
	frames_read_work(line, frame - line->most); /* it has ended: there was a buffer */
}

/* All frames, one behind the other. The host sees each one end, so there is nothing to be joined. */
static cudaError_t frames_carry(
	struct frames_state *s, int buffers, int most, cudaStream_t stream, struct enqueued *done)
{
	struct frames_line line = {s, {done, cudaSuccess}, buffers, most, 0, 0, 0, 0};

	queue_record(&line.q, s->fork, stream);
	queue_note(&line.q, cudaEventSynchronize(s->fork)); // what is in `stream` comes first
	line.start = frames_now();
	while (line.taken < s->frames && line.q.error == cudaSuccess)
		frames_take(&line);
	while (line.done < line.taken && line.q.error == cudaSuccess)
		frames_wait(&line);
	for (int frame = line.taken - most; frame < line.taken; frame++)
		frames_read_work(&line, frame);
	s->items = line.q.error == cudaSuccess ? s->frames : 0;
	return line.q.error;
}
// end one-buffer, one-buffer-ahead, two-buffers, three-buffers

// begin one-buffer
static cudaError_t launch_frames_one_buffer(void *state, cudaStream_t stream, struct enqueued *done)
{
	return frames_carry((struct frames_state *)state, 1, 1, stream, done);
}
// end one-buffer

/* The same buffer and the same stream, so no copy runs beside a kernel. But the host need not wait to enqueue. */
// begin one-buffer-ahead
static cudaError_t launch_frames_one_buffer_ahead(void *state, cudaStream_t stream, struct enqueued *done)
{
	return frames_carry((struct frames_state *)state, 1, 2, stream, done);
}
// end one-buffer-ahead

// begin two-buffers
static cudaError_t launch_frames_two_buffers(void *state, cudaStream_t stream, struct enqueued *done)
{
	return frames_carry((struct frames_state *)state, 2, 2, stream, done);
}
// end two-buffers

// begin three-buffers
static cudaError_t launch_frames_three_buffers(void *state, cudaStream_t stream, struct enqueued *done)
{
	return frames_carry((struct frames_state *)state, 3, 3, stream, done);
}
// end three-buffers

/* ---- parts of the work: no frame waits for another, and none for a filter ---- */

/* Lets `count` streams start after what is in `from`. */
static void frames_fork(struct queue *q, struct frames_state *s, cudaStream_t from, int count)
{
	queue_record(q, s->fork, from);
	for (int i = 0; i < count; i++)
		queue_wait(q, s->stream[i], s->fork);
}

/* Lets later work in `to` wait for them. */
static void frames_join(struct queue *q, struct frames_state *s, cudaStream_t to, int count)
{
	for (int i = 0; i < count; i++) {
		queue_record(q, s->join[i], s->stream[i]);
		queue_wait(q, to, s->join[i]);
	}
}

static int frames_least(int x, int y)
{
	return x < y ? x : y;
}

/* Copies all frames in and as much out, `batch` frames at a time, in `each` streams for each direction in turn. */
// begin floor-frames, floor-batches, floor-two-streams-each
static cudaError_t frames_both_ways(
	struct frames_state *s, int batch, int each, cudaStream_t stream, struct enqueued *done)
{
	struct queue q = {done, cudaSuccess};

	frames_fork(&q, s, stream, 2 * each);
	for (int frame = 0, turn = 0; frame < s->frames; frame += batch, turn = (turn + 1) % each) {
		const size_t at = s->pixels * (size_t)frame;
		const size_t bytes = s->pixels * (size_t)frames_least(batch, s->frames - frame);
		const size_t place = s->pixels * (size_t)(frame % FRAMES_BATCH);

		queue_copy(&q, s->batch_in + place, s->image + at, bytes, cudaMemcpyHostToDevice, s->stream[turn]);
		queue_copy(
			&q, s->edges + at, s->batch_out + place, bytes, cudaMemcpyDeviceToHost, s->stream[each + turn]);
	}
	frames_join(&q, s, stream, 2 * each);
	return q.error;
}
// end floor-frames, floor-batches, floor-two-streams-each

// begin floor-frames
static cudaError_t launch_floor_frames(void *state, cudaStream_t stream, struct enqueued *done)
{
	return frames_both_ways((struct frames_state *)state, 1, 1, stream, done);
}
// end floor-frames

// begin floor-batches
static cudaError_t launch_floor_batches(void *state, cudaStream_t stream, struct enqueued *done)
{
	return frames_both_ways((struct frames_state *)state, FRAMES_BATCH, 1, stream, done);
}
// end floor-batches

// begin floor-two-streams-each
static cudaError_t launch_floor_two_streams_each(void *state, cudaStream_t stream, struct enqueued *done)
{
	return frames_both_ways((struct frames_state *)state, 1, 2, stream, done);
}
// end floor-two-streams-each

// begin copy-in
static cudaError_t launch_frames_copy_in(void *state, cudaStream_t stream, struct enqueued *done)
{
	struct frames_state *s = (struct frames_state *)state;
	struct queue q = {done, cudaSuccess};

	for (int frame = 0; frame < s->frames; frame++)
		queue_copy(&q, s->batch_in + s->pixels * (size_t)(frame % FRAMES_BATCH),
			s->image + s->pixels * (size_t)frame, s->pixels, cudaMemcpyHostToDevice, stream);
	return q.error;
}
// end copy-in

// begin copy-out
static cudaError_t launch_frames_copy_out(void *state, cudaStream_t stream, struct enqueued *done)
{
	struct frames_state *s = (struct frames_state *)state;
	struct queue q = {done, cudaSuccess};

	for (int frame = 0; frame < s->frames; frame++)
		queue_copy(&q, s->edges + s->pixels * (size_t)frame,
			s->batch_out + s->pixels * (size_t)(frame % FRAMES_BATCH), s->pixels, cudaMemcpyDeviceToHost,
			stream);
	return q.error;
}
// end copy-out

// begin kernels-only
static cudaError_t launch_frames_kernels_only(void *state, cudaStream_t stream, struct enqueued *done)
{
	struct frames_state *s = (struct frames_state *)state;
	struct queue q = {done, cudaSuccess};

	for (int frame = 0; frame < s->frames; frame++)
		frames_filter(&q, s, &s->buffer[frame % FRAMES_BUFFERS_MAX], stream);
	return q.error;
}
// end kernels-only

static cudaError_t config_frames(void *state, struct kernel_config *out)
{
	*out = frames_config((const void *)frame_blur, (const struct frames_state *)state);
	return cudaSuccess;
}

/* What has no frames to wait for takes no time beside them. */
static const char *frames_rate_unsupported(const struct cudaDeviceProp *, const struct size_case *size)
{
	return size->value[FRAMES_PARAM_RATE] > 0 ? "parts of the work keep no rate: they are timed at rate 0" : NULL;
}

static_assert(FRAMES_LONGEST_S == 10, "frames_refused() says so in words");

/* The source of the camera sets how long a launch lasts. */
static const char *frames_refused(const struct size_case *size)
{
	return size->value[FRAMES_PARAM_FRAMES] - 1 > FRAMES_LONGEST_S * size->value[FRAMES_PARAM_RATE] &&
			       size->value[FRAMES_PARAM_RATE] > 0
		       ? "so many frames take more than 10 s to arrive at that rate: set fewer frames, or a higher rate"
		       : NULL;
}

static const struct param params[] = {
	{"width", "pixels", "of a frame, 8 bits of grey each", 1, FRAMES_SIDE_MAX},
	{"height", "pixels", "of a frame", 1, FRAMES_SIDE_MAX},
	{"frames", "frames", "that a launch carries", 1, FRAMES_MAX},
	{"rate", "frames/s", "at which frames arrive; 0: as fast as they are taken", 0, 1000000},
};

static const struct size_case cases[] = {
	{"1080p", {1920, 1080, 48, 0}, false},
	{"4k", {3840, 2160, 24, 0}, false},
	{"paced", {1920, 1080, 48, 4000}, false},
	{"ragged", {1021, 763, 7, 0}, true},
	{"pixel", {1, 1, 5, 0}, true},
	{"column", {1, 77, 4, 0}, true},
	{"row", {131, 1, 4, 0}, true},
	{"narrower-than-the-filter", {3, 2, 9, 0}, true},
	{"two-frames", {640, 480, 2, 0}, true},
	{"paced-ragged", {333, 221, 13, 20000}, true},
};

/* Frames as cameras have them; other shapes tell nothing new. */
static bool frames_size_wanted(const struct size_case *size)
{
	static const int64_t sides[][2] = {{320, 240}, {640, 480}, {1280, 720}, {1920, 1080}, {3840, 2160}};

	for (size_t i = 0; i < sizeof(sides) / sizeof(sides[0]); i++)
		if (size->value[FRAMES_PARAM_WIDTH] == sides[i][0] && size->value[FRAMES_PARAM_HEIGHT] == sides[i][1])
			return true;
	return false;
}

static const struct sweep sweeps[] = {
	{
		.name = "rate",
		.title = "Rate of arrival",
		.question = "Up to which rate do frames go through without waiting for a buffer?",
		.base = 0,
		.naxes = 1,
		.axis = {{FRAMES_PARAM_RATE, 9, {2000, 4000, 6000, 8000, 10000, 12000, 16000, 20000, 24000}}},
	},
	{
		.name = "size",
		.title = "Size of a frame",
		.question = "From which size of a frame on does a second buffer pay?",
		.base = 0,
		.naxes = 2,
		.axis =
			{
				{FRAMES_PARAM_WIDTH, 5, {320, 640, 1280, 1920, 3840}},
				{FRAMES_PARAM_HEIGHT, 5, {240, 480, 720, 1080, 2160}},
			},
		.wanted = frames_size_wanted,
	},
};

/* The host waits for a buffer and for the next arrival: no variant can be held back, and none has a shape, since the
 * prediction knows no host that waits. */
#define CARRIED(name_, summary_, kind_, buffers_, launch_)                                                             \
	{                                                                                                              \
		.name = name_, .summary = summary_, .kind = kind_, .buffers = buffers_, .blocks_host = true,           \
		.launch = launch_, .config = config_frames, .items = frames_items,                                     \
	}
#define PART_OF_WORK(name_, summary_, kind_, launch_)                                                                  \
	{                                                                                                              \
		.name = name_, .summary = summary_, .kind = kind_, .launch = launch_,                                  \
		.unsupported = frames_rate_unsupported,                                                                \
	}

static const struct variant variants[] = {
	CARRIED("one-buffer", "one device buffer: a frame is taken when the one before it is back on the host",
		VARIANT_CANDIDATE, 1, launch_frames_one_buffer),
	CARRIED("one-buffer-ahead",
		"one device buffer and stream, but the next frame is enqueued while one is under way", VARIANT_CONTROL,
		1, launch_frames_one_buffer_ahead),
	CARRIED("two-buffers", "two device buffers in turn, each with a stream: two frames under way",
		VARIANT_CANDIDATE, 2, launch_frames_two_buffers),
	CARRIED("three-buffers", "three device buffers in turn, each with a stream: three frames under way",
		VARIANT_CANDIDATE, 3, launch_frames_three_buffers),
	PART_OF_WORK("floor-frames", "only copies: frames in in one stream, as much out in another, frame by frame",
		VARIANT_FLOOR, launch_floor_frames),
	PART_OF_WORK(
		"floor-batches", "only copies: the same, eight frames at a time", VARIANT_FLOOR, launch_floor_batches),
	PART_OF_WORK("floor-two-streams-each", "only copies: frame by frame, in two streams for each direction",
		VARIANT_FLOOR, launch_floor_two_streams_each),
	PART_OF_WORK("copy-in", "only the copies to the device, frame by frame", VARIANT_LOADS, launch_frames_copy_in),
	PART_OF_WORK(
		"copy-out", "only the copies from the device, frame by frame", VARIANT_STORES, launch_frames_copy_out),
	PART_OF_WORK("kernels-only", "only the filters, frame by frame", VARIANT_COMPUTE, launch_frames_kernels_only),
};

extern "C" const struct family family_frames = {
	.name = "frames",
	.title = "Frames through blur and edge filter",
	.question = "Frames come in, are filtered and go back, while the next ones wait for a buffer. How many more a "
		    "second do two or three buffers carry, and what becomes of a frame's latency?",
	.teaches =
		"With one buffer a frame may be taken when the one before it is back on the host. Copies, filters and "
		"the host take turns. With two buffers one frame comes in while the other goes out. The frames under "
		"way are bounded by the buffers, and a frame that finds none waits: that is back pressure. Below the "
		"rate that a pipeline can carry, nothing waits, and more buffers change no latency. Above it every "
		"frame waits longer than the one before. Where frames come as fast as they are taken, a third buffer "
		"lets one more wait inside the pipeline. If the copies are the limit already, that adds latency and "
		"no throughput. The control one-buffer-ahead has one buffer, too, but the host need not wait to "
		"enqueue. What it gains is the host's share, and the rest of the gain is overlap.",
	.source = "\"How to Overlap Data Transfers in CUDA C/C++\", Mark Harris, NVIDIA's technical blog",
	.file = "frames.cu",
	.throughput = "frames/s",
	.bound_by = "PCIe",
	.params = params,
	.nparams = sizeof(params) / sizeof(params[0]),
	.cases = cases,
	.ncases = sizeof(cases) / sizeof(cases[0]),
	.variants = variants,
	.nvariants = sizeof(variants) / sizeof(variants[0]),
	.single = "one-buffer",
	.double_ = "two-buffers",
	.sweeps = sweeps,
	.nsweeps = sizeof(sweeps) / sizeof(sweeps[0]),
	.on_demand = true,
	.refused = frames_refused,
	.device_bytes = frames_device_bytes,
	.host_bytes = frames_host_bytes,
	.work = frames_work,
	.set_up = frames_set_up,
	.tear_down = state_free,
	.poison = frames_poison,
	.check = frames_check,
};
