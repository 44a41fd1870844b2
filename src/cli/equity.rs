//! `fushi equity`: shares of the pot in hold'em.

use std::process::ExitCode;

use clap::Args;
use num_rational::Ratio;
use serde_json::{Value, json};

use super::{Ended, Format, Trouble, print};
use crate::cards::{Card, write_cards};
use crate::games::holdem::equity::{Equity, Spot};
use crate::games::holdem::eval::{HandValue, evaluate7};
use crate::games::holdem::notation;
use crate::rng::GameRng;
use crate::words::{Lang, Message, message, say};

#[derive(Args, Debug)]
pub(super) struct EquityArgs {
    /// Two to ten hands of two cards each: `AhKh` or "HA HK", or ? for unknown cards.
    #[arg(required = true, value_name = "HAND")]
    hands: Vec<String>,
    /// The cards of the board that are out: none, three, four or five.
    #[arg(long, default_value = "", value_name = "CARDS")]
    board: String,
    /// Cards that are known to be elsewhere.
    #[arg(long, default_value = "", value_name = "CARDS")]
    dead: String,
    /// Look at this many random ways for the cards to come instead of counting all.
    #[arg(long, value_name = "N")]
    samples: Option<u64>,
    /// What the sample is drawn from: the same text gives the same sample everywhere.
    #[arg(long, default_value = "1", value_name = "TEXT", requires = "samples")]
    seed: String,
    /// How to print: text, or one JSON object (docs/equity.md).
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

pub(super) fn equity(args: &EquityArgs, lang: Lang) -> Ended {
    let cards = |text: &str| notation::cards(text).map_err(Trouble::new);
    let mut hands = Vec::with_capacity(args.hands.len());
    for hand in &args.hands {
        hands.push(if ["?", "??", "????"].contains(&hand.trim()) { None } else { Some(cards(hand)?) });
    }
    let single = |hand: &Option<Vec<Card>>| hand.as_ref().is_some_and(|cards| cards.len() == 1);
    if hands.len() > 1 && hands.iter().all(single) {
        return Err(Trouble::new(message!("equity-single-cards")));
    }
    let dead = cards(&args.dead)?;
    let spot = Spot::new(&hands, &cards(&args.board)?, &dead);
    let answer = spot.and_then(|spot| {
        let equity = match args.samples {
            None => spot.exact(),
            Some(samples) => spot.sampled(samples, &mut GameRng::of("fushi equity", args.seed.as_bytes())),
        };
        equity.map(|equity| (spot, equity))
    });
    let (spot, equity) = answer.map_err(|error| Trouble::new(say(lang, &error.message())))?;
    let text = match args.format {
        Format::Json => format!("{}\n", json(args, &spot, &dead_text(&dead), &equity)),
        Format::Text => text(args, &spot, &equity, lang),
    };
    print(&text)?;
    Ok(ExitCode::SUCCESS)
}

fn dead_text(dead: &[Card]) -> String {
    write_cards(dead.iter().copied())
}

/// What the hand is worth once the board is complete.
fn value(spot: &Spot, hand: usize) -> Option<HandValue> {
    let board = spot.board().try_into().ok()?;
    evaluate7((*spot.hands().get(hand)?)?, board).ok()
}

/// A share in percent with two digits after the point, rounded half up: `53.25`.
fn percent(share: Ratio<u128>) -> String {
    let hundredths = (share * Ratio::from_integer(10_000) + Ratio::new(1, 2)).to_integer();
    format!("{}.{:02}", hundredths / 100, hundredths % 100)
}

/// Each hand with its place, its cards as text and its share.
fn lines(spot: &Spot, equity: &Equity) -> impl Iterator<Item = (usize, Option<String>, Ratio<u128>)> {
    spot.hands()
        .iter()
        .enumerate()
        .filter_map(|(place, hand)| Some((place, hand.map(write_cards), equity.share(place)?)))
}

fn text(args: &EquityArgs, spot: &Spot, equity: &Equity, lang: Lang) -> String {
    let head = match args.samples {
        None => Message::plain("equity-exact"),
        Some(_) => Message::plain("equity-sampled").with("seed", &args.seed),
    };
    let mut text = say(lang, &head.with("trials", equity.trials));
    text.push('\n');
    for (place, hand, share) in lines(spot, equity) {
        let Some(tally) = equity.hands.get(place) else { continue };
        let line = Message::plain("equity-line")
            .with("hand", format!("{:5}", hand.unwrap_or_else(|| "?".to_owned())))
            .with("percent", format!("{:>6}", percent(share)))
            .with("won", tally.won)
            .with("tied", tally.tied())
            .with("lost", equity.trials.saturating_sub(tally.won).saturating_sub(tally.tied()));
        text.push_str(&say(lang, &line));
        if let Some(value) = value(spot, place) {
            text.push_str("  ");
            text.push_str(&say(lang, &value.name()));
        }
        text.push('\n');
    }
    text
}

fn json(args: &EquityArgs, spot: &Spot, dead: &str, equity: &Equity) -> Value {
    let hands: Vec<Value> = lines(spot, equity)
        .map(|(place, hand, share)| {
            let tally = equity.hands.get(place).copied().unwrap_or_default();
            let shared: Vec<(usize, u64)> =
                tally.shared.into_iter().enumerate().filter(|(_, pots)| *pots > 0).collect();
            json!({
                "hand": hand,
                "won": tally.won,
                "shared": shared,
                "equity": fraction(share),
                "percent": percent(share),
                "value": value(spot, place),
            })
        })
        .collect();
    json!({
        "board": write_cards(spot.board().iter().copied()),
        "dead": dead,
        "method": if args.samples.is_some() { "sampled" } else { "exact" },
        "seed": args.samples.map(|_| &args.seed),
        "trials": equity.trials,
        "hands": hands,
    })
}

/// `[numerator, denominator]`. Both are below 2⁶⁴ for every number of trials that a program lives to see.
fn fraction(share: Ratio<u128>) -> [u64; 2] {
    [*share.numer(), *share.denom()].map(|part| u64::try_from(part).unwrap_or(u64::MAX))
}
