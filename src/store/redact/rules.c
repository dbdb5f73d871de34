/* rules.c: see rules.h. The tables, and forms of texts that say nothing about anybody. */
#include <stddef.h>
#include <string.h>

#include "store/redact/rules.h"

#define LOWER "abcdefghijklmnopqrstuvwxyz"
#define UPPER "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
#define DIGITS "0123456789"

/* clang-format off */
static const struct {
	enum table_id table;
	int column;
	struct redact_rule rule;
} rules[] = {
#define RULE(table, column, kind, prefix) {TABLE_##table, table##_##column, {REDACT_##kind, prefix}}
	RULE(KERNEL, demangledName, KERNEL, "kernel"), RULE(KERNEL, shortName, KERNEL, "kernel"),
	RULE(KERNEL, mangledName, KERNEL, "kernel"), RULE(RUNTIME, nameId, CALL, "call"),
	RULE(PROCESS, name, NAME, "process"), RULE(THREAD, nameId, NAME, "thread"),
	RULE(NVTX, text, RANGE, "range"), RULE(NVTX, textId, RANGE, "range"),
	RULE(NVTX, jsonText, DROP, NULL), RULE(NVTX, binaryData, DROP, NULL),
	RULE(OVERHEAD, nameId, WORD, "overhead"), RULE(DIAGNOSTIC, text, SAID, NULL),
	RULE(GPU, name, GPU, "GPU"), RULE(GPU, busLocation, DROP, NULL), RULE(GPU, uuid, DROP, NULL),
	RULE(GPU, chipName, DROP, NULL), RULE(GPU, ctxswDevPath, DROP, NULL), RULE(GPU, ctrlDevPath, DROP, NULL),
	RULE(SESSION, utcTime, DIGITS, NULL), RULE(SESSION, localTime, DROP, NULL),
	RULE(META, key, WORD, "key"), RULE(META, value, DROP, NULL),
	RULE(TRACEDPROCESS, command, DROP, NULL), RULE(TRACEDPROCESS, note, SAID, NULL),
	RULE(PASS, family, NAME, "family"), RULE(PASS, pass, WORD, "pass"), RULE(PASS, status, WORD, "status"),
	RULE(PASS, reason, SAID, NULL),
	RULE(FAMILY, name, NAME, "family"), RULE(FAMILY, title, TITLE, NULL), RULE(FAMILY, question, OWN, NULL),
	RULE(FAMILY, teaches, OWN, NULL), RULE(FAMILY, source, OWN, NULL), RULE(FAMILY, file, NAME, "file"),
	RULE(FAMILY, throughput, WORD, "unit"), RULE(FAMILY, boundBy, WORD, "memory"),
	RULE(FAMILY, single, NAME, "variant"), RULE(FAMILY, double, NAME, "variant"),
	RULE(VARIANT, family, NAME, "family"), RULE(VARIANT, name, NAME, "variant"), RULE(VARIANT, summary, OWN, NULL),
	RULE(VARIANT, kind, WORD, "kind"), RULE(VARIANT, file, NAME, "file"), RULE(VARIANT, rungOver, NAME, "variant"),
	RULE(VARIANT, rungChange, OWN, NULL), RULE(VARIANT, rungAlong, OWN, NULL), RULE(VARIANT, kernelName, OWN, NULL),
	RULE(HAZARD, family, NAME, "family"), RULE(HAZARD, variant, NAME, "variant"), RULE(HAZARD, tool, WORD, "tool"),
	RULE(HAZARD, text, OWN, NULL),
	RULE(CASE, family, NAME, "family"), RULE(CASE, label, NAME, "case"), RULE(CASE, sweep, NAME, "sweep"),
	RULE(CASE, measures, WORD, "measure"), RULE(CASE, stepTime, WORD, "measure"), RULE(FAMILY, origin, WORD, "origin"),
	RULE(SIDE, family, NAME, "family"), RULE(SIDE, variant, NAME, "variant"), RULE(SIDE, command, DROP, NULL),
	RULE(SIDE, environment, DROP, NULL), RULE(SIDE, output, DROP, NULL), RULE(SIDE, outputCheck, WORD, "check"),
	RULE(SIDE, vary, NAME, "parameter"), RULE(SIDE, value, DROP, NULL), RULE(SIDE, variation, WORD, "variation"),
	RULE(SIDE, ended, WORD, "end"),
	RULE(LEFTOUT, family, NAME, "family"), RULE(LEFTOUT, variant, NAME, "variant"),
	RULE(LEFTOUT, reason, WORD, "reason"),
	RULE(STEPKIND, family, NAME, "family"), RULE(STEPKIND, variant, NAME, "variant"),
	RULE(STEPKIND, list, NAME, "kind"), RULE(STEPKIND, shape, NAME, "shape"),
	RULE(STEPKIND, name, KERNEL, "kernel"),
	RULE(MEDIANSTEP, family, NAME, "family"), RULE(MEDIANSTEP, variant, NAME, "variant"),
	RULE(MEDIANSTEP, caseLabel, NAME, "case"), RULE(MEDIANSTEP, window, WORD, "window"),
	RULE(BLOCK, family, NAME, "family"), RULE(BLOCK, variant, NAME, "variant"), RULE(BLOCK, kind, WORD, "kind"),
	RULE(MATCH, family, NAME, "family"), RULE(MATCH, variant, NAME, "variant"), RULE(MATCH, caseLabel, NAME, "case"),
	RULE(MATCH, name, KERNEL, "kernel"), RULE(MATCH, shortName, KERNEL, "kernel"), RULE(MATCH, how, WORD, "how"),
	RULE(MATCH, code, DROP, NULL), RULE(CODE, mangledName, KERNEL, "kernel"), RULE(CODE, hash, DROP, NULL),
	RULE(INSTRUCTION, family, NAME, "family"), RULE(INSTRUCTION, variant, NAME, "variant"),
	RULE(INSTRUCTION, caseLabel, NAME, "case"), RULE(INSTRUCTION, symbol, KERNEL, "kernel"),
	RULE(INSTRUCTION, label, DROP, NULL), RULE(INSTRUCTION, text, DROP, NULL), RULE(INSTRUCTION, file, NAME, "file"),
	RULE(SWEEP, family, NAME, "family"), RULE(SWEEP, name, NAME, "sweep"), RULE(SWEEP, title, TITLE, NULL),
	RULE(SWEEP, question, OWN, NULL), RULE(SWEEP, single, NAME, "variant"), RULE(SWEEP, double, NAME, "variant"),
	RULE(SWEEP, x, NAME, "parameter"), RULE(SWEEP, y, NAME, "parameter"),
	RULE(PARAM, family, NAME, "family"), RULE(PARAM, caseLabel, NAME, "case"), RULE(PARAM, name, NAME, "parameter"),
	RULE(PARAM, unit, OWN, NULL), RULE(PARAM, summary, OWN, NULL),
	RULE(UNSUPPORTED, family, NAME, "family"), RULE(UNSUPPORTED, variant, NAME, "variant"),
	RULE(UNSUPPORTED, caseLabel, NAME, "case"), RULE(UNSUPPORTED, reason, REASON, NULL),
	RULE(BUFFERS, family, NAME, "family"), RULE(BUFFERS, variant, NAME, "variant"),
	RULE(BUFFERS, caseLabel, NAME, "case"),
	RULE(RESOURCE, family, NAME, "family"), RULE(RESOURCE, variant, NAME, "variant"),
	RULE(RESOURCE, caseLabel, NAME, "case"), RULE(RESOURCE, symbol, KERNEL, "kernel"),
	RULE(VERIFY, family, NAME, "family"), RULE(VERIFY, variant, NAME, "variant"), RULE(VERIFY, caseLabel, NAME, "case"),
	RULE(SAMPLE, family, NAME, "family"), RULE(SAMPLE, variant, NAME, "variant"), RULE(SAMPLE, caseLabel, NAME, "case"),
	RULE(TRACED, family, NAME, "family"), RULE(TRACED, variant, NAME, "variant"), RULE(TRACED, caseLabel, NAME, "case"),
	RULE(ITEM, family, NAME, "family"), RULE(ITEM, variant, NAME, "variant"), RULE(ITEM, caseLabel, NAME, "case"),
	RULE(MACHINE, family, NAME, "family"), RULE(MACHINE, key, OWN, NULL), RULE(MACHINE, title, OWN, NULL),
	RULE(MACHINE, unit, OWN, NULL),
	RULE(PREDICTION, family, NAME, "family"), RULE(PREDICTION, caseLabel, NAME, "case"),
	RULE(PREDICTION, single, NAME, "variant"), RULE(PREDICTION, double, NAME, "variant"),
	RULE(PREDICTION, singleBound, OWN, NULL), RULE(PREDICTION, doubleBound, OWN, NULL),
	RULE(ADVICE, family, NAME, "family"), RULE(ADVICE, caseLabel, NAME, "case"), RULE(ADVICE, verdict, WORD, "verdict"),
	RULE(ADVICE, way, WORD, "way"), RULE(ADVICE, lacking, SAID, NULL), RULE(ADVICE, file, NAME, "file"),
	RULE(ADVICEGAIN, family, NAME, "family"), RULE(ADVICEGAIN, caseLabel, NAME, "case"),
	RULE(ADVICEGAIN, way, WORD, "way"),
	RULE(ADVICECAUSE, family, NAME, "family"), RULE(ADVICECAUSE, caseLabel, NAME, "case"),
	RULE(ADVICECAUSE, id, WORD, "cause"),
	RULE(ADVICEEVIDENCE, family, NAME, "family"), RULE(ADVICEEVIDENCE, caseLabel, NAME, "case"),
	RULE(ADVICEEVIDENCE, metric, NAME, "metric"), RULE(ADVICEEVIDENCE, unit, WORD, "unit"),
	RULE(COUNT, family, NAME, "family"), RULE(COUNT, variant, NAME, "variant"), RULE(COUNT, caseLabel, NAME, "case"),
	RULE(COUNT, what, WORD, "work"),
	RULE(CLOCK, family, NAME, "family"), RULE(CLOCK, caseLabel, NAME, "case"),
	RULE(SOURCE, file, NAME, "file"), RULE(SOURCE, text, DROP, NULL),
	RULE(PTX, file, NAME, "file"), RULE(PTX, arch, ARCH, NULL), RULE(PTX, text, DROP, NULL),
	RULE(STEP, family, NAME, "family"), RULE(STEP, variant, NAME, "variant"),
	RULE(METRIC, setName, NAME, "set"), RULE(METRIC, pass, WORD, "pass"), RULE(METRIC, setTitle, OWN, NULL),
	RULE(METRIC, key, NAME, "metric"), RULE(METRIC, title, TITLE, NULL), RULE(METRIC, unit, OWN, NULL),
	RULE(METRIC, formula, OWN, NULL), RULE(METRIC, meaning, OWN, NULL),
	RULE(COUNTER, family, NAME, "family"), RULE(COUNTER, variant, NAME, "variant"),
	RULE(COUNTER, caseLabel, NAME, "case"), RULE(COUNTER, scope, WORD, "scope"),
	RULE(COUNTER, metric, METRICS, "metric"),
	RULE(COUNTERRUN, family, NAME, "family"), RULE(COUNTERRUN, variant, NAME, "variant"),
	RULE(COUNTERRUN, caseLabel, NAME, "case"), RULE(COUNTERRUN, reason, SAID, NULL),
	RULE(PMRUN, family, NAME, "family"), RULE(PMRUN, variant, NAME, "variant"), RULE(PMRUN, caseLabel, NAME, "case"),
	RULE(PMRUN, setName, NAME, "set"), RULE(PMRUN, metrics, METRICS, "metric"),
	RULE(PMWORK, class, WORD, "work"), RULE(PMWORK, name, KERNEL, "kernel"),
	RULE(STALLRUN, family, NAME, "family"), RULE(STALLRUN, variant, NAME, "variant"),
	RULE(STALLRUN, caseLabel, NAME, "case"), RULE(STALLRUN, reason, SAID, NULL),
	RULE(STALL, family, NAME, "family"), RULE(STALL, variant, NAME, "variant"), RULE(STALL, caseLabel, NAME, "case"),
	RULE(STALL, symbol, KERNEL, "kernel"), RULE(STALL, file, NAME, "file"), RULE(STALL, reason, WORD, "reason"),
	RULE(PHASERUN, family, NAME, "family"), RULE(PHASERUN, variant, NAME, "variant"),
	RULE(PHASERUN, caseLabel, NAME, "case"),
	RULE(PHASE, phase, WORD, "phase"), RULE(PHASESUM, phase, WORD, "phase"),
	RULE(ROLERUN, family, NAME, "family"), RULE(ROLERUN, variant, NAME, "variant"), RULE(ROLERUN, caseLabel, NAME, "case"),
	RULE(ROLERUN, exposedVariant, NAME, "variant"), RULE(ROLE, family, NAME, "family"), RULE(ROLE, variant, NAME, "variant"),
	RULE(ROLE, caseLabel, NAME, "case"), RULE(ROLE, role, WORD, "role"),
#undef RULE
};

