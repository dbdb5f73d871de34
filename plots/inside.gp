# inside.gp: the warps of one block over cycles; warp 0 as a lane with texts, the others as rows below it.
# ARG1 data, ARG2 output, ARG3 width, ARG4 height, ARG5 left margin (px), ARG6 end of the axis (cycles), ARG7 its step,
# ARG8 height of a row, ARG9 width of a slice (px). y is in px from the top of the plot. The margins are also in
# src/figure/inside-data.h.

reset
width = 1.0 * ARG3; height = 1.0 * ARG4; left = 1.0 * ARG5
top = 4.0; right = 26.0; bottom = 48.0
row = 1.0 * ARG8; slice = 1.0 * ARG9; lane = 22.0

set terminal svg size width,height dynamic noenhanced butt font (width < 500 ? "sans-serif,12" : "sans-serif,14")
set output ARG2
set lmargin at screen left / width
set rmargin at screen 1 - right / width
set tmargin at screen 1 - top / height
set bmargin at screen bottom / height

step = 1.0 * ARG7
set xrange [0 : 1.0 * ARG6]
set yrange [height - top - bottom : 0]
set border 1 lc rgb GRID
set xtics step out nomirror scale 0.5 format "%g" offset 0,0.4 textcolor rgb INK_2
set grid xtics lt 1 lw 0.75 lc rgb GRID
axis = width < 500 ? "SM cycles" : "SM cycles since the block's first time stamp"
set label 1 axis at graph 0.5, screen 8.0 / height center textcolor rgb INK_2
set ytics () scale 0 textcolor rgb INK
unset key

array color[4] = [H2D, WAIT, KERNEL, D2H]

plot for [i=0:3] ARG1 index 3*i+2 using 1:2 with lines lw slice lc rgb color[i+1], \
     for [i=0:3] ARG1 index 3*i using 1:2 with lines lw row lc rgb color[i+1], \
     for [i=0:3] ARG1 index 3*i+1 using 1:2 with lines lw lane lc rgb color[i+1], \
     ARG1 index 12 using 1:2:3:4:5:6:7 with boxxyerror fs solid noborder lc rgb variable, \
     ARG1 index 13 using 1:2:ytic(3) with dots lc rgb GRID, \
     ARG1 index 14 using 1:2:3 with labels center textcolor rgb ON_COLOR, \
     ARG1 index 15 using 1:2:3 with labels left textcolor rgb INK
unset output
