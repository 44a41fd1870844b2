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
