# steps.gp: a scan of eight elements: a row of cells for each step, arrows from the values that each was computed from.
# ARG1 data, ARG2 output, ARG3 width, ARG4 height. x and y are in px from the left and the top.

reset
set terminal svg size 1.0 * ARG3, 1.0 * ARG4 dynamic noenhanced rounded font "sans-serif,14"
set output ARG2
set lmargin at screen 0
set rmargin at screen 1
set tmargin at screen 1
set bmargin at screen 0
set xrange [0 : 1.0 * ARG3]
set yrange [1.0 * ARG4 : 0]
unset border
unset tics
unset key

plot ARG1 index 0 using 1:2:3:4 with vectors head filled size 6,18 fixed lw 0.8 lc rgb INK_2, \
     ARG1 index 1 using 1:2:3:4 with vectors head filled size 6,18 fixed lw 1.6 dt 2 lc rgb WAIT, \
     ARG1 index 2 using 1:2:3:4:5:6 with boxxyerror fs empty lw 0.8 lc rgb INK_2, \
     ARG1 index 3 using 1:2:3:4:5:6 with boxxyerror fs empty lw 2.5 lc rgb WAIT, \
     ARG1 index 4 using 1:2:3 with labels center textcolor rgb INK, \
     ARG1 index 5 using 1:2:3 with labels left offset 0.2,0 textcolor rgb INK_2
unset output
