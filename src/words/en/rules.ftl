# The rules page: one sentence for each point of a game, with the values of the ruleset.
rules-list = { $before }; { $thing }
rules-title = Rules
rules-link = Rules
rules-read = Read all the rules
rules-print = Print
rules-hash = Hash of the rules (SHA-256)
rules-base = These rules are { $base }, except for:
rules-plain = These are the rules of { $base }, unchanged.
rules-was = There
rules-now = Here
rules-none = (nothing about it)
rules-fields = Changed fields
rules-field = Field
rules-penalties = Penalties of the ruleset
rules-big-points = Table of big points

rules-wakeng-aim = Three players, 16 cards each and a bottom of four. The highest bidder is the banker and plays alone against two defenders; whoever is out of cards first wins for the side.
rules-wakeng-order = Cards from high to low: { $weakest ->
    [3] 2 A K Q J 10 9 8 7 6 5 4 3
    [2] A K Q J 10 9 8 7 6 5 4 3 2
   *[other] 3 2 A K Q J 10 9 8 7 6 5 4
}. Suits do not rank.
rules-wakeng-sets = Single cards, pairs, triples and fours of a kind may be played. Nothing is attached.
rules-wakeng-runs = Runs go from { $weakest } to { $top } at most, of ranks next to each other, and never round the corner.
rules-wakeng-run-singles = { $fewest ->
    [0] There are no runs of single cards.
   *[other] Runs of single cards: { $fewest } or more.
}
rules-wakeng-run-pairs = { $fewest ->
    [0] There are no runs of pairs.
   *[other] Runs of pairs: { $fewest } pairs or more.
}
rules-wakeng-run-triples = { $fewest ->
    [0] There are no runs of triples.
   *[other] Runs of triples: { $fewest } triples or more.
}
rules-wakeng-run-quads = { $fewest ->
    [0] There are no runs of fours of a kind.
   *[other] Runs of fours of a kind: { $fewest } or more; such a run is no bomb.
}
rules-wakeng-quad = { $quad ->
    [plain] Four of a kind is no bomb: it beats only lower fours of a kind and multiplies nothing (bomb factor { $factor }, cap { $cap ->
        [none] none
       *[other] { $cap }
    }: not used here).
   *[bomb] Four of a kind is a bomb: it beats everything that is no bomb, and lower bombs. Each one played multiplies the score of the board by { $factor }; { $cap ->
        [none] every bomb counts
       *[other] at most { $cap } count
    }.
}
rules-wakeng-show-before = { $there ->
    [no] No hand is shown before the bidding.
   *[yes] Before the bidding each of the three chooses whether to show the hand; the choices are revealed together.
}
rules-wakeng-speaker = The holder of the lowest { $suit ->
    [S] spade
    [D] diamond
    [C] club
   *[H] heart
} among the dealt hands speaks first: { $suit ->
    [S] spade
    [D] diamond
    [C] club
   *[H] heart
} { $weakest }, or the next one if that lies in the bottom.
rules-wakeng-bid = Counter-clockwise, everybody bids once: no bid, 1, 2 or 3, higher each time; 3 ends the bidding. If nobody bids (a rotten dig), the first speaker is banker at { $rotten }; there is no redeal.
rules-wakeng-bottom = After the bidding the four bottom cards are turned up for everybody and join the banker’s hand.
rules-wakeng-banker-show = { $there ->
    [no] The banker does not show after taking the bottom.
   *[yes] After taking the bottom the banker may show.
}
rules-wakeng-lead-card = The holder of { $suit ->
    [S] spade
    [D] diamond
    [C] club
   *[H] heart
} { $weakest } leads first (the banker, if it lay in the bottom), with any combination; it need not hold that card.
rules-wakeng-lead-speaker = Whoever spoke first leads first, whoever is banker, with any combination.
rules-wakeng-trick = Play the same type and number of cards, only higher, or pass. Two passes in a row end the trick; whoever played last leads the next. The leader cannot pass.
rules-wakeng-shown = { $there ->
    [no] No hand is shown under these rules (show factor { $factor }, { $combine ->
        [product] multiplied for both sides
       *[max] counted once
    }: not used here).
   *[yes] If a hand is shown the score is multiplied by { $factor }; { $combine ->
        [product] hands shown on both sides count once for each side, multiplied
       *[max] however many are shown, it counts once
    }.
}
rules-wakeng-double = { $there ->
    [no] Nobody doubles under these rules (factor { $factor }: not used here).
   *[yes] Before play everybody may double (×{ $factor }), at the same time; a banker’s double counts against both defenders.
}
rules-wakeng-score = Score = { $unit } × bid × bombs × shown hands × doubles, between the banker and each defender.
rules-wakeng-time = Time: { $show } seconds to show, { $bid } to bid, { $double } to double, { $play } to play. When it is over nothing is shown, bid or doubled; for a leader the lowest single card is played, everybody else passes.

