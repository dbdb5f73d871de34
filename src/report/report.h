/*
 * report.h: the report side. Recordings in; index.html, report.json and plots/ out. Needs no GPU.
 *
 * Everything is made in a hidden folder inside the report's folder and then moved file by file, each whole: first
 * report.json, which lists the report's files, then what lies beside the page, and index.html last. The page holds its
 * figures itself, and it and report.json carry the report's id. So whoever kills dbprof at any moment finds an old page
 * or a new one, whole, and can tell whether report.json belongs to it; the next report in the folder clears away what
 * is left. Two dbprof that write to one folder wait for each other (flock): the report that is there in the end is that
 * of the last.
 */
#ifndef DBPROF_REPORT_REPORT_H
#define DBPROF_REPORT_REPORT_H

#include <jansson.h>

#include "report/options.h"
#include "util/error.h"

/* Writes the report, and hands back in *tree what report.json holds (docs/report-json.md): a new reference, or NULL
 * where it fails; `tree` may be NULL. Where anything fails before the first file is moved, an older report is as it
 * was; after that, an older index.html is. Files that are not of an older report stay: where one is in the way, nothing
 * is written. */
enum report_status report_write(const struct report_options *options, json_t **tree, struct error *err);

/* Makes nothing but the tree, with its sentences, and writes no file. A new reference in *tree, NULL where it fails. */
enum report_status report_read(const struct report_options *options, json_t **tree, struct error *err);

/* Whether the folder `dir`, which need not be there, can have a report: REPORT_BAD_INPUT with `err` if it holds an
 * index.html or report.json of its own, which are not of an earlier report. */
enum report_status report_check_folder(const char *dir, struct error *err);

#endif
