/* recording-fixed.c: the tables that every recording has, in the form that Nsight Systems gives them. */
#include "config.h"

#include "store/recording-private.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/utsname.h>
#include <time.h>

#include "store/enums.h"
#include "store/row.h"
#include "util/alloc.h"

/* Tables of an export. dbprof fills them itself or leaves them empty, as Nsight Systems often does. */
static const char fixed_tables[] =
	"CREATE TABLE StringIds (id INTEGER NOT NULL PRIMARY KEY, value TEXT NOT NULL);"
	"CREATE TABLE META_DATA_CAPTURE (name TEXT NOT NULL, value TEXT);"
	"CREATE TABLE META_DATA_EXPORT (name TEXT NOT NULL, value TEXT);"
	"CREATE TABLE TARGET_INFO_SYSTEM_ENV (globalVid INTEGER, devStateName TEXT NOT NULL, name TEXT NOT NULL,"
	" nameEnum INTEGER NOT NULL, value TEXT NOT NULL);";

/* Nsight Systems leaves out tables of events without rows; its statistics then say "does not contain". So do we. */
static bool only_with_rows(enum table_id id)
{
	return id == TABLE_KERNEL || id == TABLE_MEMCPY || id == TABLE_MEMSET || id == TABLE_RUNTIME ||
	       id == TABLE_SYNCHRONIZATION || id == TABLE_CUDAEVENT || id == TABLE_GRAPHTRACE || id == TABLE_NVTX;
}

static int make_enum(struct recording *rec, const struct enum_table *table, struct error *err)
{
	char *sql = sqlite3_mprintf(
		"CREATE TABLE \"%w\" (id INTEGER NOT NULL PRIMARY KEY, name TEXT, label TEXT)", table->name);
	int rc = recording_exec(rec, sql, err);

	sqlite3_free(sql);
	for (size_t i = 0; rc == 0 && i < table->nrows; i++) {
		const struct enum_row *row = &table->rows[i];

		sql = sqlite3_mprintf(
			"INSERT INTO \"%w\" VALUES (%d, %Q, %Q)", table->name, row->id, row->name, row->label);
		rc = recording_exec(rec, sql, err);
		sqlite3_free(sql);
	}
	return rc;
}

static int export_fact(struct recording *rec, const char *name, const char *value, struct error *err)
{
	char *sql = sqlite3_mprintf("INSERT INTO META_DATA_EXPORT VALUES (%Q, %Q)", name, value);
	int rc = recording_exec(rec, sql, err);

	sqlite3_free(sql);
	return rc;
}

static void format_time(time_t seconds, bool local, const char *format, char *text, size_t size)
{
	struct tm parts = {0};

	if (!(local ? localtime_r(&seconds, &parts) : gmtime_r(&seconds, &parts)) ||
		strftime(text, size, format, &parts) == 0)
		*text = '\0';
}

static int export_machine(struct recording *rec, struct error *err)
{
	struct utsname system = {0};
	char utc[40], local[40];
	time_t now = time(NULL);

	format_time(now, false, "%Y-%m-%dT%H:%M:%S", utc, sizeof(utc));
	format_time(now, true, "%Y-%m-%dT%H:%M:%S %z %Z", local, sizeof(local));
	uname(&system);
	if (export_fact(rec, "EXPORT_PLATFORM", "linux-desktop", err) != 0 ||
		export_fact(rec, "EXPORT_ARCH", system.machine, err) != 0 ||
		export_fact(rec, "EXPORT_TIME_UTC", utc, err) != 0)
		return -1;
	return export_fact(rec, "EXPORT_TIME_LOCAL", local, err);
}

/* What Nsight Systems says about an export. Names of users, hosts and files are left empty: a recording is made to be
 * shared. */
static int make_export_facts(struct recording *rec, struct error *err)
{
	static const char *const facts[][2] = {
		{"EXPORT_PRODUCT_NAME", "dbprof"},
		{"EXPORT_PRODUCT_VERSION", PACKAGE_VERSION},
		{"EXPORT_PRODUCT_DATE", ""},
		{"EXPORT_SCHEMA_VERSION", "3.20.3"},
		{"EXPORT_SCHEMA_VERSION_MAJOR", "3"},
		{"EXPORT_SCHEMA_VERSION_MINOR", "20"},
		{"EXPORT_SCHEMA_VERSION_MICRO", "3"},
		{"EXPORT_SCHEMA_VERSION_CKSUM", ""},
		{"EXPORT_HOST", ""},
		{"EXPORT_USER", ""},
		{"EXPORT_PARAM_INPUT_FILE", ""},
		{"EXPORT_PARAM_OUTPUT_FILE", ""},
		{"EXPORT_PARAM_INPUT_PATH", ""},
		{"EXPORT_PARAM_OUTPUT_PATH", ""},
		{"EXPORT_PARAM_INPUT_PATH_ABS", ""},
		{"EXPORT_PARAM_OUTPUT_PATH_ABS", ""},
		{"EXPORT_PARAM_OVERWRITE", "true"},
		{"EXPORT_PARAM_APPEND", "false"},
		{"EXPORT_PARAM_LAZY", "true"},
		{"EXPORT_PARAM_TIME_NORMALIZE", "false"},
		{"EXPORT_PARAM_TIME_SHIFT", "0"},
		{"EXPORT_PARAM_TABLES_TO_EXPORT", ""},
		{"EXPORT_PARAM_TIMES_TO_EXPORT", ""},
		{"EXPORT_CONFIG_TIME_SHIFT", "0"},
		{"EXPORT_TIME", ""},
	};

	for (size_t i = 0; i < sizeof(facts) / sizeof(*facts); i++)
		if (export_fact(rec, facts[i][0], facts[i][1], err) != 0)
			return -1;
	return export_machine(rec, err);
}