static const struct {
	const char *key;
	struct redact_rule rule;
} meta_rules[] = {
	{"version", {REDACT_DIGITS, NULL}}, {"dbprof", {REDACT_DIGITS, NULL}}, {"created", {REDACT_DIGITS, NULL}},
	{"seed", {REDACT_DIGITS, NULL}}, {"device", {REDACT_DIGITS, NULL}}, {"kind", {REDACT_WORD, "kind"}},
	{"timing_method", {REDACT_DIGITS, NULL}}, {"binary_arch", {REDACT_ARCH, NULL}},
	{"nsys", {REDACT_DIGITS, NULL}}, {"cuda_runtime", {REDACT_DIGITS, NULL}},
	{"kernel", {REDACT_SAID, NULL}}, {"kernels_left_out", {REDACT_DIGITS, NULL}},
	{"band", {REDACT_DIGITS, NULL}}, {"base_gpu", {REDACT_DIGITS, NULL}}, {"new_gpu", {REDACT_DIGITS, NULL}},
	{"cuda_driver", {REDACT_DIGITS, NULL}}, {"driver", {REDACT_DIGITS, NULL}}, {"cupti", {REDACT_DIGITS, NULL}},
};

static const char *const words[] = {
	/* DBPROF_META */
	"version", "dbprof", "created", "seed", "device", "kind", "timing_method", "binary_arch", "nsys", "cuda_runtime",
	"cuda_driver", "driver", "cupti", "command", "settings", "families", "band", "base_gpu", "new_gpu",
	"kernels_left_out",
	/* passes, what became of them, tools */
	"verify", "time", "trace", "pm", "counters", "stalls", "phases", "code", "done", "skipped", "failed", "memcheck", "racecheck",
	"synccheck", "initcheck",
	/* variants, units, work */
	"candidate", "control", "reference", "floor", "loads", "stores", "compute", "GFLOP/s", "GB/s", "Gelements/s", "frames/s",
	"PCIe", "device memory", "kernels", "copies", "memsets", "h2d", "d2h", "kernel", "other", "range", "load", "wait", "store",
	"consumer", "producer",
	/* contrasts of programs */
	"programs", "program", "warm-up", "plain", "host", "traced", "counted", "sampled", "same", "differs", "grid", "name", "place", "sum", "alike", "traces",
	"base", "new", "single", "duration", "period", "period with pauses", "work", "run",
	"not-started", "timeout", "output", "stopped",
	/* advice */
	"advice", "machine", "pays", "does-not", "too-close", "unknown", "none", "registers", "ldgsts", "ublkcp", "utmaldg", "copies",
	"stages", "memory-latency-hidden", "shared-memory-queue", "narrow-copies", "occupancy", "bandwidth-bound", "pipe-bound",
	"latency-hidden-already", "few-rounds", "no-room", "no-loop", "%", "ns", "bytes", "blocks", "tiles", "rounds", "per round",
	"first-step", "other-step", "empty-step", "first-launch", "outside", "other-thread", "no-call", "not-chosen",
	/* reasons of stalls */
	"barrier", "branch_resolving", "dispatch_stall", "drain", "gmma", "imc_miss", "lg_throttle", "long_scoreboard",
	"math_pipe_throttle", "membar", "mio_throttle", "misc", "no_instruction", "no_instructions", "not_selected",
	"selected", "short_scoreboard", "sleeping", "tex_throttle", "warpgroup_arrive",
	/* a profiler's overhead, as CUPTI and Nsight Systems call it */
	"Activity buffer request", "Buffer flush", "CUPTI Buffer flush", "CUPTI Instrumentation",
	"CUPTI Resource Management", "CUPTI Resource", "Instrumentation", "Resource",
};

