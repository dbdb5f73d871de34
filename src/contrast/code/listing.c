/* listing.c: see listing.h. nvdisasm prints, of each kernel:
 *
 *     .text._Z3addPf:
 *     	//## File "/a/inner.h", line 5 inlined at "/a/x.cu", line 9
 *     	//## File "/a/x.cu", line 9
 *             /_*0010*_/              @!P0 BRA `(.L_x_1) ;
 *     .L_x_1:
 *
 * What is not known of a line is passed over. */
#include "contrast/code/listing.h"

#include <stdlib.h>
#include <string.h>

#include "util/alloc.h"
#include "util/utf8.h"

#define SECTION_PREFIX ".text."
#define FILE_PREFIX "//## File \""

/* Names of what has no file: PTX that is embedded for debuggers. */
#define NO_FILE_PREFIX ".nv_debug"

/* More calls inside each other, and more files, are not kept. */
enum { FRAMES_MOST = 64, FILES_MOST = 256, FILE_NAME_MOST = 4096 };

/* Numbers of lines that are larger are no such. */
static const int64_t line_most = 100000000;

struct source_frame {
	const char *file; /* a name in listing.files */
	int64_t line;
};

static const char *listing_skip_blanks(const char *c)
{
	return c + strspn(c, " \t");
}

/* ---- source lines ---- */

/* The listing's own copy of a name; NULL where there are too many. */
static const char *listing_file(struct listing *out, const char *name, size_t length)
{
	for (size_t i = out->nfiles; i-- > 0;)
		if (strlen(out->files[i]) == length && memcmp(out->files[i], name, length) == 0)
			return out->files[i];
	if (out->nfiles == FILES_MOST)
		return NULL;
	xgrow(&out->files, out->nfiles, &out->files_room, sizeof(*out->files));
	out->files[out->nfiles] = xstrndup(name, length);
	return out->files[out->nfiles++];
}

/* Reads `NAME", line N` and sets *rest behind it. False if it is no such place. */
static bool read_source_place(struct listing *out, const char *text, struct source_frame *place, const char **rest)
{
	static const char line_words[] = "\", line ";
	const char *end = strstr(text, line_words);
	char *behind;

	if (!end || end == text || end - text > FILE_NAME_MOST ||
		strncmp(text, NO_FILE_PREFIX, strlen(NO_FILE_PREFIX)) == 0)
		return false;
	place->line = strtoll(end + strlen(line_words), &behind, 10);
	*rest = behind;
	if (place->line < 1 || place->line > line_most)
		return false;
	place->file = listing_file(out, text, (size_t)(end - text));
	return place->file != NULL;
}

static void add_frame(struct listing_reading *reading, struct source_frame frame)
{
	if (reading->nframes == FRAMES_MOST)
		return;
	xgrow(&reading->frames, reading->nframes, &reading->frames_room, sizeof(*reading->frames));
	reading->frames[reading->nframes++] = frame;
}

/* The innermost place in the file of the outermost one: that is the kernel's file. So a function of the same file is
 * told by its own line, and one of a library by the line that calls it. */
static void choose_frame(struct listing_reading *reading, struct source_frame outermost)
{
	reading->file = outermost.file;
	reading->line = outermost.line;
	for (size_t i = reading->nframes; i-- > 0;)
		if (reading->frames[i].file == outermost.file)
			reading->line = reading->frames[i].line;
}

static void read_frame(struct listing_reading *reading, const char *text)
{
	static const char at_words[] = " inlined at \"";
	struct source_frame place, caller = {0};
	const char *rest;

	if (!reading->is_framing)
		reading->nframes = 0;
	reading->is_framing = true;
	if (!read_source_place(reading->out, text, &place, &rest)) {
		/* Its code is not that of the place before. PTX has no file, and stands beside the place. */
		if (reading->nframes == 0 && strncmp(text, NO_FILE_PREFIX, strlen(NO_FILE_PREFIX)) != 0)
			reading->file = NULL, reading->line = 0;
		return;
	}
	add_frame(reading, place);
	/* The line that follows has the caller too, unless the list is cut off. */
	if (strncmp(rest, at_words, strlen(at_words)) != 0 ||
		!read_source_place(reading->out, rest + strlen(at_words), &caller, &rest))
		caller = place;
	choose_frame(reading, caller);
}

