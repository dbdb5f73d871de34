# cases.gp: the speed-up in every case of a family, with its interval.
# ARG1 data, ARG2 output, ARG3 width, ARG4 height, ARG5 left margin (px), ARG6 ARG7 ends of the axis, ARG8 its step,
# ARG9 half the width of the band around 1 that counts as the same.
# y is in px from the top of the plot.

reset
width = 1.0 * ARG3; height = 1.0 * ARG4; left = 1.0 * ARG5
top = 6.0; right = width < 500 ? 14.0 : 90.0; bottom = 48.0

set terminal svg size width,height dynamic noenhanced rounded font (width < 500 ? "sans-serif,12" : "sans-serif,14")
set output ARG2
set lmargin at screen left / width
set rmargin at screen 1 - right / width
set tmargin at screen 1 - top / height
set bmargin at screen bottom / height

step = 1.0 * ARG8
set xrange [1.0 * ARG6 : 1.0 * ARG7]
set yrange [height - top - bottom : 0]
set border 1 lc rgb GRID
set xtics 1-100*step,step out nomirror scale 0.5 format "%g" offset 0,0.4 textcolor rgb INK_2
set grid xtics lt 1 lw 0.75 lc rgb GRID
axis = "time of single / time of double".(width < 500 ? "" : ": right of 1, double is faster")
set label 1 axis at graph 0.5, screen 8.0 / height center textcolor rgb INK_2
set ytics () scale 0 textcolor rgb INK
set object 1 rectangle from 1 - ARG9, graph 0 to 1 + ARG9, graph 1 fs solid 0.5 noborder fc rgb GRID behind
set arrow from 1, graph 0 to 1, graph 1 nohead lw 1.2 lc rgb INK back
unset key

plot ARG1 index 0 using 1:4:($2-$1):(0):5 with vectors nohead lw 3 lc rgb variable, \
     ARG1 index 0 using 3:4:5 with points pt 7 ps 0.7 lc rgb variable, \
     ARG1 index 1 using 1:2:ytic(3) with dots lc rgb INK, \
     ARG1 index 2 using 1:2:3 with labels left offset (width < 500 ? 0 : 1),0 textcolor rgb INK
unset output
