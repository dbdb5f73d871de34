# thumbnail.gp: two small timelines without words.
# ARG1 data, ARG2 output, ARG3 width, ARG4 height. x from 0 to 1, y in px from the top.

reset
set terminal svg size 1.0 * ARG3, 1.0 * ARG4 dynamic noenhanced font "sans-serif,12"
set output ARG2
set lmargin at screen 0
set rmargin at screen 1
set tmargin at screen 1
set bmargin at screen 0
set xrange [-0.04:1]
set yrange [1.0 * ARG4 : 0]
unset border
unset tics
unset key

plot ARG1 index 0 using 1:2:3:4:5:6:7 with boxxyerror fs solid noborder lc rgb variable
unset output
