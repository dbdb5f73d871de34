/* names.h: a kernel's name as people read it. */
#ifndef DBPROF_RECORD_CUPTI_NAMES_H
#define DBPROF_RECORD_CUPTI_NAMES_H

#include <stddef.h>

/* The base name in a demangled one, without return type, namespaces, template arguments and parameters:
 * "void ns::scan<(int)256>(float const*)" gives "scan". Cut off if `out` is too small. */
void name_short(const char *demangled, char *out, size_t size);

/* The three names of one kernel; where nothing can be demangled, all three are the same. */
struct kernel_name {
	char *mangled, *demangled, *short_;
};

/* Names met so far; zeroed at first. */
struct kernel_names {
	struct kernel_name *all;
	size_t n, room;
	size_t *slots;       /* hash table: 1 + the place in `all`, 0 for a free slot */
	size_t nslots;       /* a power of two, more than twice as many as there are names; or 0 */
	size_t guesses[256]; /* the same by the address of the text that was asked for: most texts come again from there
			      */
};

/* Looks up or makes the names; the pointer is good until the next call, its texts until the names are freed. */
const struct kernel_name *kernel_names_get(struct kernel_names *names, const char *mangled);
void kernel_names_free(struct kernel_names *names);

#endif
