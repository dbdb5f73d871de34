// first-screen.mjs PAGE PICTURE: what somebody sees who opens the page on a screen of 1440 x 900, as a PNG. The edges of letters get
// fewer shades than the browser gives them, which nobody sees, and rows are written plain: a quarter of the browser's file.
import { chromium } from 'playwright-core';
import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { deflateSync } from 'node:zlib';

const [, , page, picture] = process.argv;
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM, args: ['--no-sandbox', '--disable-gpu', '--hide-scrollbars'] });
const tab = await browser.newPage({ viewport: { width: 1440, height: 900 }, colorScheme: 'light' });
await tab.goto(pathToFileURL(resolve(page)).href);
await tab.evaluate(() => document.fonts.ready);
const seen = (await tab.screenshot()).toString('base64');

const blank = await browser.newPage();
const less = await blank.evaluate(async (png) => {
	const image = new Image();
	image.src = `data:image/png;base64,${png}`;
	await image.decode();
	const canvas = Object.assign(document.createElement('canvas'), { width: image.width, height: image.height });
	const context = canvas.getContext('2d');
	context.drawImage(image, 0, 0);
	const pixels = context.getImageData(0, 0, canvas.width, canvas.height);
	for (let i = 0; i < pixels.data.length; i++)
		pixels.data[i] = Math.min(255, Math.round(pixels.data[i] / 17) * 17);
	return { width: canvas.width, height: canvas.height, rgb: [...pixels.data].filter((_, i) => i % 4 < 3) };
}, seen);
await browser.close();

// CRC of ISO 3309, as PNG has it.
function crc(bytes) {
	let sum = ~0;
	for (const byte of bytes) {
		sum ^= byte;
		for (let bit = 0; bit < 8; bit++)
			sum = sum >>> 1 ^ (sum & 1 ? 0xedb88320 : 0);
	}
	return ~sum >>> 0;
}

function chunk(type, data) {
	const body = Buffer.concat([Buffer.from(type), data]), ends = Buffer.alloc(8);
	ends.writeUInt32BE(data.length, 0);
	ends.writeUInt32BE(crc(body), 4);
	return Buffer.concat([ends.subarray(0, 4), body, ends.subarray(4)]);
}

// Rows without a filter: flat colours compress better than their differences.
function pngOf({ width, height, rgb }) {
	const head = Buffer.alloc(13), rows = Buffer.alloc(height * (3 * width + 1));
	head.writeUInt32BE(width, 0);
	head.writeUInt32BE(height, 4);
	head.set([8, 2], 8);
	for (let y = 0; y < height; y++)
		rows.set(rgb.slice(3 * width * y, 3 * width * (y + 1)), y * (3 * width + 1) + 1);
	return Buffer.concat([Buffer.from([137, 80, 78, 71, 13, 10, 26, 10]), chunk('IHDR', head), chunk('IDAT', deflateSync(rows, { level: 9 })),
		chunk('IEND', Buffer.alloc(0))]);
}

writeFileSync(picture, pngOf(less));
