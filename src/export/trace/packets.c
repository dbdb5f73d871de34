/* packets.c: see packets.h. A slice is a packet at its start and one at its end. Packets of a sequence come in the
 * order of time, so a time stamp is what has passed since the packet before. What goes back in time begins a new
 * sequence, and so does a text too many: the texts of a sequence have numbers, and the reader forgets them with it. So
 * memory is bounded, whatever the number of events and names. A packet of the file holds some thousands of these,
 * compressed. */
#include "export/trace/packets.h"

#include <math.h>
#include <stdlib.h>
#include <zlib.h>

#include "export/state.h"
#include "export/trace/interned.h"
#include "export/trace/open-ends.h"
#include "export/trace/packet-fields.h"
#include "export/trace/protobuf.h"
#include "export/trace/slices.h"
#include "util/alloc.h"

/* Of the packets that are compressed together. The format asks for less than 512 KB behind compression. */
enum { BLOCK_BYTES = 1 << 17 };

struct packets {
	struct interned texts;    /* of the sequence; their kinds are fields of InternedData */
	struct interned counters; /* tracks of counters; their kinds are uuids of groups */
	struct strbuf fresh;      /* InternedData that the next packet has to bring */
	struct open_ends ends;
	uint32_t sequence;
	int64_t begun; /* start of the latest event */
	int64_t last;  /* time of the latest packet whose time stamp is relative */
	uint64_t uuids;
	struct strbuf packet, event, inner, entry; /* in the making */
	struct strbuf block;                       /* packets that are not written yet */
};

static struct packets *packets_of(const struct export *ex)
{
	return trace_of(ex)->packets;
}

/* ---- packets ---- */

/* `to` becomes what `from` is, compressed as the format wants it: a stream of zlib. */
static void compress_block(struct strbuf *to, const struct strbuf *from)
{
	uLongf size = compressBound(from->length);
	Bytef *bytes = xmalloc(size);

	if (compress2(bytes, &size, (const Bytef *)from->text, from->length, Z_BEST_SPEED) != Z_OK)
		out_of_memory();
	strbuf_clear(to);
	strbuf_add(to, bytes, size);
	free(bytes);
}

static void put_block(struct export *ex, struct packets *packets)
{
	struct strbuf *packed = &packets->packet;

	if (packets->block.length == 0)
		return;
	strbuf_clear(packed);
	compress_block(&packets->entry, &packets->block);
	protobuf_message(packed, PF_PACKET_compressed_packets, &packets->entry);
	protobuf_message(&ex->text, PF_TRACE_packet, packed);
	strbuf_clear(&packets->block);
}

static void put_packet(struct export *ex, struct packets *packets)
{
	protobuf_message(&packets->block, PF_TRACE_packet, &packets->packet);
	if (packets->block.length >= BLOCK_BYTES)
		put_block(ex, packets);
}

static void put_clock(struct packets *packets, uint64_t id, bool is_incremental)
{
	strbuf_clear(&packets->entry);
	protobuf_int(&packets->entry, PF_CLOCK_clock_id, id);
	protobuf_int(&packets->entry, PF_CLOCK_timestamp, 0);
	if (is_incremental)
		protobuf_int(&packets->entry, PF_CLOCK_is_incremental, 1);
	protobuf_message(&packets->inner, PF_SNAPSHOT_clocks, &packets->entry);
}

/* Its clock begins with the recording's, and a time stamp is relative where no clock is named. */
static void begin_sequence(struct export *ex, struct packets *packets)
{
	interned_clear(&packets->texts);
	strbuf_clear(&packets->fresh);
	packets->sequence++;
	packets->last = 0;
	strbuf_clear(&packets->packet);
	strbuf_clear(&packets->inner);
	put_clock(packets, PF_CLOCK_OF_SEQUENCE, true);
	put_clock(packets, PF_CLOCK_BOOTTIME, false);
	protobuf_int(&packets->inner, PF_SNAPSHOT_primary_trace_clock, PF_CLOCK_BOOTTIME);
	protobuf_message(&packets->packet, PF_PACKET_clock_snapshot, &packets->inner);
	protobuf_int(&packets->packet, PF_PACKET_trusted_packet_sequence_id, packets->sequence);
	protobuf_int(&packets->packet, PF_PACKET_sequence_flags, SEQ_INCREMENTAL_STATE_CLEARED);
	strbuf_clear(&packets->inner);
	protobuf_int(&packets->inner, PF_DEFAULTS_timestamp_clock_id, PF_CLOCK_OF_SEQUENCE);
	protobuf_message(&packets->packet, PF_PACKET_trace_packet_defaults, &packets->inner);
	put_packet(ex, packets);
}

