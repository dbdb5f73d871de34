/* random.h: what classes of random programs draw, and how the programs of each class are made. */
#ifndef DBPROF_CUDA_SIM_RANDOM_H
#define DBPROF_CUDA_SIM_RANDOM_H

#include "programs.h"

/* ---- what is drawn: random.c ---- */

/* Between two times, short ones as often as long ones. */
int64_t any_time(struct program *p, int64_t least, int64_t most);

/* Whether something is so, by chance. */
bool maybe(struct program *p, double chance);

/* A new program of a class: its machine and what an export has of it follow the seed. The caller owns it. */
struct program *begin(const struct recipe *recipe, uint64_t seed);

/* The kind of a stream: two of five are the legacy default stream. */
enum stream_kind any_kind(struct program *p);

/* The share by which times differ; 30 % of the programs have none. */
double any_noise(struct program *p);

/* How many rounds a loop has. */
int any_rounds(struct program *p);

/* Times of a round's parts within a factor of ten of each other. */
struct chain any_chain(struct program *p);

/* ---- how programs are made: a function for each class, of which the caller owns the program ---- */

/* random-one-stream.c: one stream, nothing to be gained. */
struct program *make_chain(const struct recipe *recipe, uint64_t seed);
struct program *make_around(const struct recipe *recipe, uint64_t seed);
struct program *make_copies(const struct recipe *recipe, uint64_t seed);
struct program *make_host(const struct recipe *recipe, uint64_t seed);
struct program *make_jitter(const struct recipe *recipe, uint64_t seed);
struct program *make_pinned_rates(const struct recipe *recipe, uint64_t seed);
struct program *make_phases(const struct recipe *recipe, uint64_t seed);
struct program *make_sizes(const struct recipe *recipe, uint64_t seed);
struct program *make_paused(const struct recipe *recipe, uint64_t seed);
struct program *make_irregular(const struct recipe *recipe, uint64_t seed);
struct program *make_parts(const struct recipe *recipe, uint64_t seed);
struct program *make_multi_copy(const struct recipe *recipe, uint64_t seed);
struct program *make_kernels(const struct recipe *recipe, uint64_t seed);
struct program *make_upload(const struct recipe *recipe, uint64_t seed);
struct program *make_one_round(const struct recipe *recipe, uint64_t seed);

/* random-several.c: several streams, several threads, graphs, a full queue. */
struct program *make_pipeline(const struct recipe *recipe, uint64_t seed);
struct program *make_buffered(const struct recipe *recipe, uint64_t seed);
struct program *make_beside(const struct recipe *recipe, uint64_t seed);
struct program *make_groups(const struct recipe *recipe, uint64_t seed);
struct program *make_middle_wait(const struct recipe *recipe, uint64_t seed);
struct program *make_threads(const struct recipe *recipe, uint64_t seed);
struct program *make_hand_over(const struct recipe *recipe, uint64_t seed);
struct program *make_hand_over_events(const struct recipe *recipe, uint64_t seed);
struct program *make_graphs(const struct recipe *recipe, uint64_t seed);
struct program *make_queue(const struct recipe *recipe, uint64_t seed);

/* random-training.c: training. */
struct program *make_training(const struct recipe *recipe, uint64_t seed);
struct program *make_epochs(const struct recipe *recipe, uint64_t seed);
struct program *make_autograd(const struct recipe *recipe, uint64_t seed);
struct program *make_gpus(const struct recipe *recipe, uint64_t seed);
struct program *make_collectives(const struct recipe *recipe, uint64_t seed);
struct program *make_parallel(const struct recipe *recipe, uint64_t seed);

#endif
