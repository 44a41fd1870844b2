# Movements: the audit's report
formats-report-size = { $entrants } { $kind ->
    [pairs] pairs
   *[other] players
}, { $stand_ins ->
    [0] no stand-ins
    [one] 1 stand-in
   *[other] { $stand_ins } stand-ins
}, { $tables } tables, { $rounds } rounds, { $boards } boards
formats-report-boards = each { $kind ->
    [pairs] pair
   *[other] player
} plays { $same ->
    [yes] { $least } boards
   *[no] { $least } to { $most } boards
}
formats-report-byes = each { $kind ->
    [pairs] pair
   *[other] player
} sits out { $same ->
    [yes] { $least } times
   *[no] { $least } to { $most } times
}
formats-report-seats = each { $kind ->
    [pairs] pair
   *[other] player
} plays { $same ->
    [yes] { $least } boards
   *[no] { $least } to { $most } boards
} in each position
formats-report-bankers = each pair is on the banker’s side for { $same ->
    [yes] { $least } boards
   *[no] { $least } to { $most } boards
}; a pair keeps its direction for a round
formats-report-groups = results that are compared with each other: { $same ->
    [yes] { $least }
   *[no] { $least } to { $most }
}
formats-report-meetings = two { $kind ->
    [pairs] pairs
   *[other] players
} share a table { $same ->
    [yes] { $least } times
   *[no] { $least } to { $most } times (most: { $pair })
}; { $necessary } is unavoidable
formats-report-stand-ins = each { $kind ->
    [pairs] pair
   *[other] player
} meets stand-ins { $same ->
    [yes] { $least } times
   *[no] { $least } to { $most } times
}
formats-report-comparisons = direct comparisons of two { $kind ->
    [pairs] pairs
   *[other] players
}: { $same ->
    [yes] { $least }
   *[no] { $least } ({ $pair_least }) to { $most } ({ $pair_most }), mean { $mean }, variance { $variance }
}
formats-report-sound = the plan is sound
formats-report-faults = the plan must not be played, faults: { $count }
formats-too-large = the plan is larger than any that can be made: split the event into sections
formats-bad-positions = the positions are not the seats of a table of this kind of event
formats-table-shape = round { $round }, table { $table }: there must be one sitting per board and one occupant per position
formats-unknown-number = round { $round }, table { $table }: { $who } is not in the event
formats-out-of-place = round { $round }, table { $table }: { $who } may not sit there
formats-table-changes = round { $round }, table { $table }: the people change during the round
formats-direction-changes = round { $round }, table { $table }: a pair changes its direction during the round
formats-sits-twice = board { $board }: { $who } sits in two places
formats-missing = round { $round }: entrant { $number } neither plays nor has a bye
formats-bye-and-plays = round { $round }: entrant { $number } has a bye and plays, or has it twice
formats-board-seen-twice = entrant { $number } meets board { $board } a second time
formats-uneven-rounds = entrant { $least } plays { $few } rounds but entrant { $most } plays { $many }
formats-uneven-seats = entrant { $number } sits { $fewest } times in one position and { $most } times in another
formats-uneven-bankers = pair { $number } is on the banker's side on { $banker } boards and on the other on { $defender }: the rounds allow it more evenly
formats-meet-too-often = entrants { $one } and { $other } share a table { $times } times, { $necessary } would be enough
formats-uneven-comparisons = { $least } are compared { $few } times but { $most } { $many } times: less even than seats by lot
formats-disconnected = the entrants fall into { $parts } fields that are never compared; entrant { $number } is not in the field of entrant 1
formats-small-groups = results are compared in groups of { $size }: with fewer than { $wanted } one odd result decides; more entrants help
formats-never-compared = { $pairs } of { $of } pairs of entrants are never compared directly, only through others; more boards help
formats-report-playable = the plan can be played, but mind this:

# Competitions: why something cannot happen
competition-not-locked = the entries are not closed yet
competition-locked = the entries are closed already
competition-entrants = the list of entrants is empty, names somebody twice, or its numbers do not rise
competition-stages = the stages are not those of the settings: each but the last says who advances
competition-groups = stage { $stage }: { $entrants } entrants cannot be split into even groups of this size with at least two each
competition-advancement = stage { $stage }: the numbers of those who advance do not fit its groups
competition-pin = entrant `{ $entrant }` cannot be placed in the group that was set: the group does not exist or is full
competition-no-board = board { $board } is in no announced set
competition-no-movement = no movement can be planned
competition-no-draw-due = no draw is due
competition-wrong-draw = another draw is due
competition-wrong-order = the order is not the one that the seed gives
competition-bad-seed = the seed must be 64 hexadecimal digits
competition-draw-due = a draw has to be made first
competition-unknown-round = there is no round { $round } in the current stage
competition-round-started = round { $round } has started already
competition-earlier-round = round { $round } has to start first
competition-round-runs = round { $round } is not over yet
competition-round-not-started = round { $round } has not started
competition-round-over = round { $round } is over
competition-bell-rang = the time of round { $round } was over already
competition-bad-unplayed = sitting { $sitting } is not an open sitting of the round, or stands out of order
competition-unknown-sitting = there is no sitting { $sitting }
competition-finished = sitting { $sitting } is over already
competition-not-played = sitting { $sitting } is not played: the time of the round was over
competition-wrong-seats = sitting { $sitting }: the scores are not those of its seats
competition-stage-not-over = stage { $stage } is not played to its end
competition-stage-closed = stage { $stage } is closed
competition-other-stage = stage { $stage } is not the current one
competition-not-void = board { $board } is not void by this ruling
competition-no-reserve = board { $board } is in no reserve set, or is used already
competition-replayed = ruling { $ruling } cannot be withdrawn: its board was replayed
competition-paused = everything stands already
competition-not-paused = nothing stands: there is nothing to go on with
competition-ended = the event is over

# Competitions: the checker of the stream of orders
formats-stream = line { $line }: { $what }
formats-stream-misplaced = an order that cannot follow from what happened
formats-stream-sitting-number = sitting { $about } is numbered wrongly or belongs to another round
formats-stream-seats = sitting { $about } does not have the seats of a table
formats-stream-unknown = { $about } does not take part
formats-stream-two-tables = { $about } sits at two places at once
formats-stream-board-twice = somebody meets a board again: { $about }
formats-stream-plays-or-bye = { $about } neither plays nor has a bye, or both
formats-stream-boards = the tables of round { $about } do not play its own boards alike
formats-stream-setup = sitting { $about } begins otherwise than its place in the cycle says
formats-stream-meeting = a meeting that must not be: { $about }
formats-stream-not-met = a meeting that is missing or doubled: { $about }
formats-stream-directions = the directions of { $about } differ by more than one
formats-stream-byes = { $about } has more byes than others
formats-stream-groups = the groups of stage { $about } are not even
formats-stream-draw = a draw that does not order those among whom it was made
formats-stream-replay = board { $about } is not replayed as it was seated
formats-stream-advance = those who advance from stage { $about } are not those of its ranking
formats-stream-shared = stage { $about } ended with a shared place
formats-stream-open = stage { $about } was closed while somebody was playing