/* What is earlier than the packet before has its own time stamp, of the recording's clock. */
static void put_time(struct packets *packets, int64_t time, bool in_order)
{
	if (in_order && time >= packets->last) {
		protobuf_int(&packets->packet, PF_PACKET_timestamp, (uint64_t)(time - packets->last));
		packets->last = time;
	} else {
		protobuf_int(&packets->packet, PF_PACKET_timestamp, (uint64_t)time);
		protobuf_int(&packets->packet, PF_PACKET_timestamp_clock_id, PF_CLOCK_BOOTTIME);
	}
}

/* The event in packets->event. */
static void put_event(struct export *ex, struct packets *packets, int64_t time, bool in_order)
{
	strbuf_clear(&packets->packet);
	put_time(packets, time, in_order);
	protobuf_int(&packets->packet, PF_PACKET_trusted_packet_sequence_id, packets->sequence);
	protobuf_int(&packets->packet, PF_PACKET_sequence_flags, SEQ_NEEDS_INCREMENTAL_STATE);
	if (packets->fresh.length > 0)
		protobuf_message(&packets->packet, PF_PACKET_interned_data, &packets->fresh);
	strbuf_clear(&packets->fresh);
	protobuf_message(&packets->packet, PF_PACKET_track_event, &packets->event);
	put_packet(ex, packets);
}

static void begin_event(struct packets *packets, int type, uint64_t track)
{
	strbuf_clear(&packets->event);
	protobuf_int(&packets->event, PF_EVENT_type, (uint64_t)type);
	protobuf_int(&packets->event, PF_EVENT_track_uuid, track);
}

static void put_end(struct export *ex, struct packets *packets, const struct open_end *end, bool in_order)
{
	begin_event(packets, TYPE_SLICE_END, end->uuid);
	put_event(ex, packets, end->time, in_order);
}

/* The ends at `until` and before it. */
static void put_ends(struct export *ex, struct packets *packets, int64_t until)
{
	struct open_end end;

	while (open_ends_take(&packets->ends, until, &end))
		put_end(ex, packets, &end, true);
}

/* From here on events start at `start`. */
static void go_to(struct export *ex, struct packets *packets, int64_t start)
{
	if (start < packets->begun) {
		put_ends(ex, packets, INT64_MAX);
		begin_sequence(ex, packets);
	} else if (start > packets->begun && interned_is_full(&packets->texts)) {
		begin_sequence(ex, packets);
	}
	packets->begun = start;
}

/* ---- tracks ---- */

/* Begins a track's description in packets->event, which tracks of events do not use meanwhile. */
static uint64_t begin_track(struct packets *packets, const char *name)
{
	uint64_t uuid = ++packets->uuids;

	strbuf_clear(&packets->event);
	protobuf_int(&packets->event, PF_TRACK_uuid, uuid);
	if (name)
		protobuf_text(&packets->event, PF_TRACK_name, name);
	return uuid;
}

static void put_track(struct export *ex, struct packets *packets)
{
	strbuf_clear(&packets->packet);
	protobuf_int(&packets->packet, PF_PACKET_trusted_packet_sequence_id, packets->sequence);
	protobuf_message(&packets->packet, PF_PACKET_track_descriptor, &packets->event);
	put_packet(ex, packets);
}

static void packets_group(struct export *ex, struct group *group, const char *name, int order)
{
	struct packets *packets = packets_of(ex);

	group->uuid = begin_track(packets, name);
	protobuf_int(&packets->event, PF_TRACK_sibling_order_rank, (uint64_t)order);
	if (group->kind == GROUP_PROCESS) {
		strbuf_clear(&packets->inner);
		protobuf_int(&packets->inner, PF_PROCESS_pid, (uint64_t)group->pid);
		protobuf_int(&packets->inner, PF_PROCESS_legacy_sort_index, (uint64_t)order);
		protobuf_text(&packets->inner, PF_PROCESS_process_name, name);
		protobuf_message(&packets->event, PF_TRACK_process, &packets->inner);
	} else {
		protobuf_int(&packets->event, PF_TRACK_child_ordering, CHILD_ORDERING_EXPLICIT);
		protobuf_int(&packets->event, PF_TRACK_sibling_merge_behavior, SIBLING_MERGE_BEHAVIOR_NONE);
	}
	put_track(ex, packets);
}

