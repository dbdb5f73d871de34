// pftrace.mjs: holds a trace in Perfetto's own format against the same trace as JSON. Decodes it by Perfetto's published
// .proto file with a library that knows nothing of dbprof, and puts it together as that file says: sequences, their clocks
// and their interned texts, tracks and their parents. usage: node pftrace.mjs PROTO (TRACE.pftrace TRACE.json)...
// Says of each pair on standard output what is wrong, with status 1, and how much there is of what; at last whether it is right. Each
// line begins with the name of the packets' file.
import { readFileSync } from 'node:fs';
import { inflateSync } from 'node:zlib';
import protobuf from 'protobufjs';

const [protoFile, ...pairs] = process.argv.slice(2);

// ---- packets ----

const { root } = protobuf.parse(readFileSync(protoFile, 'utf8'), { keepCase: true });
const Trace = root.lookupType('perfetto.protos.Trace');
const Event = root.lookupEnum('perfetto.protos.TrackEvent.Type').values;
const Flags = root.lookupEnum('perfetto.protos.TracePacket.SequenceFlags').values;
const MOST_COMPRESSED = 512 * 1024;

const BOOTTIME = 6;
const big = number => BigInt(number.toString());
const signed = number => BigInt.asIntN(64, big(number));
const has = (message, field) => message !== null && message !== undefined && Object.hasOwn(message, field);

const nothing = () => ({ slices: [], marks: [], counters: [], arrows: [] });
const line = (...parts) => JSON.stringify(parts.map(part => typeof part === 'bigint' ? part.toString() : part));
const ns = us => BigInt(Math.round(us)) * 1000n + BigInt(Math.round((us - Math.round(us)) * 1000));

