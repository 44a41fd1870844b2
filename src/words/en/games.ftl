# Reasons that every game shares.
not-your-turn = It is not your turn: { $turn } is to act.
wrong-phase = That cannot be done now: the board is in the phase “{ $phase }”.
already-chosen = You have already chosen; a choice cannot be changed.
not-in-hand = { $cards } is not in your hand.
card-named-twice = { $card } is named more often than there are copies of it.
malformed = This cannot be read as an action: { $text }