/* The calls of a thread are what it does; all else stands below its process or its GPU. */
static void packets_lane(struct export *ex, const struct track *track, int lane, const char *name, int order)
{
	struct packets *packets = packets_of(ex);
	struct lane *new = &track->lanes[lane];

	new->uuid = begin_track(packets, name);
	protobuf_int(&packets->event, PF_TRACK_sibling_order_rank, (uint64_t)order);
	if (track->kind == TRACK_CALLS && lane == 0) {
		strbuf_clear(&packets->inner);
		protobuf_int(&packets->inner, PF_THREAD_pid, (uint64_t)track->group->pid);
		protobuf_int(&packets->inner, PF_THREAD_tid, (uint64_t) new->tid);
		protobuf_int(&packets->inner, PF_THREAD_legacy_sort_index, (uint64_t)order);
		protobuf_text(&packets->inner, PF_THREAD_thread_name, name);
		protobuf_message(&packets->event, PF_TRACK_thread, &packets->inner);
	} else {
		protobuf_int(&packets->event, PF_TRACK_parent_uuid, track->group->uuid);
		protobuf_int(&packets->event, PF_TRACK_sibling_merge_behavior, SIBLING_MERGE_BEHAVIOR_NONE);
	}
	put_track(ex, packets);
}

/* A track of its own for a slice that nests with nothing: viewers pack those of one name below the lane. */
static uint64_t track_apart(struct export *ex, struct packets *packets, const struct lane *lane)
{
	uint64_t uuid = begin_track(packets, "at the same time");

	protobuf_int(&packets->event, PF_TRACK_parent_uuid, lane->uuid);
	put_track(ex, packets);
	return uuid;
}

/* ---- events ---- */

static uint64_t packets_text(struct packets *packets, int kind, const char *text)
{
	bool is_new;
	uint64_t number = interned_number(&packets->texts, kind, text, &is_new);

	if (is_new) {
		strbuf_clear(&packets->entry);
		protobuf_int(&packets->entry, PF_INTERNED_iid, number);
		protobuf_text(&packets->entry, PF_INTERNED_text, text);
		protobuf_message(&packets->fresh, kind, &packets->entry);
	}
	return number;
}

static void packets_head(struct export *ex, struct strbuf *body, int64_t start, const char *name, const char *category)
{
	struct packets *packets = packets_of(ex);

	if (start != packets->begun)
		go_to(ex, packets, start);
	protobuf_int(body, PF_EVENT_category_iids, packets_text(packets, PF_INTERNED_event_categories, category));
	protobuf_int(body, PF_EVENT_name_iid, packets_text(packets, PF_INTERNED_event_names, name));
}

/* Begins packets->inner. */
static struct strbuf *begin_annotation(struct packets *packets, const char *key)
{
	strbuf_clear(&packets->inner);
	protobuf_int(&packets->inner, PF_ANNOTATION_name_iid,
		packets_text(packets, PF_INTERNED_debug_annotation_names, key));
	return &packets->inner;
}

static void packets_arg_int(struct export *ex, struct strbuf *args, const char *key, int64_t number)
{
	struct strbuf *annotation = begin_annotation(packets_of(ex), key);

	protobuf_int(annotation, number < 0 ? PF_ANNOTATION_int_value : PF_ANNOTATION_uint_value, (uint64_t)number);
	protobuf_message(args, PF_EVENT_debug_annotations, annotation);
}

static void packets_arg_real(struct export *ex, struct strbuf *args, const char *key, double number)
{
	struct strbuf *annotation = begin_annotation(packets_of(ex), key);

	protobuf_double(annotation, PF_ANNOTATION_double_value, number);
	protobuf_message(args, PF_EVENT_debug_annotations, annotation);
}

static void packets_arg_text(struct export *ex, struct strbuf *args, const char *key, const char *string)
{
	struct packets *packets = packets_of(ex);
	struct strbuf *annotation = begin_annotation(packets, key);

	protobuf_int(annotation, PF_ANNOTATION_string_value_iid,
		packets_text(packets, PF_INTERNED_debug_annotation_string_values, string));
	protobuf_message(args, PF_EVENT_debug_annotations, annotation);
}

