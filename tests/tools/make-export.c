/*
 * make-export.c: writes a make-believe export of Nsight Systems of any size, to measure how the reader scales.
 * usage: make-export SCHEMA.sql FILE EVENTS GPUS [SHAPE]
 *
 * A training job: eight GPUs to a process, a thread to a GPU. A thread repeats an iteration of 100 pieces of device
 * work, 80 kernels, 15 copies in and 5 out, with an API call for each. Its ranges stand three deep: a layer of four
 * calls, an iteration of 25 layers, an epoch of 100 iterations. Copies have streams of their own, so that they run
 * beside kernels. One GPU of several is a straggler: it waits longer between its kernels. Iterations stand in the order
 * of their starts, tables one behind the other. The same arguments give the same file.
 *
 * SHAPE  plain     as it is told above
 *        unsorted  the rows of all tables are shuffled
 *        names     one name for ten kernels, and one for ten ranges
 *        sparse    correlation ids lie far apart
 *        wide      a long name for each kernel and each range, and a process to a GPU
 */
#include <errno.h>
#include <inttypes.h>
#include <sqlite3.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { WORK = 100, LAYER = 4, LAYERS = WORK / LAYER, RANGES = LAYERS + 2, EPOCH = 100 };
enum { SLOT = 10000, STRAGGLER_SLOT = 14000, PAUSE = 50000, CALL = 500, DELAY = 5000 }; /* ns */
enum { GPUS_OF_PROCESS = 8, MOST_GPUS = 1024, KERNEL_NAMES = 40, COLUMNS = 12, LONGEST_NAME = 512 };
enum { FIRST_CALL = 1, FIRST_RANGE = 10, FIRST_KERNEL = 1000 }; /* in StringIds */

enum shape { PLAIN, UNSORTED, NAMES, SPARSE, WIDE };
static const char *const shapes[] = {"plain", "unsorted", "names", "sparse", "wide"};

/* What a GPU does for one turn. */
struct iteration {
	uint32_t gpu, number; /* of this GPU's iterations */
	uint32_t before;      /* iterations of its process before it */
};

static struct {
	enum shape shape;
	int64_t events, iterations, kernels;
	int gpus;
	struct iteration *order;
} job;

static sqlite3 *db;

static void fail(const char *what)
{
	fprintf(stderr, "make-export: %s: %s\n", what, db ? sqlite3_errmsg(db) : strerror(errno));
	exit(1);
}

static void run_sql(const char *sql)
{
	if (sqlite3_exec(db, sql, NULL, NULL, NULL) != SQLITE_OK)
		fail(sql);
}

static void run_file(const char *path)
{
	static char sql[1 << 16];
	FILE *file = fopen(path, "r");
	size_t n;

	if (!file)
		fail(path);
	n = fread(sql, 1, sizeof(sql) - 1, file);
	fclose(file);
	sql[n] = '\0';
	run_sql(sql);
}

static sqlite3_stmt *prepare(const char *sql)
{
	sqlite3_stmt *stmt;

	if (sqlite3_prepare_v2(db, sql, -1, &stmt, NULL) != SQLITE_OK)
		fail(sql);
	return stmt;
}

static void step(sqlite3_stmt *stmt)
{
	if (sqlite3_step(stmt) != SQLITE_DONE)
		fail("insert");
	sqlite3_reset(stmt);
}

/* One row of `n` integers. */
static void insert(sqlite3_stmt *stmt, int n, const int64_t *values)
{
	for (int i = 0; i < n; i++)
		sqlite3_bind_int64(stmt, i + 1, values[i]);
	step(stmt);
}

/* ---- when things happen ---- */

