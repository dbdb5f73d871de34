// unpack-packets.mjs: the packets of a trace in Perfetto's own format as they are behind their compression, for tests that look
// for a text in them. usage: node unpack-packets.mjs TRACE.pftrace >PACKETS
import { readFileSync, writeSync } from 'node:fs';
import { inflateSync } from 'node:zlib';

const TRACE_PACKET = 1 << 3 | 2, COMPRESSED_PACKETS = 50 << 3 | 2;

// The number at `at`, and what stands behind it.
function varint(bytes, at) {
	let number = 0;

	for (let shift = 0; ; shift += 7) {
		number += (bytes[at] & 0x7F) * 2 ** shift;
		if (bytes[at++] < 0x80)
			return [number, at];
	}
}

// The content of a field that is a message, and what stands behind it.
function field(bytes, at, tag) {
	const [found, length] = varint(bytes, at), [size, content] = varint(bytes, length);

	if (found !== tag)
		throw new Error(`field ${found} instead of ${tag}`);
	return [bytes.subarray(content, content + size), content + size];
}

const bytes = readFileSync(process.argv[2]);

for (let at = 0, packet; at < bytes.length;) {
	[packet, at] = field(bytes, at, TRACE_PACKET);
	writeSync(1, inflateSync(field(packet, 0, COMPRESSED_PACKETS)[0]));
}
