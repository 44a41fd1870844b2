# Reasons that every game shares.
not-your-turn = It is not your turn: { $turn } is to act.
wrong-phase = That cannot be done now: { $phase ->
        [draw] cards are being drawn and calls are open
        [lay-away] the banker lays away the bottom
        [play] tricks are being played
        [choose] the next seat chooses which kind of component stands
        [over] the board is over
       *[other] the board is in the phase “{ $phase }”
    }.
already-chosen = You have already chosen; a choice cannot be changed.
not-in-hand = Not in your hand: { $cards }.
card-named-twice = { $card } is named more often than there are copies of it.
malformed = This cannot be read as an action: { $text }
