/*
 * judge.c: advice from a text with what is known of kernels, to see how good the model is without a GPU.
 *
 * usage: judge FACTS...: a JSON line for each kernel: its name, the verdict, the number of stages to take, the gains.
 * A text has a line for each fact, KEY VALUE...; "judge" ends a kernel. What is told of the machine stays:
 *     machine KEY VALUE       as in DBPROF_MACHINE
 *     kernel NAME             begins a kernel
 *     ns, blocks, threads, registers, shared, local, shared-most, triton VALUE
 *     code FILE FUNCTION      disassembly, as nvdisasm or cuobjdump print it
 *     counter KEY VALUE       as in metrics
 *     sample INSTRUCTION REASON SAMPLES
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/advise/advise.h"
#include "fixtures/sass.h"
#include "util/alloc.h"
#include "util/error.h"
#include "util/file/file.h"

enum { COUNTERS_MOST = 128, WORD = 256 };

/* A file of machine code, kept for the kernels that follow. */
struct codes {
	char *path, *text;
	struct sass_kernels kernels;
};

struct facts {
	struct machine machine;
	struct advise_kernel kernel;
	char name[WORD];
	struct advise_counter counters[COUNTERS_MOST];
	struct advise_sample *samples;
	size_t nsamples, room;
	struct codes codes;
	struct asm_instruction *list; /* of the kernel */
	struct asm_kernel code;
};

static void fail(const char *what, const char *which)
{
	fprintf(stderr, "judge: %s: %s\n", what, which);
	exit(2);
}

static void unknown_machine(struct machine *machine)
{
	for (int i = 0; i < machine_constants_count; i++)
		memcpy((char *)machine + machine_constants[i].offset, &(double){NAN}, sizeof(double));
}

static void set_constant(struct machine *machine, const char *key, double value)
{
	for (int i = 0; i < machine_constants_count; i++)
		if (strcmp(machine_constants[i].key, key) == 0)
			memcpy((char *)machine + machine_constants[i].offset, &value, sizeof(value));
}

static void begin(struct facts *facts, const char *name)
{
	for (size_t i = 0; i < facts->kernel.ncounters; i++)
		free((char *)facts->counters[i].key);
	for (size_t i = 0; i < facts->nsamples; i++)
		free((char *)facts->samples[i].reason);
	facts->nsamples = 0;
	snprintf(facts->name, sizeof(facts->name), "%s", name);
	/* Limits of compute capability 9.0. */
	facts->kernel = (struct advise_kernel){
		.name = facts->name,
		.ns = NAN,
		.shared_most = 232448,
		.sm = {.warps = 64,
			.blocks = 32,
			.threads_per_warp = 32,
			.registers = 65536,
			.shared_bytes = 233472,
			.compute_major = 9},
	};
}

static void forget_codes(struct codes *codes)
{
	sass_free(&codes->kernels);
	free(codes->text);
	free(codes->path);
	*codes = (struct codes){0};
}

static void read_codes(struct codes *codes, const char *path)
{
	struct error err = {0};
	size_t size;
	char *bytes;

	if (codes->path && strcmp(codes->path, path) == 0)
		return;
	forget_codes(codes);
	bytes = file_read(path, &size, &err);
	if (!bytes)
		fail(path, "cannot be read");
	codes->text = xmalloc(size + 1);
	memcpy(codes->text, bytes, size);
	codes->text[size] = '\0';
	free(bytes);
	codes->path = xstrdup(path);
	sass_read(codes->text, &codes->kernels);
}

static void set_code(struct facts *facts, const char *path, const char *function)
{
	struct sass_kernels *kernels = &facts->codes.kernels;

	read_codes(&facts->codes, path);
	for (size_t i = 0; i < kernels->n; i++) {
		if (strcmp(kernels->list[i].name, function) != 0)
			continue;
		facts->list = kernels->list[i].list;
		facts->kernel.instructions = facts->list;
		facts->kernel.ninstructions = kernels->list[i].n;
		facts->kernel.code = &facts->code;
		return;
	}
	fail("no such function", function);
}

static void add_counter(struct facts *facts, const char *key, double value)
{
	if (facts->kernel.ncounters == COUNTERS_MOST)
		fail("too many counters", facts->name);
	facts->counters[facts->kernel.ncounters++] = (struct advise_counter){xstrdup(key), value};
}

static void add_sample(struct facts *facts, size_t instruction, const char *reason, uint64_t samples)
{
	xgrow(&facts->samples, facts->nsamples, &facts->room, sizeof(*facts->samples));
	facts->samples[facts->nsamples++] = (struct advise_sample){instruction, xstrdup(reason), samples};
}

