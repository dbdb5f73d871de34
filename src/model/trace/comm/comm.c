/* comm.c: see comm.h. Memory grows with the names of communication, not with the work. */
#include "model/trace/comm/comm.h"

#include <stdlib.h>
#include <string.h>

#include "analyze/analyze.h"
#include "analyze/communicates.h"
#include "model/recording.h"
#include "model/trace/comm/around.h"
#include "model/trace/trace.h"
#include "store/copies.h"
#include "store/texts.h"
#include "tree/json.h"
#include "util/alloc.h"
#include "util/number.h"
#include "util/numbering.h"

/* A sweep for each of these and each GPU goes over all computation of the GPU: those with the most time. */
enum { COLLECTIVES_TOLD = 16, COMM_RANGES_TOLD = 16 };

/* Communication on one GPU: of one name, of one range's name, or all of it. */
struct comm_part {
	uint32_t gpu; /* place in trace.gpus */
	uint32_t name, domain;
	size_t count;
	int64_t total_ns;
	bool told;
	struct overlap_sweep sweep; /* communication stands for copies in, computation for kernels */
};

struct comm_parts {
	struct numbering names; /* name and domain together */
	struct numbering keys;  /* number of the two, and GPU; a place here is one in `part` */
	struct comm_part *part;
	size_t n, room;
	size_t *told, ntold; /* places of those that are told, once they are chosen: few, however many there are */
};

struct comm {
	const struct trace *trace;
	signed char *known; /* by the number of a name: 1 communicates, -1 does not, 0 was not looked at */
	size_t nknown;
	struct comm_parts whole, collectives, ranges;
	struct ranges_around around; /* the piece that was looked at last */
};

/* Copies between GPUs have this in place of a name. */
#define PEER_COPY 0

/* ---- what communicates ---- */

static bool name_communicates(struct comm *comm, uint32_t name)
{
	if (name >= comm->nknown) {
		size_t n = (size_t)name * 2 + 64;

		comm->known = xreallocarray(comm->known, n, sizeof(*comm->known));
		memset(comm->known + comm->nknown, 0, n - comm->nknown);
		comm->nknown = n;
	}
	if (comm->known[name] == 0)
		comm->known[name] = kernel_communicates(texts_text(comm->trace->texts, name)) ? 1 : -1;
	return comm->known[name] > 0;
}

/* Of piece `i`: what it counts as in a sweep. Only kernels compute. */
static enum work_class comm_class(struct comm *comm, size_t i)
{
	const struct trace *trace = comm->trace;

	if (work_copy(trace, i))
		return work_copy(trace, i)->kind == COPY_PEER ? WORK_H2D : WORK_OTHER;
	if (work_lane(trace, i)->cls != WORK_KERNEL)
		return WORK_OTHER;
	return name_communicates(comm, trace->what[i]) ? WORK_H2D : WORK_KERNEL;
}

static uint32_t collective_name(const struct trace *trace, size_t i)
{
	return work_copy(trace, i) ? PEER_COPY : trace->what[i];
}

/* ---- the parts, and what each has ---- */

static struct comm_part *comm_part_of(struct comm_parts *parts, uint32_t gpu, uint32_t name, uint32_t domain)
{
	size_t both = numbering_place(&parts->names, (int64_t)((uint64_t)domain << 32 | name));
	size_t place = numbering_place(&parts->keys, (int64_t)((uint64_t)both << 16 | gpu));

	if (place == parts->n) {
		xgrow(&parts->part, parts->n, &parts->room, sizeof(*parts->part));
		parts->part[parts->n++] = (struct comm_part){.gpu = gpu, .name = name, .domain = domain};
	}
	return &parts->part[place];
}

static void comm_count(struct comm_parts *parts, const struct trace *trace, size_t i, uint32_t name, uint32_t domain)
{
	struct comm_part *part = comm_part_of(parts, work_lane(trace, i)->gpu, name, domain);

	part->count++;
	part->total_ns = int64_sum(part->total_ns, trace->end[i] - trace->start[i]);
}

/* Ranges of one name that lie in each other have a piece once. */
static void comm_count_ranges(struct comm *comm, size_t i)
{
	const struct trace *trace = comm->trace;

	ranges_around_work(&comm->around, trace, i);
	for (size_t k = 0; k < comm->around.n; k++) {
		const struct range *range = &trace->ranges[comm->around.range[k]];

		comm_count(&comm->ranges, trace, i, range->text, range->domain);
	}
}

