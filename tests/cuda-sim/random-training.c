/* random-training.c: classes of random programs: training. */
#include "random.h"

/* ---- training ---- */

struct training {
	int stream, loop;
	int64_t in, kernel, load; /* load: the host's */
	int kernels;
	double noise;
	int item; /* a value is read back every so many steps; 0: never */
	bool pageable;
};

static void add_step(struct program *p, const struct training *training, int step, bool trains)
{
	static const char *const names[] = {"gemm", "elementwise_kernel", "reduce_kernel", "softmax", "cudnn_conv"};
	int kernels = trains ? training->kernels : training->kernels / 3 + 1;

	if (training->load > 0)
		program_host(p, program_noise(p, training->load, training->noise));
	for (int i = 0; i < 2; i++) {
		/* Images, then labels. */
		struct call *copy = program_copy(
			p, training->stream, WAY_IN, i == 0 ? program_noise(p, training->in, training->noise) : 2 * US);

		copy->pageable = training->pageable;
		copy->bytes = i == 1 ? 512 : training->pageable ? copy->ns * 8 : copy->bytes;
	}
	for (int i = 0; i < kernels; i++)
		program_kernel(p, training->stream, names[i % 5],
			program_noise(p, training->kernel * (1 + i % 3), training->noise));
	if (trains)
		program_memset(p, training->stream, 2 * US);
	if (training->item > 0 && step % training->item == 0) {
		struct call *copy = program_copy(p, training->stream, WAY_OUT, 2 * US);

		copy->pageable = true;
		copy->bytes = 4;
		program_call(p, OP_STREAM_SYNC, training->stream);
	}
}

static struct training any_training(struct program *p)
{
	struct training training = {.kernels = (int)program_between(p, 8, 60), .noise = any_noise(p)};

	training.stream = program_stream(p, STREAM_LEGACY, 0);
	training.kernel = any_time(p, 10 * US, 150 * US);
	training.in = any_time(p, 100 * US, 2 * training.kernel * training.kernels + 200 * US);
	training.load = maybe(p, 0.5) ? any_time(p, 20 * US, 2 * MS) : 0;
	training.pageable = maybe(p, 0.5);
	training.item = maybe(p, 0.3) ? 0 : maybe(p, 0.75) ? 1 : 10;
	return training;
}

static void add_phase(struct program *p, const struct training *training, int steps, bool trains)
{
	int loop = program_loop(p);

	for (int i = 0; i < steps; i++) {
		program_round(p, loop, i);
		program_range(p, trains ? "train" : "evaluate");
		add_step(p, training, i, trains);
		program_end_range(p);
	}
	program_outside(p);
	program_call(p, OP_DEVICE_SYNC, training->stream);
	program_host(p, 3 * MS);
}

static void upload_model(struct program *p, int stream)
{
	int tensors = (int)program_between(p, 20, 160);

	for (int i = 0; i < tensors; i++) {
		struct call *copy = program_copy(p, stream, WAY_IN, program_noise(p, 60 * US, 0.9));

		copy->pageable = true;
		copy->bytes = copy->ns * 8;
	}
	program_call(p, OP_DEVICE_SYNC, stream);
}

struct program *make_training(const struct recipe *recipe, uint64_t seed)
{
	struct program *p = begin(recipe, seed);
	struct training training = any_training(p);

	program_begin(p, training.stream);
	upload_model(p, training.stream);
	add_phase(p, &training, any_rounds(p), true);
	program_end(p, training.stream);
	return p;
}

struct program *make_epochs(const struct recipe *recipe, uint64_t seed)
{
	struct program *p = begin(recipe, seed);
	struct training training = any_training(p);
	int epochs = (int)program_between(p, 2, 4), steps = (int)program_between(p, 20, 50);

	program_begin(p, training.stream);
	upload_model(p, training.stream);
	for (int i = 0; i < epochs; i++) {
		add_phase(p, &training, steps, true);
		add_phase(p, &training, steps / 2, false);
	}
	program_end(p, training.stream);
	return p;
}

/* The backward pass is asked for by a thread of its own. */
struct program *make_autograd(const struct recipe *recipe, uint64_t seed)
{
	struct program *p = begin(recipe, seed);
	struct trainer trainer = {.kernels = (int)program_between(p, 2, 12),
		.noise = any_noise(p),
		.there = any_time(p, 20 * US, 300 * US),
		.back = any_time(p, 20 * US, 500 * US),
		.host = any_time(p, 50 * US, 2 * MS),
		.ahead = maybe(p, 0.4)};

	trainer.kernel = any_time(p, 20 * US, 400 * US);
	trainer.in = any_time(p, 200 * US, 2 * trainer.kernel * trainer.kernels + 300 * US);
	trainer.pageable = !trainer.ahead && maybe(p, 0.7);
	trainer.pinned = trainer.pageable && maybe(p, 0.5) ? trainer.in / 6 : 0;
	trainer.item = maybe(p, trainer.ahead ? 0.7 : 0.3);
	p->machine.early = maybe(p, 0.7) ? any_time(p, 2 * US, 15 * US) : 0;
	program_trainer(p, &trainer, any_rounds(p));
	return p;
}

struct worker {
	int own, comm, grads, summed;
	int64_t in, kernel, reduce;
	int kernels;
	double noise;
};