static void set_number(struct advise_kernel *kernel, const char *key, double value)
{
	if (strcmp(key, "ns") == 0)
		kernel->ns = value;
	else if (strcmp(key, "blocks") == 0)
		kernel->blocks = (int64_t)value;
	else if (strcmp(key, "threads") == 0)
		kernel->block.threads = (int)value;
	else if (strcmp(key, "registers") == 0)
		kernel->block.registers = (int)value;
	else if (strcmp(key, "shared") == 0)
		kernel->block.shared_bytes = (int64_t)value;
	else if (strcmp(key, "local") == 0)
		kernel->local_bytes = (int64_t)value;
	else if (strcmp(key, "shared-most") == 0)
		kernel->shared_most = (int64_t)value;
	else if (strcmp(key, "triton") == 0)
		kernel->is_triton = value > 0;
	else
		fail("unknown key", key);
}

static void say_number(const char *key, double value)
{
	if (isfinite(value))
		printf("\"%s\":%.4f", key, value);
	else
		printf("\"%s\":null", key);
}

static void say_gain(const struct advise_gain *gain)
{
	printf("{\"stages\":%d,", gain->stages);
	say_number("low", gain->low);
	printf(",");
	say_number("mid", gain->mid);
	printf(",");
	say_number("high", gain->high);
	printf("}");
}

static void say_causes(const struct advise_result *result)
{
	for (size_t i = 0; i < result->ncauses; i++) {
		const struct advise_cause *cause = &result->causes[i];

		printf("%s{\"id\":\"%s\",", i ? "," : "", cause->id);
		say_number("ns", cause->ns);
		for (size_t k = 0; k < cause->nevidence; k++) {
			printf(",");
			say_number(cause->evidence[k].metric, cause->evidence[k].value);
		}
		printf("}");
	}
}

/* Samples help to read the code: they tell which loop, and which of several waits, is met. */
static void read_code(struct facts *facts)
{
	for (size_t i = 0; i < facts->kernel.ninstructions; i++)
		facts->list[i].samples = 0;
	for (size_t i = 0; i < facts->nsamples; i++)
		if (facts->samples[i].instruction < facts->kernel.ninstructions)
			facts->list[facts->samples[i].instruction].samples += facts->samples[i].samples;
	asm_read(facts->list, facts->kernel.ninstructions, &facts->code);
}

static void judge(struct facts *facts)
{
	struct advise_result result;

	if (facts->kernel.code)
		read_code(facts);
	facts->kernel.counters = facts->counters;
	facts->kernel.samples = facts->samples;
	facts->kernel.nsamples = facts->nsamples;
	advise_judge(&facts->kernel, &facts->machine, &result);
	printf("{\"kernel\":\"%s\",\"verdict\":\"%s\",\"now\":%d,\"stages\":%d,\"gain\":[", facts->name,
		advise_verdict_name(result.verdict), result.now, result.stages);
	for (int i = 0; i < ADVISE_GAINS; i++) {
		printf("%s", i ? "," : "");
		say_gain(&result.gain[i]);
	}
	printf("],\"by_copies\":");
	say_gain(&result.by_copies);
	printf(",\"by_registers\":");
	say_gain(&result.by_registers);
	printf(",\"causes\":[");
	say_causes(&result);
	printf("],\"lacking\":\"%s\"}\n", result.lacking ? result.lacking : "");
}

static void take_line(struct facts *facts, const char *line)
{
	char key[WORD], first[WORD] = "", second[WORD] = "";
	unsigned long long samples = 0;

	if (sscanf(line, "%255s %255s %255s %llu", key, first, second, &samples) < 1 || key[0] == '#')
		return;
	if (strcmp(key, "machine") == 0)
		set_constant(&facts->machine, first, strtod(second, NULL));
	else if (strcmp(key, "kernel") == 0)
		begin(facts, first);
	else if (strcmp(key, "code") == 0)
		set_code(facts, first, second);
	else if (strcmp(key, "counter") == 0)
		add_counter(facts, first, strtod(second, NULL));
	else if (strcmp(key, "sample") == 0)
		add_sample(facts, strtoul(first, NULL, 10), second, samples);
	else if (strcmp(key, "judge") == 0)
		judge(facts);
	else
		set_number(&facts->kernel, key, strtod(first, NULL));
}

static void read_facts(struct facts *facts, const char *path)
{
	FILE *file = fopen(path, "r");
	char line[4 * WORD];

	if (!file)
		fail(path, "cannot be opened");
	while (fgets(line, sizeof(line), file))
		take_line(facts, line);
	fclose(file);
}

int main(int argc, char **argv)
{
	struct facts facts = {0};

	unknown_machine(&facts.machine);
	for (int i = 1; i < argc; i++)
		read_facts(&facts, argv[i]);
	begin(&facts, "");
	free(facts.samples);
	forget_codes(&facts.codes);
	return 0;
}