static const char *const sets[] = {
	"memory", "occupancy", "pm-dram", "pm-dram-op", "pm-occupancy", "pm-pcie", "shared-memory", "throughput", "warp-issue",
	"warp-states",
};
/* clang-format on */

struct redact_rule redact_rule_of(enum table_id table, int column)
{
	for (size_t i = 0; i < sizeof(rules) / sizeof(rules[0]); i++)
		if (rules[i].table == table && rules[i].column == column)
			return rules[i].rule;
	return (struct redact_rule){REDACT_NAME, "name"};
}

struct redact_rule redact_rule_of_meta(const char *key)
{
	for (size_t i = 0; i < sizeof(meta_rules) / sizeof(meta_rules[0]); i++)
		if (strcmp(meta_rules[i].key, key) == 0)
			return meta_rules[i].rule;
	return (struct redact_rule){REDACT_DROP, NULL};
}

static bool is_one_of(const char *text, const char *const *list, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (strcmp(text, list[i]) == 0)
			return true;
	return false;
}

bool redact_knows_word(const char *text)
{
	return is_one_of(text, words, sizeof(words) / sizeof(words[0]));
}

bool redact_knows_set(const char *name)
{
	return is_one_of(name, sets, sizeof(sets) / sizeof(sets[0]));
}