/* Counts all communication. False if there is none. */
static bool comm_find(struct comm *comm)
{
	const struct trace *trace = comm->trace;

	for (size_t i = 0; i < trace->nwork; i++) {
		if (comm_class(comm, i) != WORK_H2D)
			continue;
		comm_count(&comm->whole, trace, i, 0, 0);
		comm_count(&comm->collectives, trace, i, collective_name(trace, i), 0);
		comm_count_ranges(comm, i);
	}
	return comm->whole.n > 0;
}

/* ---- the names that are told ---- */

/* A name on all GPUs. */
struct comm_name {
	size_t place; /* in comm_parts.names */
	int64_t total_ns;
};

static int by_comm_time(const void *left, const void *right)
{
	const struct comm_name *a = left, *b = right;

	return a->total_ns != b->total_ns ? int64_order(b->total_ns, a->total_ns)
					  : (a->place > b->place) - (a->place < b->place);
}

/* Those of the first `n` names. */
static void comm_tell(struct comm_parts *parts, const struct comm_name *names, size_t n)
{
	parts->told = xcalloc(parts->n + 1, sizeof(*parts->told));
	for (size_t i = 0; i < parts->n; i++) {
		for (size_t k = 0; k < n && !parts->part[i].told; k++)
			parts->part[i].told = names[k].place == (size_t)(parts->keys.id[i] >> 16);
		if (parts->part[i].told)
			parts->told[parts->ntold++] = i;
	}
}

/* The names with the most time, `most` of them, in order; *n is how many. For free(). */
static struct comm_name *comm_choose(struct comm_parts *parts, size_t most, size_t *n)
{
	struct comm_name *names = xcalloc(parts->names.n + 1, sizeof(*names));

	for (size_t k = 0; k < parts->names.n; k++)
		names[k].place = k;
	for (size_t i = 0; i < parts->n; i++) {
		struct comm_name *name = &names[parts->keys.id[i] >> 16];

		name->total_ns = int64_sum(name->total_ns, parts->part[i].total_ns);
	}
	if (parts->names.n > 1)
		qsort(names, parts->names.n, sizeof(*names), by_comm_time);
	*n = parts->names.n < most ? parts->names.n : most;
	comm_tell(parts, names, *n);
	return names;
}

/* ---- sweeps ---- */

static void comm_part_add(struct comm_part *part, const struct trace *trace, size_t i, enum work_class cls)
{
	if (part->told)
		overlap_add(&part->sweep, &(struct device_work){trace->start[i], trace->end[i], cls});
}

static void comm_add_computation(struct comm_parts *parts, const struct trace *trace, size_t i)
{
	uint32_t gpu = work_lane(trace, i)->gpu;

	for (size_t k = 0; k < parts->ntold; k++) {
		struct comm_part *part = &parts->part[parts->told[k]];

		if (part->gpu == gpu)
			comm_part_add(part, trace, i, WORK_KERNEL);
	}
}

static void comm_add_piece(struct comm *comm, size_t i)
{
	const struct trace *trace = comm->trace;
	uint32_t gpu = work_lane(trace, i)->gpu;

	comm_part_add(comm_part_of(&comm->whole, gpu, 0, 0), trace, i, WORK_H2D);
	comm_part_add(comm_part_of(&comm->collectives, gpu, collective_name(trace, i), 0), trace, i, WORK_H2D);
	ranges_around_work(&comm->around, trace, i);
	for (size_t k = 0; k < comm->around.n; k++) {
		const struct range *range = &trace->ranges[comm->around.range[k]];

		comm_part_add(comm_part_of(&comm->ranges, gpu, range->text, range->domain), trace, i, WORK_H2D);
	}
}

static void comm_sweep(struct comm *comm)
{
	for (size_t i = 0; i < comm->trace->nwork; i++) {
		enum work_class cls = comm_class(comm, i);

		if (cls == WORK_H2D) {
			comm_add_piece(comm, i);
		} else if (cls == WORK_KERNEL) {
			comm_add_computation(&comm->whole, comm->trace, i);
			comm_add_computation(&comm->collectives, comm->trace, i);
			comm_add_computation(&comm->ranges, comm->trace, i);
		}
	}
}

/* ---- JSON ---- */

/* Sums over GPUs: of one GPU, or of a name on all. */
struct comm_sums {
	size_t count;
	int64_t busy, beside, computation;
};

