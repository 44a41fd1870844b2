# AI players: fushi match
players-match = { $level } against { $against }: win rate { $rate } %, 95 % interval { $low } to { $high } %
players-match-counts = { $boards ->
    [one] { $boards } board
   *[other] { $boards } boards
}, { $comparisons ->
    [one] { $comparisons } comparison
   *[other] { $comparisons } comparisons
}: { $won } won, { $tied } tied, { $lost } lost; points { $points }
players-match-better = { $level } is the stronger level
players-match-open = no significant difference: the 95 % interval contains an even match (50 %); play more boards
players-match-two = a match has two levels: write --levels { $levels }
players-match-same = a match needs two different levels: { $level } against itself would tie every board
