# durations.gp: bars from zero to the median, boxes of the quartiles, samples as points, the floor as a line.
# ARG1 data, ARG2 output, ARG3 width, ARG4 height, ARG5 left margin (px), ARG6 end of the axis, ARG7 its unit,
# ARG8 its step. y is in px from the top of the plot.

reset
width = 1.0 * ARG3; height = 1.0 * ARG4; left = 1.0 * ARG5
top = 6.0; right = 14.0; bottom = 48.0

set terminal svg size width,height dynamic noenhanced rounded font (width < 500 ? "sans-serif,12" : "sans-serif,14")
set output ARG2
set lmargin at screen left / width
set rmargin at screen 1 - right / width
set tmargin at screen 1 - top / height
set bmargin at screen bottom / height

step = 1.0 * ARG8
set xrange [0 : 1.0 * ARG6]
set yrange [height - top - bottom : 0]
set border 3 lc rgb INK_2
set xtics step out nomirror scale 0.5 format "%g" offset 0,0.4 textcolor rgb INK_2
set grid xtics lt 1 lw 0.75 lc rgb GRID
set label 1 "time of one launch (".ARG7.")" at graph 0.5, screen 8.0 / height center textcolor rgb INK_2
set ytics () scale 0 textcolor rgb INK
unset key

plot ARG1 index 0 using 1:2:3:4:5:6:7 with boxxyerror fs transparent solid 0.3 noborder lc rgb variable, \
     ARG1 index 1 using 1:2:3:4:5:6 with boxxyerror fs empty lw 1 lc rgb INK, \
     ARG1 index 2 using 1:2 with lines lw 3 lc rgb SINGLE, \
     ARG1 index 3 using 1:2 with lines lw 3 lc rgb DOUBLE, \
     ARG1 index 4 using 1:2 with lines lw 3 lc rgb INK_2, \
     ARG1 index 5 using 1:2:ytic(3) with dots lc rgb GRID, \
     ARG1 index 6 using 1:2:3 with labels left textcolor rgb INK, \
     ARG1 index 7 using 1:2 with lines lw 3 lc rgb WAIT, \
     ARG1 index 8 using 1:2 with lines lw 1.5 lc rgb INK
unset output