static void comm_sum(struct comm_sums *sums, struct comm_part *part)
{
	struct overlap overlap;

	overlap_end(&part->sweep, &overlap);
	sums->count += part->count;
	sums->busy = int64_sum(sums->busy, overlap.busy[WORK_H2D]);
	sums->beside = int64_sum(sums->beside, overlap.overlap);
	sums->computation = int64_sum(sums->computation, overlap.busy[WORK_KERNEL]);
}

static void put_comm_sums(json_t *object, const struct comm_sums *sums)
{
	put_json(object, "count", json_integer((json_int_t)sums->count));
	put_json(object, "busy_ns", json_integer(sums->busy));
	put_json(object, "beside_ns", json_integer(sums->beside));
	put_json(object, "alone_ns", json_integer(sums->busy - sums->beside));
}

static int by_comm_gpu(const void *left, const void *right)
{
	const struct comm_part *a = left, *b = right;

	return (a->gpu > b->gpu) - (a->gpu < b->gpu);
}

/* What is alone can at most run beside the computation that has no communication beside it yet. */
static json_t *comm_gpus_json(struct comm *comm)
{
	json_t *list = json_array();

	qsort(comm->whole.part, comm->whole.n, sizeof(*comm->whole.part), by_comm_gpu);
	for (size_t i = 0; i < comm->whole.n; i++) {
		struct comm_sums sums = {0};
		json_t *gpu = json_object();
		int64_t alone, room;

		comm_sum(&sums, &comm->whole.part[i]);
		alone = sums.busy - sums.beside;
		room = sums.computation - sums.beside;
		put_json(gpu, "device", json_integer(comm->trace->gpus[comm->whole.part[i].gpu]));
		put_comm_sums(gpu, &sums);
		put_json(gpu, "computation_ns", json_integer(sums.computation));
		put_json(gpu, "gain_high_ns", json_integer(alone < room ? alone : room));
		append_json(list, gpu);
	}
	return list;
}

static json_t *comm_names_json(
	const struct comm *comm, struct comm_parts *parts, const struct comm_name *names, size_t n, bool ranges)
{
	json_t *list = json_array();

	for (size_t k = 0; k < n; k++) {
		struct comm_sums sums = {0};
		json_t *object = json_object();
		const struct comm_part *first = NULL;

		for (size_t i = 0; i < parts->n; i++) {
			if ((size_t)(parts->keys.id[i] >> 16) != names[k].place)
				continue;
			first = first ? first : &parts->part[i];
			comm_sum(&sums, &parts->part[i]);
		}
		put_json(object, "name", text_json(texts_text(comm->trace->texts, first ? first->name : 0)));
		if (ranges)
			put_json(
				object, "domain", text_json(texts_text(comm->trace->texts, first ? first->domain : 0)));
		put_comm_sums(object, &sums);
		append_json(list, object);
	}
	return list;
}

static void comm_parts_free(struct comm_parts *parts)
{
	numbering_free(&parts->names);
	numbering_free(&parts->keys);
	free(parts->part);
	free(parts->told);
}

static json_t *comm_json(struct comm *comm)
{
	json_t *object = json_object();
	size_t nwhole, ncollectives, nranges;
	struct comm_name *whole = comm_choose(&comm->whole, 1, &nwhole);
	struct comm_name *collectives = comm_choose(&comm->collectives, COLLECTIVES_TOLD, &ncollectives);
	struct comm_name *ranges = comm_choose(&comm->ranges, COMM_RANGES_TOLD, &nranges);

	comm_sweep(comm);
	put_json(object, "collectives", comm_names_json(comm, &comm->collectives, collectives, ncollectives, false));
	put_json(object, "ranges", comm_names_json(comm, &comm->ranges, ranges, nranges, true));
	put_json(object, "names_left_out", json_integer((json_int_t)(comm->collectives.names.n - ncollectives)));
	put_json(object, "ranges_left_out", json_integer((json_int_t)(comm->ranges.names.n - nranges)));
	put_json(object, "gpus", comm_gpus_json(comm));
	free(whole);
	free(collectives);
	free(ranges);
	return object;
}

json_t *communication_json(const struct model *model)
{
	struct comm comm = {.trace = &model->trace};
	json_t *json = comm_find(&comm) ? comm_json(&comm) : json_null();

	comm_parts_free(&comm.whole);
	comm_parts_free(&comm.collectives);
	comm_parts_free(&comm.ranges);
	ranges_around_free(&comm.around);
	free(comm.known);
	return json;
}