rules-tuolaji-aim = Four players, partners opposite; two packs, 108 cards, 25 each and a bottom of eight. The schedule says who is banker and at which level; only the defenders collect points.
rules-tuolaji-draw = Cards are drawn one by one, counter-clockwise from the banker, one every { $pace } seconds; { $order ->
    [stepped] after each card everybody may call, and of several calls the one nearest after the drawing seat counts
   *[realtime] the first call to arrive counts
}.
rules-tuolaji-call = Whoever holds a card of the level may show it: its suit is trump. A single card is overcalled by a pair of the level in another suit or by no trump, a pair only by no trump.
rules-tuolaji-no-trump = No trump is shown with { $jokers ->
    [any] any two jokers
   *[equal] two equal jokers
}; { $opens ->
    [no] it may only overcall, not open
   *[yes] it may be the first call
}.
rules-tuolaji-barred = No trump may not be called at levels { $levels }.
rules-tuolaji-none-barred = No trump may be called at every level.
rules-tuolaji-own-call = Nobody overcalls himself; { $may ->
    [yes] but a single of one’s own may be strengthened to the pair
   *[no] nor may a single of one’s own be strengthened to the pair
}.
rules-tuolaji-window = After 100 cards there are { $window } seconds to overcall; { $anew ->
    [no] an overcall does not begin them anew
   *[yes] every call begins them anew
}. Once the banker has the bottom nothing changes.
rules-tuolaji-flip = If nobody calls, the first bottom card is turned: its suit is trump, a joker means no trump, and nobody overcalls. If a joker is turned at a level where no trump is barred, { $joker ->
    [next] the next card is turned until one has a suit
   *[stands] it is no trump all the same
}.
rules-tuolaji-lay-away = The banker takes the eight bottom cards and lays away any eight of the 33, known to nobody else.
rules-tuolaji-trumps = Trumps are the jokers, all cards of the level and the trump suit; cards of the level outside the trump suit are equal, and the one played first wins.
rules-tuolaji-lead = A lead is a single card, a pair, a tractor, or a throw of one suit or of trumps. The longest run of pairs in a throw is its tractor; the leader does not choose otherwise.
rules-tuolaji-follow = Follow the suit led: pairs with pairs, tractors with tractors; without a run as long, with the next longest, and then with pairs.
rules-tuolaji-winner = Whoever is out of the suit may ruff, with the same shape: a pair needs a pair, a tractor a tractor. Only the largest kind in the lead is compared, and of equals the first wins.
rules-tuolaji-throw = No part of a throw may be beaten by another hand, the partner’s included; else only the smallest blocked part is played, and each blocked card costs { $penalty } points.
rules-tuolaji-choice = If several kinds are blocked the next seat chooses: { $choice ->
    [single-or-pair] single or pair, a tractor only if nothing else is blocked
   *[any] any blocked kind
}. Without a choice in time the { $late ->
    [smallest] smallest
   *[largest] largest
} kind is played.
rules-tuolaji-attempt = The cards of a failed throw are { $shown ->
    [no] not shown
   *[yes] shown to everybody
}.
rules-tuolaji-points = A 5 counts 5 points, 10 and K count 10: 200 small points in all.
rules-tuolaji-bottom = If the defenders win the last trick, the points of the bottom count for them, multiplied: ×2 for singles, ×4 for a pair, ×8 for a tractor of two pairs, doubled for each further pair. What counts is { $shape ->
    [winner] the shape of the winning cards
   *[lead] the shape of the lead
}.
rules-points = Small points become big points by the table “{ $name }”. For the defenders: { $classes }. The banker’s side gets the negative.
rules-points-below = below { $min } { $v }
rules-points-always = always { $v }
rules-points-row = from { $min } { $v }
rules-points-tail = above { $from } { $add } more for every { $step }
rules-points-no-tail = no more above
rules-points-cap = { $cap ->
    [0] The big points of a deal have no ceiling.
   *[other] A deal brings { $cap } big points at most.
}
rules-points-awards = Given by a referee at a table without software: { $misdeal } big points for a wrong number of cards found after the lead, { $concealed } for a concealed card found too late.
rules-points-forfeit = A forfeited round gives the opponents { $small } small and { $big } big points, and the side that forfeits 0 small and the negative big points.
rules-tuolaji-time = Time: { $play } seconds to play, { $bottom } to lay away; { $choice } for the choice after a throw, which is then made for the seat.
rules-tuolaji-slow = A play or a lay-away that takes longer is slow play. It stands in the board’s record and the referee sees it; the first { $counter ->
    [player-event] of a player in the event
    [pair-round] of a pair in a round
   *[player-round] of a player in a round
} is a warning, each further one costs { $penalty } small points, by the referee’s ruling.
rules-tuolaji-automatic = After { $extra } seconds more the smallest legal play by points and rank is made for the seat.
rules-tuolaji-round = A round lasts { $minutes } minutes, unless the organizer has set another time.

