//! How results are compared: the scoring method by name with what it means, and its parameters. Every field has the
//! usual value already; whoever opens nothing gets the rulebook's.

use maud::{Markup, html};

use super::super::Visit;
use super::super::names;
use super::{Standing, Words, field};
use crate::formats::settings::Measure;
use crate::games::GameKind;
use crate::scoring::{Equalise, Exact, Lone, Method, RankStyle, Rules, Step, said};

/// A choice: the word of the interface, and the sentence for it.
type Choice = (&'static str, &'static str);

struct Part<'a> {
    visit: &'a Visit,
    rules: &'a Rules,
    shut: bool,
}

/// A number as a field holds it.
fn number(exact: &Exact) -> String {
    exact.decimal().unwrap_or_else(|| exact.to_string())
}

/// A share in percent.
fn percent(exact: &Exact) -> String {
    number(&(exact * &Exact::from(100)))
}

impl Part<'_> {
    fn select(&self, name: &str, words: Words, choices: &[Choice], value: &str) -> Markup {
        field(
            self.visit,
            name,
            words,
            &html! {
                select id=(name) name=(name) aria-describedby={ (name) "-hint" } disabled[self.shut] {
                    @for (word, text) in choices { option value=(word) selected[*word == value] { (self.visit.say(text)) } }
                }
            },
        )
    }

    fn number(&self, name: &str, words: Words, value: &str, step: &str) -> Markup {
        field(
            self.visit,
            name,
            words,
            &html! {
                input id=(name) name=(name) type="number" inputmode="decimal" min="0" max="1000000" step=(step) value=(value)
                    aria-describedby={ (name) "-hint" } disabled[self.shut];
            },
        )
    }

    fn methods(&self) -> Markup {
        html! {
            fieldset.cards.two {
                legend { (self.visit.say("scoring-method")) }
                @for method in Method::ALL.iter().filter(|method| !method.is_teams()) {
                    label.card {
                        input type="radio" name="scoring_method" value=(method) checked[*method == self.rules.method] disabled[self.shut];
                        span { strong { (self.visit.say(said::method(*method))) } span.hint { (self.visit.say(names::about_method(*method))) } }
                    }
                }
            }
        }
    }

    fn parameters(&self) -> Markup {
        let rules = self.rules;
        let butler = &rules.butler;
        let rounding = butler.datum_rounding.as_ref().map_or_else(|| "0".to_owned(), number);
        html! {
            div data-method="score-rate" {
                (self.select("scoring_equalise", ("scoring-equalise", "scoring-equalise-hint"), &[
                    (Equalise::None.id(), "scoring-equalise-none"),
                    (Equalise::Neuberg.id(), "scoring-equalise-neuberg"),
                    (Equalise::Linear.id(), "scoring-equalise-linear"),
                ], rules.equalise.id()))
            }
            div data-method="cross-imp butler" {
                (self.number("scoring_imp_scale", ("scoring-imp-scale", "scoring-imp-scale-hint"), &number(&rules.imp_table.scale), "any"))
            }
            div.pair data-method="butler" {
                (self.number("scoring_trim", ("scoring-trim", "scoring-trim-hint"), &butler.trim.to_string(), "1"))
                (self.number("scoring_trim_from", ("scoring-trim-from", "scoring-trim-from-hint"), &butler.trim_from.to_string(), "1"))
                (self.number("scoring_rounding", ("scoring-rounding", "scoring-rounding-hint"), &rounding, "any"))
            }
            div data-method="score-rate linear-rate cross-imp butler place-points" {
                (self.select("scoring_lone", ("scoring-lone", "scoring-lone-hint"), &[
                    (Lone::Undefined.id(), "scoring-lone-undefined"),
                    (Lone::Half.id(), "scoring-lone-half"),
                ], rules.lone.id()))
            }
        }
    }

    /// After the average, which always comes first, up to three steps.
    fn ties(&self) -> Markup {
        let step = |place: usize| self.rules.tie_break.get(place).map_or("", |step| step.id());
        let choices = [
            ("", "scoring-tie-none"),
            (Step::FullBoards.id(), "scoring-tie-full-boards"),
            (Step::CommonBoards.id(), "scoring-tie-common-boards"),
            (Step::RawSum.id(), "scoring-tie-raw-sum"),
        ];
        html! {
            fieldset {
                legend { (self.visit.say("scoring-ties")) }
                p.hint { (self.visit.say("scoring-ties-hint")) }
                div.triple {
                    @for (place, label) in [(1, "scoring-tie-1"), (2, "scoring-tie-2"), (3, "scoring-tie-3")] {
                        div.field {
                            label for={ "scoring_tie_" (place) } { (self.visit.say(label)) }
                            select id={ "scoring_tie_" (place) } name={ "scoring_tie_" (place) } disabled[self.shut] {
                                @for (word, text) in choices { option value=(word) selected[word == step(place)] { (self.visit.say(text)) } }
                            }
                        }
                    }
                }
            }
            div.pair {
                (self.select("scoring_style", ("scoring-style", "scoring-style-hint"), &[
                    (RankStyle::Competition.id(), "scoring-style-1224"),
                    (RankStyle::Dense.id(), "scoring-style-1223"),
                    (RankStyle::Range.id(), "scoring-style-range"),
                ], self.rules.style.id()))
                (self.number("scoring_min_boards", ("scoring-min-boards", "scoring-min-boards-hint"), &self.rules.min_boards.to_string(), "1"))
            }
        }
    }

    fn awards(&self) -> Markup {
        let awards = &self.rules.awards;
        html! {
            div data-method="score-rate linear-rate place-points" {
                fieldset {
                    legend { (self.visit.say("scoring-awards")) }
                    p.hint { (self.visit.say("scoring-awards-hint")) }
                    div.triple {
                        @for (name, label, value) in [("plus", "A+ (%)", &awards.plus), ("even", "A (%)", &awards.even), ("minus", "A− (%)", &awards.minus)] {
                            div.field {
                                label for={ "scoring_award_" (name) } { (label) }
                                input id={ "scoring_award_" (name) } name={ "scoring_award_" (name) } type="number" inputmode="decimal" min="0" max="100"
                                    step="any" value=(percent(value)) disabled[self.shut];
                            }
                        }
                    }
                }
            }
            div data-method="cross-imp butler" {
                (self.number("scoring_award_imps", ("scoring-award-imps", "scoring-award-imps-hint"), &number(&awards.imps), "any"))
            }
            div data-method="score-rate linear-rate cross-imp butler place-points" {
                (self.select("scoring_own_average", ("scoring-own", "scoring-own-hint"), &[
                    ("true", "scoring-own-yes"),
                    ("false", "scoring-own-no"),
                ], if awards.own_average { "true" } else { "false" }))
            }
        }
    }
}

/// The part of the settings that says how results are compared. `open`: it can still be changed.
#[must_use]
pub fn fields(visit: &Visit, standing: &Standing, kind: GameKind, open: bool) -> Markup {
    let part = Part { visit, rules: &standing.settings.scoring, shut: !open };
    let measure = if standing.settings.measure == Measure::SmallPoints { "small-points" } else { "score" };
    html! {
        details.scoring {
            summary { span { (visit.say("scoring-title")) " " span #scoring-now .muted { (visit.say(said::method(part.rules.method))) } } }
            p.muted { (visit.say("scoring-lead")) }
            (part.methods())
            @if kind == GameKind::Tuolaji {
                (part.select("measure", ("scoring-measure", "scoring-measure-hint"), &[
                    ("score", "scoring-measure-score"),
                    ("small-points", "scoring-measure-small"),
                ], measure))
            }
            (part.parameters())
            (part.ties())
            (part.awards())
        }
    }
}