/* ---- forms ---- */

/* How long the beginning is that `text` shares with one of the list, or 0. */
static size_t begins_with_one(const char *text, const char *const *list, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (strncmp(text, list[i], strlen(list[i])) == 0)
			return strlen(list[i]);
	return 0;
}

/* cudaMemcpyAsync_v3020, cuLaunchKernel. */
static bool is_call(const char *text)
{
	static const char *const begins[] = {"cuda", "cu"};
	size_t n = begins_with_one(text, begins, 2);

	return n > 0 && text[n] && strchr(UPPER, text[n]) && text[n + strspn(text + n, UPPER LOWER DIGITS "_")] == '\0';
}

/* The bytes of one metric at the beginning, such as sm__warps_active.avg.pct_of_peak_sustained_active; 0 for anything
 * else. The units of a GPU are few. */
static size_t metric_length(const char *text)
{
	static const char *const units[] = {"sm__", "smsp__", "dram__", "lts__", "l1tex__", "pcie__", "gpu__", "gr__",
		"gpc__", "tpc__", "fe__", "fbpa__", "ltc__", "nvlrx__", "nvltx__", "idc__", "sys__", "device__",
		"launch__", "profiler__", "ctc__", "mcc__", "pe__", "vaf__", "vpc__", "pda__", "raster__", "crop__",
		"zrop__", "prop__", "host__"};
	size_t n = begins_with_one(text, units, sizeof(units) / sizeof(units[0]));

	return n > 0 ? n + strspn(text + n, LOWER DIGITS "_.") : 0;
}

