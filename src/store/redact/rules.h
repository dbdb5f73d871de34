/* rules.h: what a redacted reader hands out of each column of text. */
#ifndef DBPROF_STORE_REDACT_RULES_H
#define DBPROF_STORE_REDACT_RULES_H

#include <stdbool.h>

#include "store/schema.h"

enum redact_kind {
	REDACT_NAME,    /* somebody's name: a hash of it, unless dbprof has it too */
	REDACT_KERNEL,  /* the same of a kernel: its mangled name has the hash of its plain one in it */
	REDACT_DROP,    /* nothing */
	REDACT_SAID,    /* a text for a person, which may hold anything: words that it is left out */
	REDACT_OWN,     /* kept in rows of dbprof's own families and metric sets, else nothing */
	REDACT_REASON,  /* the same, else as REDACT_SAID */
	REDACT_TITLE,   /* the same, else what stands for the row's name */
	REDACT_WORD,    /* one of dbprof's words, or a hash */
	REDACT_CALL,    /* a function of the CUDA API, or a hash */
	REDACT_METRICS, /* CUPTI's names of metrics with spaces between, or a hash */
	REDACT_ARCH,    /* architectures such as "sm_90a compute_80", or nothing */
	REDACT_GPU,     /* the name of a GPU, or a hash */
	REDACT_DIGITS,  /* numbers of versions and dates: digits and the signs between them, or nothing */
	REDACT_RANGE    /* the text of an NVTX range: of dbprof's own ranges the parts, else a hash */
};

struct redact_rule {
	enum redact_kind kind;
	const char *prefix; /* before a hash: "kernel" */
};

/* The rule of a column. A column that the table of rules lacks is somebody's name. */
struct redact_rule redact_rule_of(enum table_id table, int column);

/* The rule of a value of DBPROF_META. A key that the table of rules lacks is dropped. */
struct redact_rule redact_rule_of_meta(const char *key);

/* What dbprof itself writes into columns of words: passes, reasons of stalls ... */
bool redact_knows_word(const char *text);

/* The metric sets that come with dbprof. */
bool redact_knows_set(const char *name);

/* Whether a text has the form that `kind`, one of those from REDACT_CALL to REDACT_DIGITS, asks for. */
bool redact_has_form(enum redact_kind kind, const char *text);

#endif
