/* options.h: which recordings are to be compared, and how. */
#ifndef DBPROF_MODEL_PAIR_OPTIONS_H
#define DBPROF_MODEL_PAIR_OPTIONS_H

/* Strings are borrowed for the length of the call. */
struct pair_options {
	const char *base, *fresh;  /* paths of recordings */
	double threshold;          /* times nearer than this share count as the same: 0.01 */
	const char *const *only;   /* FAMILY[/VARIANT[/CASE]]: what to compare */
	int nonly;                 /* 0: everything */
	const char *const *redact; /* as in model.h */
	const char *version;       /* of dbprof */
};

#endif
