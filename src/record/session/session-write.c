/* session-write.c: turns the spools and what the session knows into the recording. */
#include "config.h"

#include "record/session/session.h"

#include <cuda_runtime_api.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "record/code/arch.h"
#include "record/cupti/cuda-error.h"
#include "record/cupti/metric-rows.h"
#include "record/cupti/version.h"
#include "record/machine/device.h"
#include "record/machine/environment.h"
#include "record/session/describe.h"
#include "store/store.h"
#include "util/clock.h"

/* This number grows when the same code may get other times than before. Recordings that differ in it are not compared.
 * 2: inputs rotate, several processes, long launches without an untimed one before them. */
#define TIMING_METHOD "2"

static int write_time(struct recording *rec, int64_t epoch, struct error *err)
{
	time_t seconds = (time_t)(epoch / 1000000000);
	struct tm utc;
	char text[32];

	if (!gmtime_r(&seconds, &utc) || strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%SZ", &utc) == 0)
		return error_set(err, "the time of day cannot be told: set the clock");
	return recording_meta(rec, "created", text, err);
}

struct warning {
	struct recording *rec;
	struct error *err;
	int result;
};

static void write_warning(void *user, const char *sentence)
{
	struct warning *warning = user;
	const struct value row[DIAGNOSTIC_NUMBER] = {
		[DIAGNOSTIC_timestamp] = VALUE_OF_INT(clock_realtime()),
		[DIAGNOSTIC_timestampType] = VALUE_OF_INT(1), /* of the target */
		[DIAGNOSTIC_source] = VALUE_OF_INT(1),        /* the tool itself */
		[DIAGNOSTIC_severity] = VALUE_OF_INT(2),      /* warning */
		[DIAGNOSTIC_text] = VALUE_OF_TEXT(sentence),
	};

	if (recording_row(warning->rec, TABLE_DIAGNOSTIC, row, warning->err) < 0)
		warning->result = -1;
}

static int write_driver(struct recording *rec, struct error *err)
{
	struct warning warning = {rec, err, 0};
	char version[VERSION_TEXT];

	if (driver_version(version, sizeof(version)) == 0)
		return recording_meta(rec, "driver", version, err);
	write_warning(&warning, "the driver's version is not known: neither NVML nor /proc/driver/nvidia tells it");
	return warning.result;
}

static int write_versions(struct recording *rec, const struct session *s, struct error *err)
{
	char runtime[VERSION_TEXT], cuda_driver[VERSION_TEXT];

	device_cuda_versions(runtime, cuda_driver, sizeof(runtime));
	if (recording_meta(rec, "cuda_runtime", runtime, err) < 0 ||
		recording_meta(rec, "cuda_driver", cuda_driver, err) < 0 || write_driver(rec, err) < 0)
		return -1;
	return s->cupti[0] == '\0' ? 0 : recording_meta(rec, "cupti", s->cupti, err);
}

/* What the kernels were built for, and whether that includes this GPU. */
static int write_archs(struct recording *rec, int device, struct error *err)
{
	struct warning warning = {rec, err, 0};
	char notice[ARCH_NOTICE];

	if (recording_meta(rec, "binary_arch", CUDA_TARGETS, err) < 0)
		return -1;
	if (arch_notice(CUDA_TARGETS, device_capability(device), notice, sizeof(notice)))
		write_warning(&warning, notice);
	return warning.result;
}

/* The settings as they were given, with spaces between them. Values are whole numbers. */
static int write_settings(struct recording *rec, const struct record_options *options, struct error *err)
{
	char list[2048] = "";
	size_t used = 0;

	for (int i = 0; i < options->nsettings && used < sizeof(list); i++)
		used += (size_t)snprintf(
			list + used, sizeof(list) - used, "%s%s", i == 0 ? "" : " ", options->settings[i]);
	return options->nsettings == 0 ? 0 : recording_meta(rec, "settings", list, err);
}

/* Nsight Systems sets some of these variables itself. Another diagnostic says that it is there. */
static int write_environment(struct recording *rec, struct error *err)
{
	struct warning warning = {rec, err, 0};

	if (!record_under_nsys())
		environment_tell(write_warning, &warning);
	return warning.result;
}

static int write_meta(struct recording *rec, const struct session *s, struct error *err)
{
	char seed[24], device[16];

	snprintf(seed, sizeof(seed), "%" PRIu64, s->options->seed);
	snprintf(device, sizeof(device), "%d", s->options->device);
	if (recording_meta(rec, "dbprof", PACKAGE_VERSION, err) < 0 ||
		recording_meta(rec, "kind", "families", err) < 0 ||
		recording_meta(rec, "timing_method", TIMING_METHOD, err) < 0 ||
		recording_meta(rec, "seed", seed, err) < 0 || recording_meta(rec, "device", device, err) < 0)
		return -1;
	if (s->options->command && recording_meta(rec, "command", s->options->command, err) < 0)
		return -1;
	if (record_under_nsys() && recording_meta(rec, "nsys", "1", err) < 0)
		return -1;
	if (write_settings(rec, s->options, err) < 0 || write_environment(rec, err) < 0)
		return -1;
	if (write_time(rec, s->epoch, err) < 0 || write_archs(rec, s->options->device, err) < 0)
		return -1;
	return write_versions(rec, s, err);
}

static int write_device(struct recording *rec, const struct session *s, struct error *err)
{
	int major = 0, minor = 0;
	cudaError_t code = cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, s->options->device);

	if (code == cudaSuccess)
		code = cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, s->options->device);
	if (code != cudaSuccess)
		return cuda_error(err, code, "the GPU cannot be asked");
	if (device_write(rec, s->options->device, err) < 0)
		return -1;
	return describe_write(rec, s->options, major * 10 + minor, err);
}

