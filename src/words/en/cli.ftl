# cli: fushi play
play-progress = { $connected } of { $players } players connected, { $boards } boards finished, { $actions } actions, violations: { $violations }
play-counts = { $boards } boards finished, { $actions } actions accepted, { $refused } refused; { $reconnects } reconnections, { $messages } messages
play-speed = { $rate } actions a second over { $seconds } s; answers within { $p50 } ms (half), { $p90 } ms (90 %), { $p99 } ms (99 %), { $max } ms (all)
play-clean = the server kept every rule and promise
play-faults = violations: { $violations }; players who could not go on: { $failed }
# fushi replay and fushi legal
replay-record = record { $number }
replay-unfinished = unfinished, { $who } to act
replay-actions = actions: { $count }
replay-unit = amounts in units of { $unit }
replay-label = { $key ->
    [banker] banker
    [bid] bid
    [bombs] bombs
    [factors] factors
    [winner] winner
    [trump] trump
    [tricks] tricks
    [points] points
    [small] small points
    [bottom] bottom
    [multiplier] multiplier
    [big] big points
    [table] table of big points
    [calls] calls
    [flipped] turned up
    [throws] failed throws
    [seat] seat
    [after] after card
    [cards] cards
    [trick] trick
    [stood] stood
    [penalty] penalty
    [returned] returned
    [pots] pots
    [amount] amount
    [eligible] eligible
    [shares] shares
    [shown] shown
    [stacks] stacks
    [hash] hash
    [phh] in the PHH file
    [unit] unit
    [rake] rake
   *[other] { $key }
}
legal-over = record { $number }: the board is over
legal-cut = … and more: raise --limit to see them
legal-unknown = the hand is not known: its actions are not listed
client-player = player { $number }
client-no-server = `{ $url }` is no server: write --url http://HOST:PORT
client-other-server = { $address } answers { $status }: is it a fushi server?
client-unreached = cannot connect to { $address }: { $error }
client-breaks = the connection breaks again and again
client-replaced = another connection has taken the seat
client-refused = { $code }: { $message }
