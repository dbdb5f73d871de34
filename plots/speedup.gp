# speedup.gp: one speed-up with its interval, for a row of the overview.
# ARG1 data (low, high, value, y, colour), ARG2 output, ARG3 width, ARG4 height, ARG5 ARG6 ends of the axis,
# ARG7 its step, ARG8 half the width of the band around 1 that counts as the same.

reset
set terminal svg size 1.0 * ARG3, 1.0 * ARG4 dynamic noenhanced rounded font "sans-serif,12"
set output ARG2
set lmargin at screen 0.05
set rmargin at screen 0.93
set tmargin at screen 1
set bmargin at screen 22.0 / ARG4

step = 1.0 * ARG7
set xrange [1.0 * ARG5 : 1.0 * ARG6]
set yrange [0:1]
set border 1 lc rgb GRID
set xtics 1-100*step,step out nomirror scale 0.4 format "%g" offset 0,0.4 textcolor rgb INK_2
unset ytics
set object 1 rectangle from 1 - ARG8, graph 0 to 1 + ARG8, graph 1 fs solid 0.5 noborder fc rgb GRID behind
set arrow from 1, graph 0 to 1, graph 1 nohead lw 1.2 lc rgb INK back
unset key

plot ARG1 index 0 using 1:4:($2-$1):(0):5 with vectors nohead lw 3 lc rgb variable, \
     ARG1 index 0 using 3:4:5 with points pt 7 ps 0.7 lc rgb variable
unset output
