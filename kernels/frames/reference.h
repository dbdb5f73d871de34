/* reference.h: a frame blurred and its edges found on the host, from what the filters are, and not as the GPU does it.
 */
#ifndef DBPROF_KERNELS_FRAMES_REFERENCE_H
#define DBPROF_KERNELS_FRAMES_REFERENCE_H

#include <stdint.h>
#include <stdlib.h>

enum { FRAMES_SIDE_MAX = 16384 }; /* pixels of a frame's side, at most */

/* The largest value of an edge: 255 stands for a pixel that was never written. */
enum { FRAMES_EDGE_MAX = 254 };

/* Beyond the image its outermost pixels go on. */
static inline int frame_clamped(int at, int length)
{
	return at < 0 ? 0 : at < length ? at : length - 1;
}

/* Row `y` of the image, blurred: weights (1 4 6 4 1) / 16 along both sides, rounded once, half up. */
static inline void frame_reference_blur(const uint8_t *image, int width, int height, int y, uint8_t *out)
{
	static const int weight[] = {1, 4, 6, 4, 1};
	int down[FRAMES_SIDE_MAX];

	for (int x = 0; x < width; x++)
		down[x] = 0;
	for (int i = 0; i < 5; i++) {
		const uint8_t *row = image + (size_t)frame_clamped(y + i - 2, height) * (size_t)width;

		for (int x = 0; x < width; x++)
			down[x] += weight[i] * row[x];
	}
	for (int x = 0; x < width; x++) {
		int sum = 128;

		for (int i = 0; i < 5; i++)
			sum += weight[i] * down[frame_clamped(x + i - 2, width)];
		out[x] = (uint8_t)(sum / 256);
	}
}

/* A row of edges from the blurred rows above it, at it and below it: |gx| + |gy| of Sobel's two filters. */
static inline void frame_reference_edges(
	const uint8_t *above, const uint8_t *at, const uint8_t *below, int width, uint8_t *out)
{
	for (int x = 0; x < width; x++) {
		const int l = frame_clamped(x - 1, width), r = frame_clamped(x + 1, width);
		const int gx = above[r] + 2 * at[r] + below[r] - above[l] - 2 * at[l] - below[l];
		const int gy = below[l] + 2 * below[x] + below[r] - above[l] - 2 * above[x] - above[r];
		const int sum = abs(gx) + abs(gy);

		out[x] = (uint8_t)(sum < FRAMES_EDGE_MAX ? sum : FRAMES_EDGE_MAX);
	}
}

/* The edges of an image of `width` x `height` pixels, row by row. */
static inline void frame_reference(const uint8_t *image, int width, int height, uint8_t *edges)
{
	uint8_t blurred[3][FRAMES_SIDE_MAX]; /* row y in y % 3 */

	frame_reference_blur(image, width, height, 0, blurred[0]);
	for (int y = 0; y < height; y++) {
		const int above = frame_clamped(y - 1, height), below = frame_clamped(y + 1, height);

		if (below != y)
			frame_reference_blur(image, width, height, below, blurred[below % 3]);
		frame_reference_edges(blurred[above % 3], blurred[y % 3], blurred[below % 3], width,
			edges + (size_t)y * (size_t)width);
	}
}

#endif
