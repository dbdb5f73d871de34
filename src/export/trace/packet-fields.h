/* packet-fields.h: numbers of Perfetto's published .proto files, named as there: PF_MESSAGE_field. */
#ifndef DBPROF_EXPORT_TRACE_PACKET_FIELDS_H
#define DBPROF_EXPORT_TRACE_PACKET_FIELDS_H

enum { PF_TRACE_packet = 1 };

enum {
	PF_PACKET_clock_snapshot = 6,
	PF_PACKET_timestamp = 8,
	PF_PACKET_trusted_packet_sequence_id = 10,
	PF_PACKET_track_event = 11,
	PF_PACKET_interned_data = 12,
	PF_PACKET_sequence_flags = 13,
	PF_PACKET_compressed_packets = 50,
	PF_PACKET_timestamp_clock_id = 58,
	PF_PACKET_trace_packet_defaults = 59,
	PF_PACKET_track_descriptor = 60
};

enum { SEQ_INCREMENTAL_STATE_CLEARED = 1, SEQ_NEEDS_INCREMENTAL_STATE = 2 };

enum { PF_DEFAULTS_timestamp_clock_id = 58 };

enum { PF_SNAPSHOT_clocks = 1, PF_SNAPSHOT_primary_trace_clock = 2 };
enum { PF_CLOCK_clock_id = 1, PF_CLOCK_timestamp = 2, PF_CLOCK_is_incremental = 3 };
enum { PF_CLOCK_BOOTTIME = 6, PF_CLOCK_OF_SEQUENCE = 64 };

enum {
	PF_EVENT_category_iids = 3,
	PF_EVENT_debug_annotations = 4,
	PF_EVENT_type = 9,
	PF_EVENT_name_iid = 10,
	PF_EVENT_track_uuid = 11,
	PF_EVENT_categories = 22,
	PF_EVENT_name = 23,
	PF_EVENT_counter_value = 30,
	PF_EVENT_double_counter_value = 44,
	PF_EVENT_flow_ids = 47
};

enum { TYPE_SLICE_BEGIN = 1, TYPE_SLICE_END = 2, TYPE_INSTANT = 3, TYPE_COUNTER = 4 };

enum {
	PF_ANNOTATION_name_iid = 1,
	PF_ANNOTATION_uint_value = 3,
	PF_ANNOTATION_int_value = 4,
	PF_ANNOTATION_double_value = 5,
	PF_ANNOTATION_string_value = 6,
	PF_ANNOTATION_name = 10,
	PF_ANNOTATION_string_value_iid = 17
};

/* Of InternedData; each entry has these two. */
enum {
	PF_INTERNED_event_categories = 1,
	PF_INTERNED_event_names = 2,
	PF_INTERNED_debug_annotation_names = 3,
	PF_INTERNED_debug_annotation_string_values = 29
};
enum { PF_INTERNED_iid = 1, PF_INTERNED_text = 2 };

enum {
	PF_TRACK_uuid = 1,
	PF_TRACK_name = 2,
	PF_TRACK_process = 3,
	PF_TRACK_thread = 4,
	PF_TRACK_parent_uuid = 5,
	PF_TRACK_counter = 8,
	PF_TRACK_child_ordering = 11,
	PF_TRACK_sibling_order_rank = 12,
	PF_TRACK_sibling_merge_behavior = 15
};
enum { CHILD_ORDERING_EXPLICIT = 3, SIBLING_MERGE_BEHAVIOR_NONE = 2 };
enum { PF_PROCESS_pid = 1, PF_PROCESS_legacy_sort_index = 3, PF_PROCESS_process_name = 6 };
enum { PF_THREAD_pid = 1, PF_THREAD_tid = 2, PF_THREAD_legacy_sort_index = 3, PF_THREAD_thread_name = 5 };
enum { PF_COUNTER_unit_name = 6 };

#endif
