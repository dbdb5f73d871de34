/* communication.c: tables of communication between GPUs: per collective, NVTX range and GPU. */
#include "page/view/view.h"

#include "tree/tree.h"

/* The cells that all three tables have. Takes the reference to `name`. */
static json_t *communication_row(const json_t *entry, json_t *name)
{
	json_t *row = json_object();
	double busy = tree_real(entry, "busy_ns"), beside = tree_real(entry, "beside_ns");

	put_json(row, "name", name);
	view_put_text(row, "domain", tree_text(entry, "domain"));
	put_json(row, "count", view_count(tree_real(entry, "count")));
	put_json(row, "busy", view_time(busy));
	put_json(row, "beside", view_time(beside));
	put_json(row, "alone", view_time(tree_real(entry, "alone_ns")));
	put_json(row, "share", view_percent(beside / busy));
	return row;
}

static json_t *communication_rows(const json_t *list)
{
	json_t *rows = json_array();

	for (size_t i = 0; i < json_array_size(list); i++) {
		const json_t *entry = json_array_get(list, i);
		const char *name = tree_has(entry, "name") ? tree_text(entry, "name") : "copies between GPUs";

		append_json(rows, communication_row(entry, view_text("%s", name)));
	}
	return rows;
}

static json_t *communication_gpu_rows(const json_t *gpus)
{
	json_t *rows = json_array();

	for (size_t i = 0; i < json_array_size(gpus); i++) {
		const json_t *gpu = json_array_get(gpus, i);

		append_json(rows, communication_row(gpu, view_text("GPU %.0f", tree_real(gpu, "device"))));
	}
	return rows;
}

/* {"what", "rows"}: a table, or nothing if it has no rows. Takes the reference to `rows`. */
static void add_table(json_t *tables, const char *what, json_t *rows)
{
	json_t *table = json_object();

	put_json(table, "what", view_text("%s", what));
	put_json(table, "rows", json_incref(rows));
	if (json_array_size(rows) > 0)
		append_json(tables, json_incref(table));
	json_decref(rows);
	json_decref(table);
}

void view_communication(const json_t *program, json_t *out)
{
	const json_t *communication = json_object_get(program, "communication");
	json_t *tables = json_array(), *object = json_object();
	double left_out = tree_real(communication, "names_left_out") + tree_real(communication, "ranges_left_out");

	if (json_is_object(communication)) {
		add_table(tables, "collective", communication_rows(json_object_get(communication, "collectives")));
		add_table(tables, "NVTX range", communication_rows(json_object_get(communication, "ranges")));
		add_table(tables, "GPU", communication_gpu_rows(json_object_get(communication, "gpus")));
	}
	put_json(object, "tables", tables);
	view_put_text(object, "text", tree_text(communication, "text"));
	put_json(object, "left_out",
		left_out > 0 ? view_text("Names that are left out: %.0f, with less time.", left_out) : json_null());
	put_json(out, "communication", json_is_object(communication) ? json_incref(object) : json_null());
	json_decref(object);
}
