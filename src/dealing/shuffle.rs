//! The shuffle: ChaCha20 words, our own rejection sampler, our own Fisher–Yates.
//!
//! Nothing here uses a library's sampling or shuffling, so that an upgrade cannot change a deal.

use rand_chacha::ChaCha20Rng;
use rand_core::{Rng, SeedableRng};

use super::seed::Streams;
use super::{BoardSeed, DelayedValue, SetDealer, SetKey};
use crate::canonical::Hash;
use crate::cards::{Card, Pack};

/// A source of uniform 32-bit words.
pub trait WordSource {
    /// The next word.
    fn next_word(&mut self) -> u32;
}

/// The words of a ChaCha20 stream: 20 rounds, 32-byte key, 64-bit block counter from 0, nonce 0; the key stream cut
/// into 32-bit words, little end first.
pub struct ChaChaWords(ChaCha20Rng);

impl ChaChaWords {
    /// The stream of a key.
    #[must_use]
    pub fn new(key: &[u8; 32]) -> ChaChaWords {
        ChaChaWords(ChaCha20Rng::from_seed(*key))
    }
}

impl WordSource for ChaChaWords {
    #[inline]
    fn next_word(&mut self) -> u32 {
        self.0.next_u32()
    }
}

/// Several streams that take turns: word `i` of them all is the next word of stream `i mod N`.
struct Turns<const N: usize> {
    streams: [ChaChaWords; N],
    /// The next words, in turns, as bytes.
    words: [[[u8; 4]; N]; ROUNDS],
    /// How many of them have been taken.
    taken: usize,
}

/// How many words are taken from a stream at once: enough for two packs without words that are thrown away.
const ROUNDS: usize = 36;

impl<const N: usize> Turns<N> {
    fn new(keys: &[[u8; 32]; N]) -> Turns<N> {
        let streams = keys.each_ref().map(ChaChaWords::new);
        Turns { streams, words: [[[0; 4]; N]; ROUNDS], taken: N * ROUNDS }
    }

    #[inline]
    fn refill(&mut self) {
        let mut bytes = [[0; 4]; ROUNDS];
        for (place, stream) in self.streams.iter_mut().enumerate() {
            stream.0.fill_bytes(bytes.as_flattened_mut());
            for (round, word) in self.words.iter_mut().zip(bytes) {
                round[place] = word;
            }
        }
        self.taken = 0;
    }
}

impl<const N: usize> WordSource for Turns<N> {
    #[inline]
    fn next_word(&mut self) -> u32 {
        if self.taken >= N * ROUNDS {
            self.refill();
        }
        let word = u32::from_le_bytes(self.words.as_flattened()[self.taken]);
        self.taken += 1;
        word
    }
}

/// The largest word that is accepted for each bound: `2^32 − 1 − (2^32 mod bound)`.
const LAST_ACCEPTED: [u32; 256] = {
    let mut table = [u32::MAX; 256];
    let mut bound = 1;
    while bound < 256 {
        #[allow(clippy::cast_possible_truncation)] // below 256, and 2^32 − 1 − x for x below 256
        {
            table[bound] = ((1u64 << 32) - 1 - (1u64 << 32) % bound as u64) as u32;
        }
        bound += 1;
    }
    table
};

/// A number from 0 to `bound − 1`, every one equally likely: words beyond the largest multiple of `bound` are
/// thrown away, the first other word is taken modulo `bound`. A bound of 0 counts as 1.
#[inline]
pub fn draw_below(words: &mut impl WordSource, bound: u8) -> u8 {
    let last = LAST_ACCEPTED[usize::from(bound)];
    loop {
        let word = words.next_word();
        if word <= last {
            #[allow(clippy::cast_possible_truncation)] // the remainder is below 256
            return (word % u32::from(bound.max(1))) as u8;
        }
    }
}

/// Fisher–Yates from the last card down: for `n` = number of cards … 2, card `n` is exchanged with card
/// `1 + draw_below(n)`, counting from 1.
#[inline]
fn fisher_yates(cards: &mut [Card], words: &mut impl WordSource) {
    // A pack has at most 108 cards; a longer list would be shuffled in its first 255 only.
    let count = u8::try_from(cards.len()).unwrap_or(u8::MAX);
    for n in (2..=count).rev() {
        let other = draw_below(words, n);
        cards.swap(usize::from(n - 1), usize::from(other));
    }
}

/// `count` cards: every face below `faces` in canonical order, over and over.
const fn unshuffled<const COUNT: usize>(faces: u8) -> [Card; COUNT] {
    let mut cards = [Card::SMALL_JOKER; COUNT];
    let (mut at, mut face) = (0, 0);
    while at < COUNT {
        if let Some(card) = Card::from_index(face) {
            cards[at] = card;
        }
        at += 1;
        face = (face + 1) % faces;
    }
    cards
}

/// [`Pack::cards`] of each pack, laid out beforehand.
static FIFTY_TWO: [Card; 52] = unshuffled(52);
static TWO_WITH_JOKERS: [Card; 108] = unshuffled(Card::FACES);

