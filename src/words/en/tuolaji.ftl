# Tuolaji. $group is S, H, D or C for a side suit and T for trumps.
tuolaji-call-too-late = { $drawn } cards have been drawn: a call after card { $after } comes too late.
tuolaji-call-too-early = Only { $drawn } cards have been drawn: a call after card { $after } cannot be made yet.
tuolaji-wrong-number = You named { $given } cards: it must be { $need }.
tuolaji-not-a-call = That calls nothing: show one or two { $level }s of one suit, or two equal jokers for no trump.
tuolaji-no-trump-barred = At level { $level } no trump may not be called.
tuolaji-own-call = Your own call stands: nobody overcalls himself.
tuolaji-call-too-low = That does not overcall { $stands }: after a single show a pair of the level or no trump, after a pair no trump.
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
