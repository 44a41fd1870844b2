# Names of hold'em hand values. $high, $low: a rank as a word, two to ace; $rest: further ranks as printed, such as A 10 4.

hand-royal-flush = royal flush
hand-straight-flush =
    straight flush, { $high ->
        [two] two
        [three] three
        [four] four
        [five] five
        [six] six
        [seven] seven
        [eight] eight
        [nine] nine
        [ten] ten
        [jack] jack
        [queen] queen
        [king] king
       *[ace] ace
    } high
hand-four-of-a-kind =
    four of a kind, { $high ->
        [two] twos
        [three] threes
        [four] fours
        [five] fives
        [six] sixes
        [seven] sevens
        [eight] eights
        [nine] nines
        [ten] tens
        [jack] jacks
        [queen] queens
        [king] kings
       *[ace] aces
    }, kicker { $rest }
hand-full-house =
    full house, { $high ->
        [two] twos
        [three] threes
        [four] fours
        [five] fives
        [six] sixes
        [seven] sevens
        [eight] eights
        [nine] nines
        [ten] tens
        [jack] jacks
        [queen] queens
        [king] kings
       *[ace] aces
    } over { $low ->
        [two] twos
        [three] threes
        [four] fours
        [five] fives
        [six] sixes
        [seven] sevens
        [eight] eights
        [nine] nines
        [ten] tens
        [jack] jacks
        [queen] queens
        [king] kings
       *[ace] aces
    }
hand-flush =
    flush, { $high ->
        [two] two
        [three] three
        [four] four
        [five] five
        [six] six
        [seven] seven
        [eight] eight
        [nine] nine
        [ten] ten
        [jack] jack
        [queen] queen
        [king] king
       *[ace] ace
    } high, then { $rest }
hand-straight =
    straight, { $high ->
        [two] two
        [three] three
        [four] four
        [five] five
        [six] six
        [seven] seven
        [eight] eight
        [nine] nine
        [ten] ten
        [jack] jack
        [queen] queen
        [king] king
       *[ace] ace
    } high
hand-three-of-a-kind =
    three of a kind, { $high ->
        [two] twos
        [three] threes
        [four] fours
        [five] fives
        [six] sixes
        [seven] sevens
        [eight] eights
        [nine] nines
        [ten] tens
        [jack] jacks
        [queen] queens
        [king] kings
       *[ace] aces
    }, kickers { $rest }
hand-two-pair =
    two pair, { $high ->
        [two] twos
        [three] threes
        [four] fours
        [five] fives
        [six] sixes
        [seven] sevens
        [eight] eights
        [nine] nines
        [ten] tens
        [jack] jacks
        [queen] queens
        [king] kings
       *[ace] aces
    } and { $low ->
        [two] twos
        [three] threes
        [four] fours
        [five] fives
        [six] sixes
        [seven] sevens
        [eight] eights
        [nine] nines
        [ten] tens
        [jack] jacks
        [queen] queens
        [king] kings
       *[ace] aces
    }, kicker { $rest }
hand-pair =
    pair of { $high ->
        [two] twos
        [three] threes
        [four] fours
        [five] fives
        [six] sixes
        [seven] sevens
        [eight] eights
        [nine] nines
        [ten] tens
        [jack] jacks
        [queen] queens
        [king] kings
       *[ace] aces
    }, kickers { $rest }
hand-high-card =
    high card { $high ->
        [two] two
        [three] three
        [four] four
        [five] five
        [six] six
        [seven] seven
        [eight] eight
        [nine] nine
        [ten] ten
        [jack] jack
        [queen] queen
        [king] king
       *[ace] ace
    }, then { $rest }

# Equity: shares of the pot when all cards come out.
equity-hands = an equity needs two to ten hands, not { $count }: give each as two cards, or ? for unknown cards
equity-hand = hand { $number } has { $count ->
    [one] { $count } card
   *[other] { $count } cards
}: give two, or ? for unknown cards
equity-no-card = `{ $shown }` is not a card: write rank and suit (AhKh, 10s) or suit and rank (HA HK)
equity-two-ways = `{ $shown }` can be read in more than one way: write rank and suit of every card (AhKh), or suit and rank (HA HK)
equity-sj = `sj` can be the small joker or the jack of spades: write `Js`
equity-single-cards = every argument is one hand of two cards: write AhKh QsQd, or "HA HK" "SQ DQ"
equity-board = a board has 0, 3, 4 or 5 cards, not { $count }
equity-joker = hold'em has no jokers: remove sj and bj
equity-twice = { $card } is named twice: every card is in one hand, on the board or dead, once
equity-cards = { $missing ->
    [one] { $missing } card is
   *[other] { $missing } cards are
} missing: name fewer dead cards or hands
equity-too-many = there are { $count } ways for the cards to come, more than { $max }: ask for a sample with --samples
equity-samples = ask for at least one sample
equity-exact = { $trials } ways for the cards to come, all counted
equity-sampled = { $trials } samples with seed { $seed }
equity-line = { $hand }  { $percent } %  wins { $won }  splits { $tied }  loses { $lost }
