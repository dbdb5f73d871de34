/* ptx.h: instructions of PTX by kind. */
#ifndef DBPROF_ANALYZE_PTX_H
#define DBPROF_ANALYZE_PTX_H

/* Instructions of one PTX entry, by kind. */
enum ptx_kind {
	PTX_LOAD_SHARED,
	PTX_STORE_SHARED,
	PTX_LOAD_GLOBAL,
	PTX_STORE_GLOBAL,
	PTX_SHUFFLE,
	PTX_BARRIER,
	PTX_ARITHMETIC,
	PTX_MOVE,
	PTX_PREDICATE,
	PTX_BRANCH,
	PTX_OTHER,
	PTX_KINDS
};
const char *ptx_kind_name(enum ptx_kind kind); /* "shared loads" ... */

/* The kind of one line of PTX, or -1 if it is no instruction (label, directive, comment, brace, blank). Copies between
 * global and shared memory (cp.async) count as global loads or stores. Loads and stores elsewhere (param, local, const,
 * generic), atomics, fences and votes count as other. */
int ptx_classify(const char *line);

#endif