/// The pack in the order in which the seed deals it: a function of the seed alone. The first card of the result is
/// the first card dealt.
#[must_use]
pub fn shuffle(seed: &BoardSeed) -> Vec<Card> {
    let mut cards = match seed.pack() {
        Pack::FiftyTwo => FIFTY_TWO.to_vec(),
        Pack::TwoWithJokers => TWO_WITH_JOKERS.to_vec(),
    };
    match seed.streams() {
        Streams::One([key]) => fisher_yates(&mut cards, &mut ChaChaWords::new(key)),
        Streams::Three(keys) => fisher_yates(&mut cards, &mut Turns::new(keys)),
    }
    cards
}

impl SetDealer {
    /// The cards of a board in dealing order.
    #[must_use]
    pub fn order(&self, board: u32) -> Vec<Card> {
        let seed = self.seed(board);
        let cards = shuffle(&seed);
        debug_assert!(is_permutation(seed.pack(), &cards));
        cards
    }
}

/// The cards of one board in dealing order. For many boards of a set, [`SetDealer`] is faster.
#[must_use]
pub fn deal_order(
    pack: Pack,
    set_key: &SetKey,
    announcement_hash: &Hash,
    delayed: &DelayedValue,
    set_id: &str,
    board: u32,
) -> Vec<Card> {
    SetDealer::new(pack, set_key, announcement_hash, delayed, set_id).order(board)
}

/// The same cards, whatever their order: for assertions.
#[must_use]
pub(super) fn is_permutation(pack: Pack, cards: &[Card]) -> bool {
    let (mut found, mut wanted) = (cards.to_vec(), pack.cards());
    found.sort_unstable();
    wanted.sort_unstable();
    found == wanted
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Words from a list, for looking at the sampler alone.
    struct Listed<'a>(std::slice::Iter<'a, u32>);

    impl WordSource for Listed<'_> {
        fn next_word(&mut self) -> u32 {
            *self.0.next().unwrap()
        }
    }

    fn listed(words: &[u32]) -> Listed<'_> {
        Listed(words.iter())
    }

    #[test]
    fn the_zero_key_gives_the_published_stream() {
        let mut words = ChaChaWords::new(&[0; 32]);
        let bytes: Vec<u8> = (0..4).flat_map(|_| words.next_word().to_le_bytes()).collect();
        assert_eq!(hex::encode(bytes), "76b8e0ada0f13d90405d6ae55386bd28");
    }

    #[test]
    fn the_unshuffled_packs_are_those_of_the_cards_room() {
        assert_eq!(FIFTY_TWO.to_vec(), Pack::FiftyTwo.cards());
        assert_eq!(TWO_WITH_JOKERS.to_vec(), Pack::TwoWithJokers.cards());
    }

    #[test]
    fn the_sampler_refuses_exactly_the_words_that_would_bias_it() {
        for bound in 1..=255u8 {
            let n = u64::from(bound);
            let whole = (1u64 << 32) / n * n;
            let last = u64::from(LAST_ACCEPTED[usize::from(bound)]);
            assert_eq!(last + 1, whole, "the accepted words are the largest multiple of {bound}");
            if whole < 1 << 32 {
                let refused = u32::try_from(whole).unwrap();
                assert_eq!(draw_below(&mut listed(&[refused, u32::MAX, 5]), bound), 5 % bound);
            }
            let word = u32::try_from(last).unwrap();
            assert_eq!(draw_below(&mut listed(&[word, 0]), bound), bound - 1);
        }
        assert_eq!(draw_below(&mut listed(&[9]), 0), 0);
    }

    #[test]
    fn the_shuffle_exchanges_from_the_last_card_down() {
        let mut cards = Pack::FiftyTwo.cards();
        cards.truncate(4);
        let [a, b, c, d] = [cards[0], cards[1], cards[2], cards[3]];
        // n = 4 draws 1: a d c b; n = 3 draws 0: c d a b; n = 2 draws 1: unchanged.
        fisher_yates(&mut cards, &mut listed(&[1, 0, 1]));
        assert_eq!(cards, [c, d, a, b]);
    }

    #[test]
    fn streams_take_turns_from_the_first() {
        let keys = [[1; 32], [2; 32], [3; 32]];
        let mut turns = Turns::new(&keys);
        let mut single = keys.map(|key| ChaChaWords::new(&key));
        for _ in 0..100 {
            for stream in &mut single {
                assert_eq!(turns.next_word(), stream.next_word());
            }
        }
    }

    proptest! {
        #[test]
        fn every_shuffle_is_a_permutation(a in any::<[u8; 32]>(), b in any::<[u8; 32]>(), c in any::<[u8; 32]>()) {
            let one = BoardSeed::from_keys(Pack::FiftyTwo, &[a]).unwrap();
            prop_assert!(is_permutation(Pack::FiftyTwo, &shuffle(&one)));
            let two = BoardSeed::from_keys(Pack::TwoWithJokers, &[a, b, c]).unwrap();
            prop_assert!(is_permutation(Pack::TwoWithJokers, &shuffle(&two)));
            prop_assert_eq!(shuffle(&one), shuffle(&one));
        }
    }
}
