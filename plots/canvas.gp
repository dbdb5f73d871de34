# canvas.gp: a figure on a canvas (src/figure/canvas.h): areas, lines of every thickness, texts.
# ARG1 data, ARG2 output, ARG3 width, ARG4 height; ARG5 the looks of the areas, ARG6 those of the lines: width, colour and
# dash type of each. The data file has a block for each area's look, for each line's, and one for each of the three ways
# in which a text stands at its place. x and y are from the top left.

reset
width = 1.0 * ARG3; height = 1.0 * ARG4
areas = words(ARG5) / 3; lines = words(ARG6) / 3
# gnuplot reads the colour of a first look also where there is none.
area = ARG5." 0 #000000 1"; line = ARG6." 0 #000000 1"

set terminal svg size width,height dynamic noenhanced butt font "sans-serif,13"
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

plot for [i=1:areas] ARG1 index i-1 using 1:2 with filledcurves closed fs solid noborder lc rgb word(area, 3*i-1), \
     for [i=1:lines] ARG1 index areas+i-1 using 1:2 with lines lw real(word(line, 3*i-2)) lc rgb word(line, 3*i-1) dt int(word(line, 3*i)), \
     ARG1 index areas+lines using 1:2:3:4 with labels left textcolor rgb variable, \
     ARG1 index areas+lines+1 using 1:2:3:4 with labels center textcolor rgb variable, \
     ARG1 index areas+lines+2 using 1:2:3:4 with labels right textcolor rgb variable
unset output