rules-holdem-aim = No-limit hold’em: two cards each, five on the board, the best five count.
rules-holdem-stacks = { $seats } seats; every hand begins with stacks of { $stack }; the smallest chip is { $unit }.
rules-holdem-blinds = Blinds of { $small } and { $big }.
rules-holdem-ante-none = There are no antes.
rules-holdem-ante-all = Everybody posts an ante of { $ante }.
rules-holdem-ante-bb = The big blind posts an ante of { $ante } for the table.
rules-holdem-blind-ante = A big blind that also posts the ante and has too few chips for both posts the { $first ->
    [ante] ante
   *[blind] blind
} first.
rules-holdem-raise = A raise is at least as large as the one before. An amount is always the total of the street.
rules-holdem-limit = { $preflop ->
    [pot] Before the flop the pot is the limit: no bet or raise is larger than the pot would be after a call. From the flop on, up to the whole stack.
   *[none] A bet or raise may be as large as the whole stack.
}
rules-holdem-short = All-ins that are each short of a full raise { $short ->
    [alone] count each alone and do not open the betting again
   *[add-up] add up: once they come to a full raise, seats that have acted may raise again
}.
rules-holdem-all-in = When somebody is all-in and the betting is over, { $cards ->
    [turn] hands are shown in turn after the last card
   *[up] all live hands are turned up at once and nobody mucks
}.
rules-holdem-show = Without an all-in { $show ->
    [left] the first live seat left of the button shows first
   *[aggressor] the last to bet or raise on the last street shows first; without a bet the first live seat left of the button
}.
rules-holdem-odd = Odd chips of a pot go { $odd ->
    [first] all to the first winner left of the button
   *[each] one to each winner, clockwise from the button
}.
rules-holdem-pot = { $pot ->
    [no] The table does not see the pot counted.
   *[yes] The table sees the pot counted.
}
rules-holdem-score = Your result of a hand is what you won or lost; it is compared with everybody who had your cards in your seat.
rules-holdem-time = Time: { $decide } seconds for a decision, then a countdown of { $countdown }. After that a hand that faces a bet folds; one that faces none { $free ->
    [dead] is dead
   *[check] checks
}.