/* ---- instructions ---- */

/* One line of valid UTF-8, without the blanks and the semicolon at its end. For free(). */
static char *instruction_text(const char *text)
{
	const char *encoding = strstr(text, "/*");
	size_t length = encoding ? (size_t)(encoding - text) : strlen(text);
	char *clean;

	while (length > 0 && strchr(" \t\r;", text[length - 1]))
		length--;
	clean = utf8_visible(text, length < LISTING_TEXT ? length : LISTING_TEXT);
	return clean;
}

/* Offsets grow. What says otherwise is another section's. */
static bool follows(const struct listing *out, uint64_t offset)
{
	return out->n == 0 || offset > out->list[out->n - 1].offset;
}

static void read_instruction(struct listing_reading *reading, const char *text)
{
	struct listing *out = reading->out;
	char *end;
	uint64_t offset = strtoull(text, &end, 16);

	if (end == text || strncmp(end, "*/", 2) != 0 || !follows(out, offset))
		return;
	text = listing_skip_blanks(end + 2);
	/* Data in a section of code. */
	if (*text == '.' || *text == '\0')
		return;
	if (out->n == LISTING_INSTRUCTIONS) {
		out->is_cut = true;
		return;
	}
	xgrow(&out->list, out->n, &out->room, sizeof(*out->list));
	out->list[out->n++] = (struct instruction){.offset = offset,
		.text = instruction_text(text),
		.label = reading->label,
		.file = reading->file,
		.line = reading->line};
	reading->label = NULL;
}

/* ---- labels and sections ---- */

/* Whether the line is "NAME:"; *length is that of the name. */
static bool is_jump_label(const char *line, size_t *length)
{
	*length = strcspn(line, ": \t");
	return *length > 0 && *length < LISTING_TEXT && line[*length] == ':';
}

static void begin_section(struct listing_reading *reading, const char *name, size_t length)
{
	reading->is_inside =
		reading->out->n == 0 && strlen(reading->symbol) == length && memcmp(name, reading->symbol, length) == 0;
	reading->file = NULL;
	reading->line = 0;
	reading->nframes = 0;
}

/* The last label before an instruction is kept: they mean the same place. */
static void keep_label(struct listing_reading *reading, const char *name, size_t length)
{
	free(reading->label);
	reading->label = utf8_visible(name, length);
}

void listing_read_line(struct listing_reading *reading, const char *line)
{
	const size_t prefix = strlen(SECTION_PREFIX);
	const char *text = listing_skip_blanks(line);
	bool was_framing = reading->is_framing;
	size_t length;

	reading->is_framing = false;
	/* The name of a kernel may be as long as it likes. */
	if (strncmp(text, SECTION_PREFIX, prefix) == 0 && strchr(text, ':')) {
		begin_section(reading, text + prefix, (size_t)(strrchr(text, ':') - text) - prefix);
	} else if (strncmp(text, ".section", strlen(".section")) == 0) {
		reading->is_inside = false;
	} else if (!reading->is_inside) {
		return;
	} else if (strncmp(text, FILE_PREFIX, strlen(FILE_PREFIX)) == 0) {
		reading->is_framing = was_framing;
		read_frame(reading, text + strlen(FILE_PREFIX));
	} else if (strncmp(text, "/*", 2) == 0) {
		read_instruction(reading, text + 2);
	} else if ((text[0] == '.' || text[0] == '$') && is_jump_label(text, &length)) {
		keep_label(reading, text, length);
	}
}

void listing_read_end(struct listing_reading *reading)
{
	free(reading->label);
	free(reading->frames);
	*reading = (struct listing_reading){0};
}

void listing_free(struct listing *listing)
{
	for (size_t i = 0; i < listing->n; i++) {
		free(listing->list[i].text);
		free(listing->list[i].label);
	}
	for (size_t i = 0; i < listing->nfiles; i++)
		free(listing->files[i]);
	free(listing->list);
	free(listing->files);
	*listing = (struct listing){0};
}
