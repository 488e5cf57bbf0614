# Asks Scid which games answer questions: tkscid outside.tcl GAMES.pgn < QUESTIONS
#
# A question is one line, with Scid's own options:
#
#     board TYPE VARIATIONS FEN     what its window "Board" asks; TYPE is Exact, Pawns, …; VARIATIONS is 1 to look in them, too
#     material OPTIONS              what its window "Material" asks; pieces that are not named may be any number
#     header OPTIONS                what its window "Header" asks
#
# For each, a line with the numbers of the games, each with the half-moves before the position that Scid shows: "387:42".

proc progressCallBack {args} { return }

set base [sc_base create MEMORY questions]
lassign [sc_base import $base [lindex $argv 0]] games errors
sc_base switch $base
if {$errors ne ""} { error $errors }

set any {}
foreach piece {q r b n m p} {
    lappend any -w$piece {0 10} -b$piece {0 10}
}

while {[gets stdin question] >= 0} {
    sc_filter reset $base dbfilter full
    set options [lassign $question window]
    switch $window {
        board {
            lassign $options type variations fen
            sc_game startBoard $fen
            sc_search board 2 $type $variations 0
        }
        material {
            sc_search material {*}$any -flip 0 -filter 2 -range {1 999} -length 1 -bishops Either -diff {-40 40} {*}$options
        }
        header { sc_search header -filter 2 {*}$options }
        default { error "no such question: $question" }
    }
    set answer {}
    foreach {number line deleted} [sc_base gameslist $base 0 $games dbfilter N+] {
        lassign [split $number _] game ply
        lappend answer $game:[expr {$window eq "header" ? "" : $ply}]
    }
    puts $answer
}
exit
