# Tuolaji. $group is S, H, D or C for a side suit and T for trumps.
tuolaji-call-too-late = { $drawn ->
    [one] { $drawn } card has
   *[other] { $drawn } cards have
} been drawn: a call after card { $after } comes too late.
tuolaji-call-too-early = Only { $drawn ->
    [one] { $drawn } card has
   *[other] { $drawn } cards have
} been drawn: a call after card { $after } cannot be made yet.
tuolaji-wrong-number = Cards named: { $given }. There must be { $need }.
tuolaji-lies-elsewhere = Both copies of { $cards } lie elsewhere: this hand cannot hold another.
tuolaji-more-than-a-hand = After { $played } cards played, { $given } more are too many: a hand has 25.
tuolaji-not-a-call = That calls nothing: show one or two { $level }s of one suit{ $jokers ->
    [barred] {"; "}at this level no trump may not be called
    [any] , or any two jokers for no trump
   *[equal] , or two equal jokers for no trump
}.
tuolaji-no-trump-barred = At level { $level } no trump may not be called.
tuolaji-no-trump-may-not-open = The first call must be of a suit: no trump may only overcall.
tuolaji-own-call = Your own call stands: nobody overcalls himself.
tuolaji-single-stands = That does not overcall { $stands }: show a pair of the level{ $jokers ->
    [barred] {"; "}at this level no trump may not be called
    [any] , or any two jokers for no trump
   *[equal] , or two equal jokers for no trump
}.
tuolaji-pair-stands = That does not overcall { $stands }: { $jokers ->
    [barred] at this level a pair is final
    [any] only no trump does, with any two jokers
   *[equal] only no trump does, with two equal jokers
}.
tuolaji-no-trump-stands = No trump is called already ({ $stands }): nothing overcalls it.
tuolaji-two-groups = A lead must be of one suit, or of trumps only.
tuolaji-not-an-option = Choose one of the kinds that are blocked: { $kinds }.
tuolaji-follow-all = You must follow with all your { $group ->
    [S] spades
    [H] hearts
    [D] diamonds
    [C] clubs
   *[T] trumps
}: { $held }.
tuolaji-follow-cards = You must play { $need } { $group ->
    [S] spades
    [H] hearts
    [D] diamonds
    [C] clubs
   *[T] trumps
}: you hold { $held }.
tuolaji-follow-pair = You must play a pair of { $group ->
    [S] spades
    [H] hearts
    [D] diamonds
    [C] clubs
   *[T] trumps
}: you hold { $held }.
tuolaji-follow-pairs = You must play { $need } pairs of { $group ->
    [S] spades
    [H] hearts
    [D] diamonds
    [C] clubs
   *[T] trumps
}: you hold { $held }.
tuolaji-follow-run = You must play a tractor of { $need } pairs of { $group ->
    [S] spades
    [H] hearts
    [D] diamonds
    [C] clubs
   *[T] trumps
}: you hold { $held }.
tuolaji-follow-runs = You must play tractors of { $need } pairs of { $group ->
    [S] spades
    [H] hearts
    [D] diamonds
    [C] clubs
   *[T] trumps
}, but your play has { $paid ->
    [none] none of them
   *[other] only { $paid }
}: you hold { $held }.
tuolaji-missing-take-back = No legal play contains all the cards you selected: take some back.
tuolaji-missing-cards = Select { $count } more cards of any suit.
tuolaji-missing-group-cards = Select { $count } more { $group ->
    [S] spades
    [H] hearts
    [D] diamonds
    [C] clubs
   *[T] trumps
}.
tuolaji-missing-pair = Your selection still lacks a pair of { $group ->
    [S] spades
    [H] hearts
    [D] diamonds
    [C] clubs
   *[T] trumps
}.
tuolaji-missing-pairs = Your selection still lacks { $count } pairs of { $group ->
    [S] spades
    [H] hearts
    [D] diamonds
    [C] clubs
   *[T] trumps
}.
tuolaji-missing-run = Your selection still lacks a tractor of { $length } pairs of { $group ->
    [S] spades
    [H] hearts
    [D] diamonds
    [C] clubs
   *[T] trumps
}.