static int make_session(struct recording *rec, struct error *err)
{
	char utc[32], local[32];
	struct value row[SESSION_NUMBER] = {
		[SESSION_utcEpochNs] = VALUE_OF_INT(rec->epoch_ns),
		[SESSION_utcTime] = VALUE_OF_TEXT(utc),
		[SESSION_localTime] = VALUE_OF_TEXT(local),
	};

	format_time((time_t)(rec->epoch_ns / 1000000000), false, "%Y-%m-%dT%H:%M:%S", utc, sizeof(utc));
	format_time((time_t)(rec->epoch_ns / 1000000000), true, "%Y-%m-%dT%H:%M:%S", local, sizeof(local));
	return recording_row(rec, TABLE_SESSION, row, err);
}

static int make_schema(struct recording *rec, struct error *err)
{
	if (recording_exec(rec, fixed_tables, err) != 0)
		return -1;
	for (size_t i = 0; i < enum_tables_count; i++)
		if (make_enum(rec, &enum_tables[i], err) != 0)
			return -1;
	for (int id = 0; id < TABLES_NUMBER; id++)
		if (!only_with_rows((enum table_id)id) && recording_make_table(rec, (enum table_id)id, err) != 0)
			return -1;
	return 0;
}

int recording_fixed_begin(struct recording *rec, struct error *err)
{
	char version[16];

	if (make_schema(rec, err) != 0)
		return -1;
	if (sqlite3_prepare_v2(rec->db, "INSERT INTO StringIds VALUES (?, ?)", -1, &rec->insert_name, NULL) !=
		SQLITE_OK)
		return recording_error(rec, err);
	snprintf(version, sizeof(version), "%d", RECORDING_VERSION);
	if (make_export_facts(rec, err) != 0 || make_session(rec, err) != 0)
		return -1;
	return recording_meta(rec, "version", version, err);
}

/* Whether the row tells a device and a process. The process id is bits 24 to 47 of globalPid. */
static bool user_of(enum table_id id, const struct value *row, struct device_user *user)
{
	int device = id == TABLE_KERNEL ? KERNEL_deviceId : id == TABLE_MEMCPY ? MEMCPY_deviceId : MEMSET_deviceId;
	int pid = id == TABLE_KERNEL ? KERNEL_globalPid : id == TABLE_MEMCPY ? MEMCPY_globalPid : MEMSET_globalPid;

	if (value_is_null(&row[device]) || value_is_null(&row[pid]))
		return false;
	*user = (struct device_user){row[device].integer, row[pid].integer >> 24 & 0xffffff};
	return true;
}

void recording_note_user(struct recording *rec, enum table_id id, const struct value *row)
{
	struct device_user user;

	if (!user_of(id, row, &user))
		return;
	/* Rows of one process come together: the last ones are the likely ones. */
	for (size_t i = rec->nusers; i-- > 0;)
		if (rec->users[i].device == user.device && rec->users[i].pid == user.pid)
			return;
	rec->users = xreallocarray(rec->users, rec->nusers + 1, sizeof(*rec->users));
	rec->users[rec->nusers++] = user;
}

static int add_cuda_device(struct recording *rec, const struct device_user *user, struct error *err)
{
	char *sql = sqlite3_mprintf("INSERT INTO TARGET_INFO_CUDA_DEVICE VALUES "
				    "((SELECT min(id) FROM TARGET_INFO_GPU WHERE cuDevice = %lld), %lld, %lld)",
		(long long)user->device, (long long)user->device, (long long)user->pid);
	int rc = recording_exec(rec, sql, err);

	sqlite3_free(sql);
	return rc;
}

int recording_fixed_end(struct recording *rec, struct error *err)
{
	for (size_t i = 0; i < rec->nusers; i++)
		if (add_cuda_device(rec, &rec->users[i], err) != 0)
			return -1;
	return 0;
}