static bool was_done(const struct session *s, enum pass pass)
{
	for (int i = 0; i < s->nruns; i++)
		if (s->runs[i].pass == pass && strcmp(s->runs[i].status, "done") == 0)
			return true;
	return false;
}

/* If a set cannot be read, its pass could not run, and said so. Values of a pass that could read it mean nothing
 * without it. */
static int write_metrics(struct recording *rec, const struct session *s, enum pass pass, struct error *err)
{
	struct metric_set *sets;
	struct error unread = {0};
	int n, result;

	if (metric_sets_load(pass, &sets, &n, &unread) < 0)
		return was_done(s, pass) ? error_set(err, "cannot write the metrics: %s", unread.text) : 0;
	result = metric_sets_write(rec, sets, n, err);
	metric_sets_free(sets, n);
	return result;
}

static int write_sets(struct recording *rec, const struct session *s, struct error *err)
{
	static const enum pass with_sets[] = {PASS_PM, PASS_COUNTERS};

	for (size_t i = 0; i < sizeof(with_sets) / sizeof(with_sets[0]); i++)
		if ((s->options->passes & 1u << with_sets[i]) != 0 && write_metrics(rec, s, with_sets[i], err) < 0)
			return -1;
	return 0;
}

static int write_pass(struct recording *rec, const struct pass_run *run, struct error *err)
{
	const struct value row[PASS_NUMBER] = {
		[PASS_family] = VALUE_OF_TEXT(run->family->name),
		[PASS_pass] = VALUE_OF_TEXT(pass_name(run->pass)),
		[PASS_status] = VALUE_OF_TEXT(run->status),
		[PASS_reason] = VALUE_OF_TEXT(run->reason.text[0] == '\0' ? NULL : run->reason.text),
		[PASS_start] = VALUE_OF_INT(run->start),
		[PASS_end] = VALUE_OF_INT(run->end),
		[PASS_run] = VALUE_OF_INT(run->number),
	};

	return recording_row(rec, TABLE_PASS, row, err);
}

/* Writes the rows of a worker. If it died, it may have left no file or a torn last row. The pass's reason explains
 * that. */
static int add_spool(struct recording *rec, const struct pass_run *run, struct error *err)
{
	bool torn;

	if (run->spool[0] == '\0' || access(run->spool, F_OK) != 0)
		return 0;
	return recording_add_spool(rec, run->spool, &torn, err);
}

static int write_all_rows(struct recording *rec, const struct session *s, struct error *err)
{
	if (write_meta(rec, s, err) < 0 || write_device(rec, s, err) < 0 || write_sets(rec, s, err) < 0)
		return -1;
	for (int i = 0; i < s->nruns; i++)
		if (write_pass(rec, &s->runs[i], err) < 0 || add_spool(rec, &s->runs[i], err) < 0)
			return -1;
	return 0;
}

int session_write(const struct session *session, struct error *err)
{
	struct recording *rec = recording_create(session->options->output, session->epoch, err);

	if (!rec)
		return -1;
	if (write_all_rows(rec, session, err) < 0) {
		recording_abandon(rec);
		return -1;
	}
	return recording_finish(rec, err);
}
