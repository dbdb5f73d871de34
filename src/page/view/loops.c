/* loops.c: the loops that would gain nothing, and the work outside of all loops. */
#include "page/view/view.h"

#include "tree/tree.h"
#include "util/clip.h"
#include "util/format.h"

enum { LOOP_TEXT = 1024 };

/* "range load in train, GPU 0", "a loop of process 7 in 2 threads, GPU 0". */
static json_t *loop_name(const json_t *loop)
{
	char text[LOOP_TEXT] = "";

	if (tree_has(loop, "range"))
		clip_append(text, sizeof(text), "range %.400s", tree_text(loop, "range"));
	else
		clip_append(text, sizeof(text), "a loop");
	if (tree_has(loop, "within"))
		clip_append(text, sizeof(text), " in %.200s", tree_text(loop, "within"));
	if (tree_real(loop, "process") > 0)
		clip_append(text, sizeof(text), " of process %.0f", tree_real(loop, "process"));
	if (tree_real(loop, "threads") > 1)
		clip_append(text, sizeof(text), " in %.0f threads", tree_real(loop, "threads"));
	clip_append(text, sizeof(text), ", GPU %.0f", tree_real(loop, "device"));
	return view_text("%s", text);
}

/* "312 µs, 0.4 %"; "nothing to overlap" where only one kind of work runs, but for migrations of managed memory. */
static json_t *loop_gain(const json_t *loop)
{
	char gain[FORMAT_SIZE], share[FORMAT_SIZE];

	if (!tree_has(loop, "gain_ns"))
		return view_text("%s",
			tree_true(json_object_get(loop, "managed"), "matters") ? "not known" : "nothing to overlap");
	return view_text("%s, %s", format_time_ns(gain, sizeof(gain), tree_real(loop, "gain_ns")),
		format_percent(share, sizeof(share), tree_real(loop, "share")));
}

static json_t *loop_row(const json_t *loop)
{
	const json_t *late = json_object_get(loop, "host_late"), *managed = json_object_get(loop, "managed");
	json_t *row = json_object();

	put_json(row, "name", loop_name(loop));
	put_json(row, "rounds", view_count(tree_real(loop, "iterations")));
	put_json(row, "span", view_time(tree_real(loop, "loop_ns")));
	put_json(row, "round", view_time(tree_real(loop, "round_ns")));
	put_json(row, "gain", loop_gain(loop));
	put_json(row, "both", view_time(tree_real(loop, "duplex_ns")));
	put_json(row, "late", json_is_object(late) ? view_percent(tree_real(late, "share")) : view_text("not known"));
	view_put_sentence(row, "text", tree_text(late, "text"));
	view_put_sentence(row, "managed", tree_text(managed, "text"));
	view_put_sentence(row, "advice", tree_text(managed, "advice"));
	return row;
}

/* "24 copies (1.44 GiB) take 28.1 ms and 496 kernels 40.1 ms." Null if there are none. */
static json_t *outside_text(const json_t *outside)
{
	double copies = tree_real(outside, "copies"), kernels = tree_real(outside, "kernels");
	char count[FORMAT_SIZE], bytes[FORMAT_SIZE], time[FORMAT_SIZE], kernel_count[FORMAT_SIZE],
		kernel_time[FORMAT_SIZE];

	if (!(copies > 0) && !(kernels > 0))
		return json_null();
	format_time_ns(time, sizeof(time), tree_real(outside, "copy_ns"));
	format_time_ns(kernel_time, sizeof(kernel_time), tree_real(outside, "kernel_ns"));
	return view_text("Copies: %s (%s), %s. Kernels: %s, %s.", format_count(count, sizeof(count), copies),
		format_bytes(bytes, sizeof(bytes), tree_real(outside, "bytes")), time,
		format_count(kernel_count, sizeof(kernel_count), kernels), kernel_time);
}

void view_loops(const json_t *program, json_t *out)
{
	const json_t *loops = json_object_get(program, "other_loops"), *loop;
	double left_out = tree_real(program, "other_loops_left_out");
	json_t *object, *outside = outside_text(json_object_get(program, "outside")), *rows = json_array();
	bool none = json_array_size(loops) == 0 && json_array_size(json_object_get(program, "pays")) == 0;
	size_t i;

	json_array_foreach(loops, i, loop) append_json(rows, loop_row(loop));
	if (json_array_size(rows) == 0 && json_is_null(outside)) {
		json_decref(rows);
		put_json(out, "loops", json_null());
		return;
	}
	object = json_object();
	put_json(object, "title",
		view_text("%s", none                    ? "All work: no loop was found"
				: json_is_null(outside) ? "Other loops"
				: json_array_size(rows) ? "Other loops, and work outside of loops"
							: "Work outside of loops"));
	view_put_list(object, "rows", rows);
	put_json(object, "outside", outside);
	put_json(object, "left_out",
		left_out > 0 ? view_text("%.0f more loop%s take%s less.", left_out, left_out == 1 ? "" : "s",
				       left_out == 1 ? "s" : "")
			     : json_null());
	put_json(out, "loops", object);
}
