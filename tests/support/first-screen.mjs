// first-screen.mjs PAGE PICTURE: what somebody sees who opens the page on a screen of 1440 x 900, as a PNG. The edges of letters get
// fewer shades than the browser gives them, which nobody sees and which halves the file.
import { chromium } from 'playwright-core';
import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

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
		pixels.data[i] = Math.min(255, Math.round(pixels.data[i] / 16) * 17);
	context.putImageData(pixels, 0, 0);
	return canvas.toDataURL('image/png').split(',')[1];
}, seen);
writeFileSync(picture, Buffer.from(less, 'base64'));
await browser.close();
