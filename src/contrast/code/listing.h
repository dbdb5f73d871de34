/* listing.h: what `nvdisasm -gi -c` prints, as instructions with their source lines. The text is a stranger's: nothing
 * in it makes more of a listing than its limits. */
#ifndef DBPROF_CONTRAST_CODE_LISTING_H
#define DBPROF_CONTRAST_CODE_LISTING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analyze/analyze.h"

/* A kernel has at most so many instructions in a recording, and a text so many characters. */
enum { LISTING_INSTRUCTIONS = ASM_INSTRUCTIONS_MOST, LISTING_TEXT = 400 };

/* An instruction. All is owned by the listing. */
struct instruction {
	uint64_t offset;  /* bytes from the kernel's begin */
	char *text;       /* one line of valid UTF-8: "@!P0 BRA `(.L_x_1)" */
	char *label;      /* what jumps call this place, ".L_x_1"; NULL: nothing jumps here */
	const char *file; /* path, as the compiler was given it; NULL: unknown. A name in listing.files */
	int64_t line;     /* from 1; 0: unknown */
};

/* The code of one kernel. Begins as {0}; listing_free() ends it. */
struct listing {
	struct instruction *list;
	size_t n, room;
	bool is_cut; /* it has more than LISTING_INSTRUCTIONS */
	char **files;
	size_t nfiles, files_room;
};

/* What is known while lines are read. Begins as {.symbol, .out}; listing_read_end() ends it. */
struct listing_reading {
	const char *symbol; /* mangled name of the kernel that is wanted; borrowed */
	struct listing *out;
	bool is_inside;   /* its section is being read */
	char *label;      /* that stands before the next instruction */
	const char *file; /* of the next instruction */
	int64_t line;
	struct source_frame *frames; /* of the calls that were inlined there, the innermost first */
	size_t nframes, frames_room;
	bool is_framing; /* the last line was one of them */
};

/* Takes one line, without its line break. */
void listing_read_line(struct listing_reading *reading, const char *line);
void listing_read_end(struct listing_reading *reading);

void listing_free(struct listing *listing);

#endif