// What is said of one pair, and the number of its faults, in its end.
function compare(packetFile, jsonFile) {
	let faults = 0;
	const say = text => console.log(`${packetFile}: ${text}`);

	function fault(text) {
		if (++faults <= 20)
			say(text);
	}

	// The decoder leaves out what it does not know: then it would write less than it read. Packets may stand compressed in others.
	function packetsOf(bytes) {
		const decoded = Trace.decode(bytes);

		if (Trace.encode(decoded).finish().length !== bytes.length)
			fault('fields that are not in the published format');
		return decoded.packet.flatMap(packet => {
			if (!has(packet, 'compressed_packets'))
				return [packet];
			if (packet.compressed_packets.length >= MOST_COMPRESSED)
				fault('too much in one compressed packet');
			return packetsOf(inflateSync(packet.compressed_packets));
		});
	}

	const packets = packetsOf(readFileSync(packetFile));

	class Sequence {
		constructor() {
			this.clocks = new Map(); // id: {last, incremental}
			this.texts = { event_categories: new Map(), event_names: new Map(), debug_annotation_names: new Map(), debug_annotation_string_values: new Map() };
		}

		add(data) {
			for (const kind in this.texts) {
				for (const entry of data[kind] ?? []) {
					const text = kind === 'debug_annotation_string_values' ? Buffer.from(entry.str).toString() : entry.name;
					this.texts[kind].set(entry.iid.toString(), text);
				}
			}
		}

		text(kind, iid, at) {
			if (!this.texts[kind].has(iid.toString()))
				fault(`packet ${at}: ${kind} has no ${iid}`);
			return this.texts[kind].get(iid.toString());
		}
	}

	const tracks = new Map(); // uuid: descriptor
	const sequences = new Map();
	const events = [];

	function timeOf(packet, sequence, at) {
		const clock = has(packet, 'timestamp_clock_id') ? packet.timestamp_clock_id : sequence.defaults?.timestamp_clock_id ?? BOOTTIME;

		if (clock === BOOTTIME)
			return signed(packet.timestamp);
		if (!sequence.clocks.has(clock)) {
			fault(`packet ${at}: a clock without a snapshot`);
			return 0n;
		}
		const state = sequence.clocks.get(clock);
		const time = state.incremental ? state.last + signed(packet.timestamp) : signed(packet.timestamp);
		state.last = time;
		return time;
	}

	function takeSnapshot(snapshot, sequence, at) {
		const zero = snapshot.clocks.find(clock => clock.clock_id === BOOTTIME);

		if (snapshot.primary_trace_clock !== BOOTTIME || !zero)
			fault(`packet ${at}: the snapshot does not tie its clocks to that of the trace`);
		for (const clock of snapshot.clocks) {
			if (big(clock.timestamp) !== big(zero.timestamp))
				fault(`packet ${at}: clocks that differ`);
			sequence.clocks.set(clock.clock_id, { last: big(clock.timestamp), incremental: clock.is_incremental });
		}
	}

	function takeEvent(packet, sequence, at) {
		const event = packet.track_event;

		if (!(packet.sequence_flags & Flags.SEQ_NEEDS_INCREMENTAL_STATE))
			fault(`packet ${at}: an event that does not say that it needs the state of its sequence`);
		events.push({
			time: timeOf(packet, sequence, at),
			type: event.type,
			track: event.track_uuid.toString(),
			name: has(event, 'name_iid') ? sequence.text('event_names', event.name_iid, at) : event.name,
			category: event.category_iids.length ? sequence.text('event_categories', event.category_iids[0], at) : event.categories[0],
			flows: event.flow_ids.map(id => id.toString()),
			value: has(event, 'counter_value') ? Number(big(event.counter_value)) : event.double_counter_value,
			args: Object.fromEntries(event.debug_annotations.map(a => [
				has(a, 'name_iid') ? sequence.text('debug_annotation_names', a.name_iid, at) : a.name,
				has(a, 'string_value_iid') ? sequence.text('debug_annotation_string_values', a.string_value_iid, at)
					: has(a, 'string_value') ? a.string_value : has(a, 'double_value') ? a.double_value
					: Number(big(has(a, 'uint_value') ? a.uint_value : a.int_value))])),
		});
	}

	packets.forEach((packet, at) => {
		const id = packet.trusted_packet_sequence_id;

		if (!id)
			fault(`packet ${at}: no sequence`);
		if (packet.sequence_flags & Flags.SEQ_INCREMENTAL_STATE_CLEARED)
			sequences.set(id, new Sequence());
		const sequence = sequences.get(id);
		if (!sequence) {
			fault(`packet ${at}: a sequence that did not begin`);
			return;
		}
		if (packet.trace_packet_defaults)
			sequence.defaults = packet.trace_packet_defaults;
		if (packet.clock_snapshot)
			takeSnapshot(packet.clock_snapshot, sequence, at);
		if (packet.interned_data)
			sequence.add(packet.interned_data);
		if (packet.track_descriptor) {
			const uuid = packet.track_descriptor.uuid.toString();
			if (uuid === '0' || tracks.has(uuid))
				fault(`packet ${at}: the track ${uuid} twice`);
			tracks.set(uuid, packet.track_descriptor);
		}
		if (packet.track_event)
			takeEvent(packet, sequence, at);
	});

	const processes = new Map();
	for (const track of tracks.values())
		if (track.process)
			processes.set(track.process.pid, track.process.process_name);

	// "PROCESS / LANE", or "PROCESS" of a track that is one. A track below a lane is the lane's.
	function place(uuid) {
		const track = tracks.get(uuid);
		if (!track) {
			fault(`the track ${uuid} is not described`);
			return '?';
		}
		if (track.process)
			return track.process.process_name;
		if (track.thread)
			return `${processes.get(track.thread.pid)} / ${track.thread.thread_name}`;
		if (!has(track, 'parent_uuid'))
			return track.name;
		const parent = place(track.parent_uuid.toString());
		return parent.includes(' / ') ? parent : `${parent} / ${track.name}`;
	}

	const got = nothing();
	const open = new Map();

	// A viewer sorts all events by time, and those of one time as they stand in the file.
	events.forEach((event, at) => { event.at = at; });
	events.sort((a, b) => a.time < b.time ? -1 : a.time > b.time ? 1 : a.at - b.at);
	for (const event of events) {
		const where = place(event.track), stack = open.get(event.track) ?? [];
		open.set(event.track, stack);
		if (event.type === Event.TYPE_SLICE_BEGIN) {
			stack.push(event);
			for (const flow of event.flows)
				got.arrows.push(line(flow, where, event.time));
		} else if (event.type === Event.TYPE_SLICE_END) {
			const begin = stack.pop();
			if (!begin)
				fault(`${where}: an end at ${event.time} without a begin`);
			else
				got.slices.push(line(where, begin.name, begin.category, begin.time, event.time, begin.args.bytes ?? null));
		} else if (event.type === Event.TYPE_INSTANT) {
			got.marks.push(line(where, event.name, event.category, event.time));
		} else if (event.type === Event.TYPE_COUNTER) {
			got.counters.push(line(where, event.time, event.value));
		} else {
			fault(`an event of type ${event.type}`);
		}
	}
	for (const [track, stack] of open)
		if (stack.length)
			fault(`${place(track)}: ${stack.length} slices without an end`);

	// ---- JSON ----

	const wanted = nothing();
	const groups = new Map(), lanes = new Map(), apart = new Map();
	const { traceEvents } = JSON.parse(readFileSync(jsonFile, 'utf8'));

	for (const event of traceEvents) {
		if (event.name === 'process_name')
			groups.set(event.pid, event.args.name);
		if (event.name === 'thread_name')
			lanes.set(`${event.pid}/${event.tid}`, event.args.name);
	}
	for (const event of traceEvents) {
		const group = groups.get(event.pid), where = event.tid ? `${group} / ${lanes.get(`${event.pid}/${event.tid}`)}` : group;
		if (event.ph === 'X')
			wanted.slices.push(line(where, event.name, event.cat, ns(event.ts), ns(event.ts) + ns(event.dur), event.args.bytes ?? null));
		else if (event.ph === 'b')
			apart.set(event.id, event);
		else if (event.ph === 'e')
			wanted.slices.push(line(where, event.name, event.cat, ns(apart.get(event.id).ts), ns(event.ts), apart.get(event.id).args.bytes ?? null));
		else if (event.ph === 'i')
			wanted.marks.push(line(where, event.name, event.cat, ns(event.ts)));
		else if (event.ph === 'C')
			wanted.counters.push(line(`${group} / ${event.name}`, ns(event.ts), Object.values(event.args)[0]));
		else if (event.ph === 's' || event.ph === 'f')
			wanted.arrows.push(line(String(event.id), where, ns(event.ts)));
	}

	for (const kind in wanted) {
		const left = wanted[kind].sort(), right = got[kind].sort();
		if (left.length !== right.length)
			fault(`${left.length} ${kind} in JSON, ${right.length} in packets`);
		for (let i = 0; i < Math.min(left.length, right.length) && faults < 20; i++)
			if (left[i] !== right[i])
				fault(`${kind} differ: JSON ${left[i]}, packets ${right[i]}`);
		say(`${kind} ${right.length}`);
	}
	say(`sequences ${sequences.size}`);
	return faults;
}

for (let i = 0; i < pairs.length; i += 2) {
	let right = false;
	try {
		right = compare(pairs[i], pairs[i + 1]) === 0;
	} catch (error) {
		console.log(`${pairs[i]}: ${error.message.replace(/\s+/g, ' ')}`);
	}
	console.log(`${pairs[i]}: ${right ? 'right' : 'wrong'}`);
	if (!right)
		process.exitCode = 1;
}