/* Both ends of an arrow are of one kind: several pieces of work of a call follow each other. */
static void packets_slice(struct export *ex, const struct slice *slice, const struct lane *lane)
{
	struct packets *packets = packets_of(ex);
	uint64_t uuid = slice->shape == SLICE_APART ? track_apart(ex, packets, lane) : lane->uuid;
	struct open_end end = {slice->end, uuid};

	put_ends(ex, packets, slice->start);
	begin_event(packets, slice->shape == SLICE_MARK ? TYPE_INSTANT : TYPE_SLICE_BEGIN, uuid);
	strbuf_add(&packets->event, slice->head, slice->head_size + slice->args_size);
	if (slice->flow >= 0)
		protobuf_fixed64(&packets->event, PF_EVENT_flow_ids, (uint64_t)slice->flow);
	put_event(ex, packets, slice->start, true);
	if (slice->shape == SLICE_MARK)
		return;
	open_ends_add(&packets->ends, end);
	if (open_ends_are_full(&packets->ends) && open_ends_take(&packets->ends, INT64_MAX, &end))
		put_end(ex, packets, &end, false);
}

/* ---- counters and notes ---- */

static uint64_t counter_track(
	struct export *ex, struct packets *packets, const struct group *group, const char *name, const char *unit)
{
	uint64_t uuid;
	bool is_new;

	if (interned_is_full(&packets->counters))
		interned_clear(&packets->counters);
	packets->counters.numbers = packets->uuids;
	uuid = interned_number(&packets->counters, (int64_t)group->uuid, name, &is_new);
	if (!is_new)
		return uuid;
	begin_track(packets, name);
	strbuf_clear(&packets->inner);
	protobuf_text(&packets->inner, PF_COUNTER_unit_name, unit);
	protobuf_int(&packets->event, PF_TRACK_parent_uuid, group->uuid);
	protobuf_message(&packets->event, PF_TRACK_counter, &packets->inner);
	put_track(ex, packets);
	return uuid;
}

/* Samples of each run come in order. Rates of copies come with the copies, and some late. */
static void packets_counter(
	struct export *ex, const struct group *group, const char *name, const char *unit, double value, int64_t time)
{
	struct packets *packets = packets_of(ex);
	uint64_t uuid = counter_track(ex, packets, group, name, unit);

	if (group->kind == GROUP_COUNTERS) {
		slices_flush(ex, trace_of(ex)->slices);
		go_to(ex, packets, time);
	}
	put_ends(ex, packets, time);
	begin_event(packets, TYPE_COUNTER, uuid);
	if (fabs(value) < 1e15 && value == floor(value))
		protobuf_int(&packets->event, PF_EVENT_counter_value, (uint64_t)(int64_t)value);
	else
		protobuf_double(&packets->event, PF_EVENT_double_counter_value, value);
	put_event(ex, packets, time, true);
}

/* There are few. */
static void packets_note(struct export *ex, const struct group *group, const struct export_note *note)
{
	struct packets *packets = packets_of(ex);

	begin_event(packets, TYPE_INSTANT, group->uuid);
	protobuf_text(&packets->event, PF_EVENT_categories, "diagnostic");
	protobuf_text(&packets->event, PF_EVENT_name, note->text);
	strbuf_clear(&packets->inner);
	protobuf_text(&packets->inner, PF_ANNOTATION_name, "severity");
	protobuf_text(&packets->inner, PF_ANNOTATION_string_value, note->severity);
	protobuf_message(&packets->event, PF_EVENT_debug_annotations, &packets->inner);
	put_event(ex, packets, note->time, false);
}

/* ---- begin and end ---- */

static void packets_begin(struct export *ex)
{
	struct packets *packets = xcalloc(1, sizeof(*packets));

	trace_of(ex)->packets = packets;
	packets->begun = INT64_MIN;
	begin_sequence(ex, packets);
}

static void packets_end(struct export *ex)
{
	put_ends(ex, packets_of(ex), INT64_MAX);
	put_block(ex, packets_of(ex));
}

static void packets_free(struct export *ex)
{
	struct packets *packets = packets_of(ex);

	if (!packets)
		return;
	interned_clear(&packets->texts);
	interned_clear(&packets->counters);
	open_ends_free(&packets->ends);
	strbuf_free(&packets->fresh);
	strbuf_free(&packets->packet);
	strbuf_free(&packets->event);
	strbuf_free(&packets->inner);
	strbuf_free(&packets->entry);
	strbuf_free(&packets->block);
	free(packets);
}

const struct trace_form trace_packets = {
	.brief = true,
	.begin = packets_begin,
	.group = packets_group,
	.lane = packets_lane,
	.head = packets_head,
	.arg_int = packets_arg_int,
	.arg_real = packets_arg_real,
	.arg_text = packets_arg_text,
	.slice = packets_slice,
	.counter = packets_counter,
	.note = packets_note,
	.end = packets_end,
	.free = packets_free,
};