static bool are_metrics(const char *text)
{
	size_t n;

	while ((n = metric_length(text)) > 0 && text[n] == ' ')
		text += n + 1;
	return n > 0 && text[n] == '\0';
}

static bool are_architectures(const char *text)
{
	static const char *const begins[] = {"sm_", "compute_"};
	size_t n;

	for (;; text++) {
		n = begins_with_one(text, begins, 2);
		text += n + strspn(text + n, DIGITS);
		text += *text == 'a' || *text == 'f';
		if (n == 0 || *text != ' ')
			return n > 0 && *text == '\0';
	}
}

static bool is_gpu_name(const char *text)
{
	static const char *const makes[] = {"NVIDIA ", "Tesla ", "GeForce ", "Quadro ", "TITAN ", "GRID "};

	return begins_with_one(text, makes, sizeof(makes) / sizeof(makes[0])) > 0 &&
	       text[strspn(text, UPPER LOWER DIGITS " -()")] == '\0' && strlen(text) < 64;
}

bool redact_has_form(enum redact_kind kind, const char *text)
{
	switch (kind) {
	case REDACT_CALL:
		return is_call(text);
	case REDACT_METRICS:
		return are_metrics(text);
	case REDACT_ARCH:
		return are_architectures(text);
	case REDACT_GPU:
		return is_gpu_name(text);
	case REDACT_DIGITS:
		return text[strspn(text, DIGITS "-+.: TZ")] == '\0';
	default:
		return false;
	}
}
