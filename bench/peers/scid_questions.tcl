# Looks for material with Scid: tkscid scid_questions.tcl BASE ROUNDS PGN…
#
# The games are imported into a new base BASE. Then rook and pawn against rook, of either color, are looked for once in every
# round. One line: how many games, and the microseconds of each search.

lassign $argv name rounds
set base [sc_base create $name]
foreach pgn [lrange $argv 2 end] { sc_base import $base $pgn }
sc_base switch $base
for {set round 0} {$round < $rounds} {incr round} {
    sc_filter reset $base dbfilter full
    lappend searches [lindex [time {
        sc_search material -wq {0 0} -bq {0 0} -wr {1 1} -br {1 1} -wb {0 0} -bb {0 0} -wn {0 0} -bn {0 0} \
            -wm {0 0} -bm {0 0} -wp {1 1} -bp {0 0} -flip 1 -filter 2 -range {1 999} -length 1 -bishops ? -diff {-40 40}
    }] 0]
}
puts "[sc_filter count $base dbfilter] $searches"
exit
