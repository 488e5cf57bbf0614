# Looks for positions with Scid: tkscid scid_positions.tcl BASE ROUNDS PGN… < FENs
#
# The games are imported into a new base BASE. Then each position is looked for once in every round, and its tree is
# counted. A line for each position: how many games, and the microseconds of each search and of each tree.

lassign $argv name rounds
set base [sc_base create $name]
foreach pgn [lrange $argv 2 end] { sc_base import $base $pgn }
sc_tree cachesize $base 0
set fens [split [string trim [read stdin]] "\n"]
for {set round 0} {$round < $rounds} {incr round} {
    set index 0
    foreach fen $fens {
        sc_game startBoard $fen
        lappend searches($index) [lindex [time {sc_filter search $base tree board}] 0]
        set games($index) [sc_filter count $base tree]
        lappend trees($index) [lindex [time {sc_tree stats $base tree 0}] 0]
        incr index
    }
}
for {set index 0} {$index < [llength $fens]} {incr index} {
    puts "$games($index) $searches($index) $trees($index)"
}
exit