static void add_worker_step(struct program *p, const struct worker *worker)
{
	program_copy(p, worker->own, WAY_IN, program_noise(p, worker->in, worker->noise));
	for (int i = 0; i < worker->kernels; i++)
		program_kernel(
			p, worker->own, i % 2 ? "gemm" : "relu", program_noise(p, worker->kernel, worker->noise));
	program_on_event(p, OP_RECORD, worker->own, worker->grads);
	program_on_event(p, OP_STREAM_WAIT, worker->comm, worker->grads);
	program_kernel(p, worker->comm, "ncclDevKernel_AllReduce_Sum_f32_RING_LL",
		program_noise(p, worker->reduce, worker->noise))
		->share = 0.1;
	program_on_event(p, OP_RECORD, worker->comm, worker->summed);
	program_on_event(p, OP_STREAM_WAIT, worker->own, worker->summed);
	program_kernel(p, worker->own, "adam", program_noise(p, worker->kernel / 2, worker->noise));
	program_call(p, OP_STREAM_SYNC, worker->own);
}

/* A thread to a GPU: data-parallel training. */
struct program *make_gpus(const struct recipe *recipe, uint64_t seed)
{
	struct program *p = begin(recipe, seed);
	struct worker worker = {.kernels = (int)program_between(p, 4, 20), .noise = any_noise(p)};
	int rounds = any_rounds(p) / 2;

	p->devices = (int)program_between(p, 2, 4);
	worker.kernel = any_time(p, 20 * US, 200 * US);
	worker.in = any_time(p, 50 * US, worker.kernel * worker.kernels);
	worker.reduce = any_time(p, 20 * US, 300 * US);
	for (int device = 0; device < p->devices; device++) {
		int loop = program_loop(p);

		if (device > 0)
			program_thread(p);
		worker.own = program_stream(p, STREAM_LEGACY, device);
		worker.comm = program_stream(p, STREAM_NON_BLOCKING, device);
		worker.grads = program_event(p);
		worker.summed = program_event(p);
		program_begin(p, worker.own);
		upload_model(p, worker.own);
		for (int i = 0; i < rounds; i++) {
			program_round(p, loop, i);
			add_worker_step(p, &worker);
		}
		program_outside(p);
		program_end(p, worker.own);
	}
	return p;
}

/* Gradients are added up, part by part, while the backward pass computes the next ones. */
struct program *make_collectives(const struct recipe *recipe, uint64_t seed)
{
	struct program *p = begin(recipe, seed);
	struct worker worker = {.kernels = (int)program_between(p, 3, 8), .noise = any_noise(p)};
	int loop = program_loop(p), rounds = any_rounds(p) / 2;

	worker.kernel = any_time(p, 100 * US, 400 * US);
	worker.in = any_time(p, 50 * US, worker.kernel * worker.kernels);
	worker.reduce = any_time(p, 20 * US, worker.kernel / 2);
	worker.own = program_stream(p, STREAM_LEGACY, 0);
	worker.comm = program_stream(p, STREAM_NON_BLOCKING, 0);
	worker.grads = program_event(p);
	program_begin(p, worker.own);
	for (int i = 0; i < rounds; i++) {
		program_round(p, loop, i);
		program_copy(p, worker.own, WAY_IN, program_noise(p, worker.in, worker.noise));
		for (int k = 0; k < worker.kernels; k++) {
			int64_t kernel = program_noise(p, worker.kernel, worker.noise);

			if (k > 0)
				program_on_event(p, OP_STREAM_WAIT, worker.comm, worker.grads);
			if (k > 0)
				program_kernel(p, worker.comm, "ncclDevKernel_AllReduce_Sum_f32_RING_LL",
					program_noise(p, worker.reduce, worker.noise))
					->share = 0.1;
			program_kernel(p, worker.own, k % 2 ? "gemm" : "relu", kernel)->share = 0.9;
			program_on_event(p, OP_RECORD, worker.own, worker.grads);
		}
	}
	program_outside(p);
	program_end(p, worker.own);
	return p;
}

/* Data-parallel training of several processes, whose collectives wait for each other. */
struct program *make_parallel(const struct recipe *recipe, uint64_t seed)
{
	struct program *p = begin(recipe, seed);
	struct parallel parallel = {.ranks = (int)program_between(p, 2, 4),
		.parts = (int)program_between(p, 1, 5),
		.kernel = any_time(p, 100 * US, MS),
		.host = any_time(p, 20 * US, 300 * US),
		.slower = maybe(p, 0.3) ? 1 + 0.3 * program_random(p) : 1,
		.pageable = maybe(p, 0.6),
		.part = maybe(p, 0.2) ? 0.3 + 0.7 * program_random(p) : 1,
		.first = maybe(p, 0.5),
		.waits = maybe(p, 0.2),
		.noise = any_noise(p)};

	parallel.in = any_time(p, parallel.kernel / 2, 3 * parallel.kernel * parallel.parts);
	parallel.pinned = parallel.pageable && maybe(p, 0.5) ? parallel.in / 6 : 0;
	parallel.reduce = any_time(p, parallel.kernel / 4, 2 * parallel.kernel);
	p->machine.early = maybe(p, 0.7) ? any_time(p, 2 * US, 15 * US) : 0;
	program_data_parallel(p, &parallel, any_rounds(p) / 2);
	return p;
}
