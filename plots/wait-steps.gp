# wait-steps.gp: the share of the warps' cycles that goes into waiting at a barrier, step by step.
# ARG1 data, ARG2 output, ARG3 width, ARG4 height, ARG5 right margin (px), ARG6 ARG7 first and last step, ARG8 step of
# the axis.

reset
width = 1.0 * ARG3; height = 1.0 * ARG4; right = 1.0 * ARG5
top = 10.0; left = width < 500 ? 48.0 : 62.0; bottom = 48.0

set terminal svg size width,height dynamic noenhanced rounded font (width < 500 ? "sans-serif,12" : "sans-serif,14")
set output ARG2
set lmargin at screen left / width
set rmargin at screen 1 - right / width
set tmargin at screen 1 - top / height
set bmargin at screen bottom / height

first = 1.0 * ARG6; step = 1.0 * ARG8
set xrange [first - 0.5 : ARG7 + 0.5]
set yrange [0 : 100]
set border 3 lc rgb INK_2
set xtics 0,step out nomirror scale 0.5 format "%g" offset 0,0.4 textcolor rgb INK_2
set ytics 0,25 out nomirror scale 0.5 format "%g %%" offset 0.5,0 textcolor rgb INK_2
set grid ytics lt 1 lw 0.75 lc rgb GRID
set label 1 "step of the kernel's loop" at graph 0.5, screen 8.0 / height center textcolor rgb INK_2
unset key

plot ARG1 index 0 using 1:2 with lines lw 2.5 lc rgb SINGLE, \
     ARG1 index 1 using 1:2 with lines lw 2.5 lc rgb DOUBLE, \
     ARG1 index 2 using 1:2:3 with labels left offset 0.6,0 textcolor rgb INK
unset output
