"""Game records: SGF in and out; positions as lines of text.

SGF (FF[4]) numbers its games in `GM` and has no number for ours. Leaving `GM` out changes nothing,
for its default is 1, Go; an unassigned number makes viewers refuse the file. Our moves *are* Go
moves in syntax, so we write `GM[1]`, which every Go viewer opens, and `RU` names the game that is
really played with all its options: `RU[linage:line=3;button=off;edition=current]`. (A viewer that
removes captured stones as Go does may show too few of them; the moves are right.)

Squares are written `SZ[13]`, rectangles `SZ[9:7]` (columns, rows), hexagons by the array they live
in, with their side among the rules: `SZ[17]RU[gardar:side=9]`. First is `B`, Second is `W`, a pass
is empty. In every game the players take turns one by one, so a record keeps no colour per move.

A `Record` has one line of moves; a `Study` has all of a file's variations, in a `MoveTree`.
"""
