/* cells.c: see cells.h. */
#include "export/cells.h"

#include <math.h>

#include "export/state.h"
#include "export/text.h"

void csv_header(struct export *ex, const char *columns)
{
	strbuf_puts(&ex->text, columns);
	csv_end(ex);
}

/* Cells after the first begin with their comma; the first may be empty. */
static void comma(struct export *ex)
{
	if (ex->in_row)
		strbuf_add(&ex->text, ",", 1);
	ex->in_row = true;
}

void csv_int(struct export *ex, int64_t number)
{
	comma(ex);
	text_int(&ex->text, number);
}

void csv_text(struct export *ex, const char *string)
{
	comma(ex);
	text_cell(&ex->text, string);
}

void csv_real(struct export *ex, double number)
{
	comma(ex);
	if (isfinite(number))
		text_real(&ex->text, number);
}

void csv_column(struct export *ex, const struct cursor *row, int column)
{
	if (cursor_null(row, column))
		csv_text(ex, NULL);
	else
		csv_int(ex, cursor_int(row, column));
}

void csv_end(struct export *ex)
{
	strbuf_puts(&ex->text, "\r\n");
	ex->in_row = false;
}

void csv_times(struct export *ex, int64_t start, int64_t end)
{
	csv_int(ex, start);
	csv_int(ex, end);
	csv_int(ex, end - start);
}
