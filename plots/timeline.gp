# timeline.gp: one or two runs on one time axis.
# ARG1 data, ARG2 output, ARG3 width, ARG4 height, ARG5 left margin (px), ARG6 ARG7 first and last moment,
# ARG8 their unit, ARG9 step of the axis. y is in px from the top of the plot. The margins are also in src/figure/timeline-data.h.

reset
width = 1.0 * ARG3; height = 1.0 * ARG4; left = 1.0 * ARG5
top = 4.0; right = 14.0; bottom = 48.0

set terminal svg size width,height dynamic noenhanced rounded font (width < 500 ? "sans-serif,12" : "sans-serif,14")
set output ARG2
set lmargin at screen left / width
set rmargin at screen 1 - right / width
set tmargin at screen 1 - top / height
set bmargin at screen bottom / height

step = 1.0 * ARG9
set xrange [1.0 * ARG6 : 1.0 * ARG7]
set yrange [height - top - bottom : 0]
set border 1 lc rgb GRID
set xtics step out nomirror scale 0.5 format "%g" offset 0,0.4 textcolor rgb INK_2
set grid xtics lt 1 lw 0.75 lc rgb GRID
axis = (width < 500 ? "time (" : "time since the first device work in the picture began (").ARG8.")"
set label 1 axis at graph 0.5, screen 8.0 / height center textcolor rgb INK_2
set ytics () scale 0 textcolor rgb INK
unset key

plot ARG1 index 2 using 1:2:3:4:5:6:7 with boxxyerror fs transparent solid 0.3 noborder lc rgb variable, \
     ARG1 index 0 using 1:2:3:4:5:6:7 with boxxyerror fs solid noborder lc rgb variable, \
     ARG1 index 1 using 1:2:3:4:5:6:7 with boxxyerror fs solid border lc rgb PAPER lw 0.7 lc rgb variable, \
     ARG1 index 3 using 1:2:3:4:5:6 with boxxyerror fs pattern 4 noborder lc rgb INK_2, \
     ARG1 index 4 using 1:2:3 with filledcurves fs solid noborder lc rgb H2D, \
     ARG1 index 5 using 1:2:3 with filledcurves fs solid noborder lc rgb KERNEL, \
     ARG1 index 6 using 1:2:3 with filledcurves fs solid noborder lc rgb D2H, \
     ARG1 index 7 using 1:2:3 with filledcurves fs solid noborder lc rgb INK_2, \
     ARG1 index 8 using 1:2:ytic(3) with dots lc rgb GRID, \
     ARG1 index 9 using 1:2:3 with labels left textcolor rgb ON_COLOR, \
     ARG1 index 10 using 1:2:3 with labels left textcolor rgb INK
unset output