/* A number that looks random, of two others. */
static uint64_t mix(uint64_t a, uint64_t b)
{
	uint64_t x = (a * UINT64_C(0x9E3779B97F4A7C15)) ^ (b + UINT64_C(0x632BE59BD9B4E019));

	x = (x ^ x >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
	x = (x ^ x >> 27) * UINT64_C(0x94D049BB133111EB);
	return x ^ x >> 31;
}

static int64_t slot_of(uint32_t gpu)
{
	return job.gpus > 1 && gpu == (uint32_t)job.gpus * 5 / 8 ? STRAGGLER_SLOT : SLOT;
}

static int64_t start_of(uint32_t gpu, uint32_t number)
{
	return 1000000 + gpu * INT64_C(3137) + number * (WORK * slot_of(gpu) + PAUSE) +
	       (int64_t)(mix(gpu, number) % (PAUSE / 2));
}

/* All iterations in the order of their starts. */
static void plan(void)
{
	static uint32_t number[MOST_GPUS], before[MOST_GPUS / GPUS_OF_PROCESS + 1];
	static int64_t next[MOST_GPUS];

	job.iterations = (job.events + WORK - 1) / WORK;
	job.order = malloc((size_t)job.iterations * sizeof(*job.order));
	if (!job.order && job.iterations > 0)
		fail("out of memory");
	for (int i = 0; i < job.gpus; i++)
		next[i] = start_of((uint32_t)i, 0);
	for (int64_t i = 0; i < job.iterations; i++) {
		uint32_t gpu = 0;

		for (uint32_t k = 1; k < (uint32_t)job.gpus; k++)
			if (next[k] < next[gpu])
				gpu = k;
		job.order[i] = (struct iteration){gpu, number[gpu]++, before[gpu / GPUS_OF_PROCESS]++};
		next[gpu] = start_of(gpu, number[gpu]);
	}
}

/* Which row comes as row `i` of `n`: shuffled, if the shape says so, by a factor that has no divisor with `n`. */
static int64_t shuffled(int64_t i, int64_t n)
{
	static int64_t known, factor;

	if (job.shape != UNSORTED)
		return i;
	if (known != n) {
		int64_t a, b;

		known = n;
		for (factor = (int64_t)((double)n * 0.6180339887);; factor++) {
			for (a = factor, b = n; b != 0;) {
				int64_t rest = a % b;

				a = b;
				b = rest;
			}
			if (a == 1)
				break;
		}
	}
	return (i * factor + n / 3) % n;
}

/* ---- one piece of work ---- */

enum kind { KERNEL, COPY_IN, COPY_OUT };

static enum kind kind_of(int64_t slot)
{
	int64_t in_twenty = slot % 20;

	return in_twenty == 19 ? COPY_OUT : in_twenty % 6 == 3 ? COPY_IN : KERNEL;
}

struct piece {
	const struct iteration *of;
	enum kind kind;
	int64_t number, pid, tid, correlation;
	int64_t call, call_end, start, end;
	int64_t name; /* of a kernel, in StringIds */
};

/* Where kernels and ranges are named one by one, or all but so. */
static bool has_names(void)
{
	return job.shape == NAMES || job.shape == WIDE;
}

/* "kernel_17", in a wide recording among templates. */
static void name_of(char *text, size_t size, const char *what, int64_t number)
{
	static const char wide[] =
		"void train::detail::fused<train::layout::tensor_core_interleaved<(int)128, (int)64, float>, "
		"train::epilogue::bias_and_activation<train::activation::gelu, float, (bool)true>, "
		"train::pipeline::multistage<(int)4, train::copy::asynchronous, train::swizzle::xor_based>>";

	snprintf(text, size, "%s%s%s%" PRId64, job.shape == WIDE ? wide : "", job.shape == WIDE ? "::" : "", what,
		number);
}

static int64_t process_number(uint32_t gpu)
{
	return 4000 + (job.shape == WIDE ? gpu : gpu / GPUS_OF_PROCESS) * INT64_C(100);
}

static int64_t pid_of(uint32_t gpu)
{
	return (INT64_C(1) << 48) | process_number(gpu) << 24;
}

static int64_t tid_of(uint32_t gpu)
{
	return pid_of(gpu) | (process_number(gpu) + gpu % GPUS_OF_PROCESS);
}

static int64_t kernel_name(int64_t event)
{
	int64_t slot = event % WORK;

	if (job.shape == WIDE)
		return FIRST_KERNEL + event;
	if (job.shape == NAMES)
		return FIRST_KERNEL + (event / WORK * WORK * 8 / 10 + slot * 8 / 10) / 10;
	return FIRST_KERNEL + slot * KERNEL_NAMES / WORK;
}

static struct piece piece_of(int64_t event)
{
	static const int64_t least[] = {3000, 12000, 8000}, spread[] = {5500, 33000, 22000};
	const struct iteration *of = &job.order[event / WORK];
	int64_t slot = event % WORK, id = (int64_t)of->before * WORK + slot;
	uint64_t chance = mix((uint64_t)of->gpu << 32 | of->number, (uint64_t)slot);
	struct piece p = {.of = of, .kind = kind_of(slot), .number = event};

	p.pid = pid_of(of->gpu);
	p.tid = tid_of(of->gpu);
	p.correlation = 1 + (job.shape == SPARSE ? id * 1000003 : id);
	p.call = start_of(of->gpu, of->number) + slot * slot_of(of->gpu) + CALL;
	p.call_end = p.call + 1500 + (int64_t)(chance % 2500);
	p.start = p.call + DELAY + (int64_t)((chance >> 16) % 1000);
	p.end = p.start + least[p.kind] + (int64_t)((chance >> 32) % (uint64_t)spread[p.kind]);
	p.name = kernel_name(event);
	return p;
}

static bool is_kernel(const struct piece *p)
{
	return p->kind == KERNEL;
}

static bool is_copy(const struct piece *p)
{
	return p->kind != KERNEL;
}

static void write_kernel(sqlite3_stmt *to, const struct piece *p)
{
	const int64_t row[] = {p->start, p->end, p->of->gpu, p->of->gpu + 1, 7, p->correlation, p->pid,
		has_names() ? p->name : p->name + KERNEL_NAMES, p->name, 32 + p->name % 8 * 16, 64 << (p->name % 5),
		p->number + 1};

	insert(to, COLUMNS, row);
}

static void write_copy(sqlite3_stmt *to, const struct piece *p)
{
	bool in = p->kind == COPY_IN;
	const int64_t row[] = {p->start, p->end, p->of->gpu, p->of->gpu + 1, in ? 13 : 14, p->correlation, p->pid,
		(p->end - p->start) * 24, in ? 1 : 2, in ? 1 : 2, in ? 2 : 1};

	insert(to, COLUMNS - 1, row);
}

static void write_call(sqlite3_stmt *to, const struct piece *p)
{
	const int64_t row[] = {
		p->call, p->call_end, p->tid, p->correlation, p->kind == KERNEL ? FIRST_CALL : FIRST_CALL + 1};

	insert(to, 5, row);
}

static int64_t write_work(
	const char *sql, bool (*is_one)(const struct piece *), void (*write)(sqlite3_stmt *, const struct piece *))
{
	sqlite3_stmt *to = prepare(sql);
	int64_t n = 0;

	for (int64_t i = 0; i < job.events; i++) {
		struct piece p = piece_of(shuffled(i, job.events));

		if (is_one && !is_one(&p))
			continue;
		write(to, &p);
		n++;
	}
	sqlite3_finalize(to);
	return n;
}

/* ---- ranges ---- */

/* Programs register some names and give others as text. */
static void bind_name(sqlite3_stmt *to, int64_t range, int64_t text_id, char *text, size_t size)
{
	int64_t number = job.shape == WIDE ? range : job.shape == NAMES ? range / 10 : range % RANGES;

	sqlite3_bind_null(to, 4);
	sqlite3_bind_null(to, 5);
	if (text_id != 0) {
		sqlite3_bind_int64(to, 5, text_id);
		return;
	}
	name_of(text, size, "layer ", number);
	sqlite3_bind_text(to, 4, text, -1, SQLITE_STATIC);
}

/* Of an iteration's ranges the first is the iteration, the last the epoch, which begins with one iteration of many. */
static bool write_range(sqlite3_stmt *to, int64_t range)
{
	const struct iteration *of = &job.order[range / RANGES];
	int64_t which = range % RANGES, slot = slot_of(of->gpu), start = start_of(of->gpu, of->number), end, name = 0;
	char text[LONGEST_NAME];

	if (which == 0) {
		name = FIRST_RANGE;
		end = start + WORK * slot - 100;
	} else if (which <= LAYERS) {
		start += (which - 1) * LAYER * slot + 100;
		end = start + LAYER * slot - 300;
	} else if (of->number % EPOCH == 0) {
		name = FIRST_RANGE + 1;
		start -= 50;
		end = start_of(of->gpu, of->number + EPOCH - 1) + WORK * slot - 50;
	} else {
		return false;
	}
	sqlite3_bind_int64(to, 1, start);
	sqlite3_bind_int64(to, 2, end);
	sqlite3_bind_int64(to, 3, tid_of(of->gpu));
	bind_name(to, range, name, text, sizeof(text));
	step(to);
	return true;
}

static int64_t write_ranges(void)
{
	sqlite3_stmt *to = prepare("INSERT INTO NVTX_EVENTS (start, end, eventType, globalTid, text, textId, domainId) "
				   "VALUES (?, ?, 59, ?, ?, ?, 0)");
	int64_t all = job.iterations * RANGES, n = 0;

	for (int64_t i = 0; i < all; i++)
		n += write_range(to, shuffled(i, all));
	sqlite3_finalize(to);
	return n;
}

/* ---- the file ---- */

static void name(sqlite3_stmt *to, int64_t id, const char *text)
{
	sqlite3_bind_int64(to, 1, id);
	sqlite3_bind_text(to, 2, text, -1, SQLITE_STATIC);
	step(to);
}

static void write_names(void)
{
	sqlite3_stmt *to = prepare("INSERT INTO StringIds VALUES (?, ?)");
	int64_t most = job.events == 0 ? 0 : kernel_name(job.iterations * WORK - 1) - FIRST_KERNEL;
	char text[LONGEST_NAME];

	name(to, FIRST_CALL, "cudaLaunchKernel_v7000");
	name(to, FIRST_CALL + 1, "cudaMemcpyAsync_v3020");
	name(to, FIRST_RANGE, "iteration");
	name(to, FIRST_RANGE + 1, "epoch");
	for (int64_t i = 0; i <= most; i++) {
		name_of(text, sizeof(text), "kernel_", i);
		name(to, FIRST_KERNEL + i, text);
	}
	for (int64_t i = 0; i < KERNEL_NAMES && !has_names(); i++) {
		snprintf(text, sizeof(text),
			"void train::kernel_%" PRId64 "<(int)128, float>(float const*, float*, unsigned long)", i);
		name(to, FIRST_KERNEL + KERNEL_NAMES + i, text);
	}
	sqlite3_finalize(to);
}

static void write_places(void)
{
	sqlite3_stmt *gpu = prepare("INSERT INTO TARGET_INFO_GPU (vmId, id, name, cuDevice, smCount, computeMajor, "
				    "computeMinor) VALUES (0, ?1, 'NVIDIA H100 80GB HBM3', ?1, 132, 9, 0)");
	sqlite3_stmt *device = prepare("INSERT INTO TARGET_INFO_CUDA_DEVICE VALUES (?1, ?1, ?2)");
	sqlite3_stmt *process = prepare("INSERT INTO PROCESSES VALUES (?, ?, 'python3')");

	for (uint32_t i = 0; i < (uint32_t)job.gpus; i++) {
		int64_t pid = pid_of(i), number = pid >> 24 & 0xffffff;

		insert(gpu, 1, &(int64_t){i});
		insert(device, 2, (const int64_t[]){i, number});
		if (job.shape == WIDE || i % GPUS_OF_PROCESS == 0)
			insert(process, 2, (const int64_t[]){pid, number});
	}
	sqlite3_finalize(gpu);
	sqlite3_finalize(device);
	sqlite3_finalize(process);
}

static void write_tables(void)
{
	int64_t kernels, copies, calls, ranges;

	write_names();
	write_places();
	kernels = write_work(
		"INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL (start, end, deviceId, contextId, streamId, correlationId, "
		"globalPid, demangledName, shortName, registersPerThread, gridX, gridId, launchType, cacheConfig, "
		"gridY, gridZ, blockX, blockY, blockZ, staticSharedMemory, dynamicSharedMemory, localMemoryPerThread, "
		"localMemoryTotal, sharedMemoryExecuted, sharedMemoryLimitConfig) "
		"VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 1, 1, 1, 1, 256, 1, 1, 4096, 0, 0, 155713536, 16384, 0)",
		is_kernel, write_kernel);
	copies = write_work("INSERT INTO CUPTI_ACTIVITY_KIND_MEMCPY (start, end, deviceId, contextId, streamId, "
			    "correlationId, globalPid, bytes, copyKind, srcKind, dstKind, copyCount) "
			    "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 1)",
		is_copy, write_copy);
	calls = write_work("INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME (start, end, globalTid, correlationId, nameId, "
			   "eventClass, returnValue) VALUES (?, ?, ?, ?, ?, 0, 0)",
		NULL, write_call);
	ranges = write_ranges();
	printf("%" PRId64 " kernels %" PRId64 " copies %" PRId64 " calls %" PRId64 " ranges\n", kernels, copies, calls,
		ranges);
}

static bool take_arguments(int argc, char **argv)
{
	size_t shape = 0;

	if (argc != 5 && argc != 6)
		return false;
	job.events = strtoll(argv[3], NULL, 10);
	job.gpus = (int)strtol(argv[4], NULL, 10);
	while (argc == 6 && shape < sizeof(shapes) / sizeof(*shapes) && strcmp(argv[5], shapes[shape]) != 0)
		shape++;
	job.shape = (enum shape)shape;
	return job.events >= 0 && job.gpus > 0 && job.gpus <= MOST_GPUS && shape < sizeof(shapes) / sizeof(*shapes);
}

int main(int argc, char **argv)
{
	if (!take_arguments(argc, argv)) {
		fprintf(stderr, "usage: make-export SCHEMA.sql FILE EVENTS GPUS [plain|unsorted|names|sparse]\n");
		return 2;
	}
	unlink(argv[2]);
	if (sqlite3_open(argv[2], &db) != SQLITE_OK)
		fail(argv[2]);
	run_sql("PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF; PRAGMA locking_mode=EXCLUSIVE; BEGIN");
	run_file(argv[1]);
	run_sql("DROP TABLE StringIds; CREATE TABLE StringIds (id INTEGER NOT NULL PRIMARY KEY, value TEXT NOT NULL); "
		"INSERT INTO ENUM_CUDA_MEM_KIND VALUES (0, '', 'Pageable'), (1, '', 'Pinned'), (2, '', 'Device'); "
		"INSERT INTO ENUM_CUDA_MEMCPY_OPER VALUES (1, '', 'Host-to-Device'), (2, '', 'Device-to-Host')");
	plan();
	write_tables();
	run_sql("COMMIT");
	free(job.order);
	return sqlite3_close(db) == SQLITE_OK ? 0 : 1;
}
