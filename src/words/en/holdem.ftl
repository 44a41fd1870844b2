# holdem
holdem-over = The hand is over, or cannot go on: nobody is to act.
holdem-bet-is-open = A bet is open: write raise instead of bet.
holdem-no-bet-open = There is no bet to raise: write bet instead of raise.
holdem-nothing-to-call = There is nothing to call: check or bet.
holdem-nothing-to-call-raise = There is nothing to call: check or raise.
holdem-dead-free = Only the clock or a referee says that a hand is dead: check.
holdem-dead-facing = Only the clock or a referee says that a hand is dead: write fold.
holdem-not-live = Seat { $seat } has no live hand.
holdem-cannot-check = You cannot check: call { $call }, raise or fold.
holdem-cannot-check-or-raise = You cannot check: call { $call } or fold.
holdem-bad-amount = The total must be from { $min } to { $max }, in multiples of { $unit }.
holdem-not-reopened = You have acted, and no full raise was made since: call or fold.
holdem-nobody-to-raise = Nobody could call more: call or fold.
