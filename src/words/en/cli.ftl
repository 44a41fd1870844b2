# cli: fushi play
play-progress = { $connected } of { $players } players connected, { $boards } boards finished, { $actions } actions, violations: { $violations }
play-counts = { $boards } boards finished, { $actions } actions accepted, { $refused } refused; { $reconnects } reconnections, { $messages } messages
play-speed = { $rate } actions a second over { $seconds } s; answers within { $p50 } ms (half), { $p90 } ms (90 %), { $p99 } ms (99 %), { $max } ms (all)
play-clean = the server kept every rule and promise
play-faults = violations: { $violations }; players who could not go on: { $failed }
