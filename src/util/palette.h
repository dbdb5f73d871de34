/*
 * palette.h: the colours, for C, gnuplot, style sheets and NVTX ranges alike: scripts in plots/ have a variable for
 * each (SINGLE), templates a value ({{palette.single}}). After Okabe and Ito: people who see colours differently tell
 * them apart.
 */
#ifndef DBPROF_UTIL_PALETTE_H
#define DBPROF_UTIL_PALETTE_H

#include <stdbool.h>

/* NAME, the same as text, 0xRRGGBB */
#define PALETTE_COLORS(ENTRY)                                                                                          \
	ENTRY(SINGLE, "single", 0xD55E00)             /* the variant with one buffer */                                \
	ENTRY(DOUBLE, "double", 0x0072B2)             /* the variant with two, or more */                              \
	ENTRY(H2D, "h2d", 0x56B4E9)                   /* copies to the device, and loads */                            \
	ENTRY(KERNEL, "kernel", 0x009E73)             /* kernels, and what they compute */                             \
	ENTRY(D2H, "d2h", 0xE69F00)                   /* copies to the host, and stores */                             \
	ENTRY(WAIT, "wait", 0xCC79A7)                 /* waiting, and what went wrong */                               \
	ENTRY(QUEUE, "queue", 0x7A8088)               /* waiting for a unit that is busy */                            \
	ENTRY(ON_COLOR, "on_color", 0x000001)         /* text on one of these, in light and dark */                    \
	ENTRY(RANGE_FAMILY, "range_family", 0x666666) /* NVTX range of a family */                                     \
	ENTRY(RANGE_OTHER, "range_other", 0x999999)   /* NVTX range of a variant of no other colour */

/*
 * WAIT, QUEUE, D2H and IDLE have a texture in figures, so that no picture lives by colour alone
 * (figure/svg/svg-texture.c).
 */

/*
 * The inks, which differ in light and dark: NAME, the same as text, the marker that stands for it in a plot, then its
 * colour in light and in dark. The name as text is that of the style sheet's variable (--ink-2). GAIN and LOSS are
 * DOUBLE and SINGLE, one step off where these would be the same: who changes one changes the other.
 */
#define PALETTE_INKS(ENTRY)                                                                                            \
	ENTRY(INK, "ink", 0x010101, "#1c2026", "#e4e7eb")            /* text and lines */                              \
	ENTRY(INK_2, "ink-2", 0x020202, "#59626e", "#a2abb6")        /* secondary text, axes */                        \
	ENTRY(GRID, "grid", 0x030303, "#d9dee4", "#39414b")          /* grid lines, hatching */                        \
	ENTRY(PAPER, "paper", 0x040404, "#ffffff", "#14171b")        /* the background */                              \
	ENTRY(IDLE, "idle", 0x050505, PALETTE_IDLE_LIGHT, "#9099a4") /* idle time, as slanted lines on paper */        \
	ENTRY(GAIN, "gain", 0x060606, "#0073b3", "#62bdf7")          /* the end of a ramp from paper: double gains */  \
	ENTRY(LOSS, "loss", 0x070707, "#d65f01", "#ff9248")          /* the same: single is faster */

/* What only pages have, in light and in dark; the name is that of the style sheet's variable. */
#define PALETTE_SHADES(ENTRY)                                                                                          \
	ENTRY("tint", "#f3f5f8", "#1c2127")    /* paper of what stands apart */                                        \
	ENTRY("link", "#005f96", "#7cc1ee")    /* links */                                                             \
	ENTRY("changed", "#fbf4d6", "#37321a") /* paper of a line of code that differs */                              \
	ENTRY("bad", "#b3261e", "#ff8a80")     /* what is wrong, and warnings */

#define PALETTE_IDLE_LIGHT "#6c7580"

/* COLOR_SINGLE, COLOR_INK ... */
enum palette_color {
#define PALETTE_COLOR(name, text, color) COLOR_##name = (color),
#define PALETTE_INK(name, text, marker, light, dark) COLOR_##name = (marker),
	PALETTE_COLORS(PALETTE_COLOR) PALETTE_INKS(PALETTE_INK)
#undef PALETTE_COLOR
#undef PALETTE_INK
};

/* The colour of a variant with so many buffers, of its NVTX ranges and in figures. `other`: it is no candidate, such as
 * a reference, or needs no buffer. */
static inline enum palette_color palette_of_variant(bool is_candidate, double buffers, enum palette_color other)
{
	return !is_candidate || !(buffers >= 1) ? other : buffers >= 2 ? COLOR_DOUBLE : COLOR_SINGLE;
}

#endif
