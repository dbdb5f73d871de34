# canvas.gp: a figure that was laid out in pixels (src/figure/canvas.h), for grids whose cells and texts have to fit.
# ARG1 data, ARG2 output, ARG3 width, ARG4 height. x and y are in px from the top left. One index per layer, in order.

reset
width = 1.0 * ARG3; height = 1.0 * ARG4

set terminal svg size width,height dynamic noenhanced rounded font (width < 500 ? "sans-serif,12" : "sans-serif,14")
set output ARG2
set lmargin at screen 0
set rmargin at screen 1
set tmargin at screen 1
set bmargin at screen 0
set xrange [0 : width]
set yrange [height : 0]
unset border
unset tics
unset key

plot ARG1 index 0 using 1:2:3:4:5:6:7 with boxxyerror fs solid noborder lc rgb variable, \
     ARG1 index 1 using 1:2:3:4:5:6 with boxxyerror fs pattern 4 noborder lc rgb GRID, \
     ARG1 index 2 using 1:2:3:4:5 with vectors nohead lw 0.75 lc rgb variable, \
     ARG1 index 3 using 1:2:3:4:5 with vectors nohead lw 1.5 lc rgb variable, \
     ARG1 index 4 using 1:2:3 with lines dt 2 lw 1.25 lc rgb variable, \
     ARG1 index 5 using 1:2:3 with lines lw 2.25 lc rgb variable, \
     ARG1 index 6 using 1:2:3 with points pt 7 ps 0.6 lc rgb variable, \
     ARG1 index 7 using 1:2:3 with points pt 6 ps 0.7 lw 1.5 lc rgb variable, \
     ARG1 index 8 using 1:2:3 with points pt 13 ps 0.9 lc rgb variable, \
     ARG1 index 9 using 1:2:3:4 with labels left textcolor rgb variable, \
     ARG1 index 10 using 1:2:3:4 with labels center textcolor rgb variable, \
     ARG1 index 11 using 1:2:3:4 with labels right textcolor rgb variable
unset output
