# column.gp: a figure of one column (src/figure/why/column.h): lines of every thickness, and texts.
# ARG1 data, ARG2 output, ARG3 width, ARG4 height; ARG5 the looks of the lines: width, colour and dash type of each; ARG6
# size of the texts. The data file has a block for each look, and one for each of the three ways in which a text stands at
# its place. x and y are in px from the top left.

reset
width = 1.0 * ARG3; height = 1.0 * ARG4
looks = words(ARG5) / 3

set terminal svg size width,height dynamic noenhanced butt font "sans-serif,".ARG6
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

plot for [i=1:looks] ARG1 index i-1 using 1:2 with lines lw real(word(ARG5, 3*i-2)) lc rgb word(ARG5, 3*i-1) dt int(word(ARG5, 3*i)), \
     ARG1 index looks using 1:2:3:4 with labels left textcolor rgb variable, \
     ARG1 index looks+1 using 1:2:3:4 with labels center textcolor rgb variable, \
     ARG1 index looks+2 using 1:2:3:4 with labels right textcolor rgb variable
unset output
