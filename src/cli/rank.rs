//! `fushi rank`: a results file in, the ranking and its cross-tabulations out.

use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Args, ValueEnum};

use super::interrupt::Unfinished;
use super::{Ended, Trouble, complain, print};
use crate::scoring::command::OF_METHODS;
use crate::scoring::input::{self, Fault};
use crate::scoring::paper::{Cells, Names, view_sheets, workbook_sheets};
use crate::scoring::report::{Missing, View, view_json};
use crate::scoring::rules::Butler;
use crate::scoring::sheet::{Sheet, to_xlsx};
use crate::scoring::{Equalise, Exact, Lone, Method, RankStyle, Rules, Settled, Step};
use crate::words::{Lang, Message, Part, say, why};

/// The largest results file that is read.
const FILE_MIB_MAX: u64 = 512;
/// The most faults of a file that are listed.
const FAULTS_MAX: usize = 20;

/// How the ranking is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Form {
    /// Aligned text for people.
    Text,
    /// The documented schema, with exact fractions.
    Json,
    /// UTF-8 with byte order mark and CRLF, for spreadsheets.
    Csv,
    /// A workbook; needs --output.
    Xlsx,
}

impl Form {
    /// The ending of a file that holds it.
    const fn ending(self) -> &'static str {
        match self {
            Form::Text => "txt",
            Form::Json => "json",
            Form::Csv => "csv",
            Form::Xlsx => "xlsx",
        }
    }
}

#[derive(Args, Debug)]
pub(super) struct RankArgs {
    /// Results (CSV with the columns board, seat, entrant, score and optionally table, expected, status, role, standing,
    /// ruling, outcomes, penalty, void); `-` reads standard input.
    #[arg(value_name = "FILE.csv")]
    file: PathBuf,
    /// text, json, csv or xlsx (default: by the ending of --output, else text).
    #[arg(long, value_enum)]
    format: Option<Form>,
    /// Write to this file instead of standard output.
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    /// score-rate, linear-rate, cross-imp, butler, place-points, match-poker (teams) or total.
    #[arg(long, default_value_t = Method::ScoreRate)]
    method: Method,
    /// Boards with unequal numbers of results: none, neuberg or linear.
    #[arg(long, alias = "equalize", default_value_t = Equalise::None)]
    equalise: Equalise,
    /// A result that nothing can be compared with: undefined or half.
    #[arg(long, default_value_t = Lone::Undefined)]
    lone: Lone,
    /// Shared places: 1224, 1223 or 2-3.
    #[arg(long, default_value_t = RankStyle::Competition)]
    style: RankStyle,
    /// Entrants with fewer counting boards are listed without a place.
    #[arg(long, default_value_t = 0, value_name = "N")]
    min_boards: u32,
    /// What decides ties, in order: full-boards, common-boards, raw-sum.
    #[arg(long, value_delimiter = ',', value_name = "STEPS")]
    tie_break: Option<Vec<Step>>,
    /// Name of the IMP table, which stands on every sheet (default: wbf).
    #[arg(long, value_name = "NAME")]
    imp_table: Option<String>,
    /// What one raw point counts in the IMP table (default: 1).
    #[arg(long, value_name = "NUMBER")]
    imp_scale: Option<Exact>,
    /// The IMP table: the fewest points of difference that are worth 1, 2, 3 … IMPs (default: those of the WBF).
    #[arg(long, value_delimiter = ',', value_name = "POINTS")]
    imp_thresholds: Option<Vec<i64>>,
    /// Results left out at each end of the Butler datum (default: 1, from 4 results on).
    #[arg(long, value_name = "N")]
    trim: Option<u32>,
    /// The fewest results from which on any are left out (default: 4, at least 2 × trim + 1).
    #[arg(long, value_name = "N")]
    trim_from: Option<u32>,
    /// Multiple to which the Butler datum is rounded; 0 keeps it exact (default: 10).
    #[arg(long, value_name = "NUMBER")]
    datum_rounding: Option<Exact>,
    /// What A+ is worth, as a share of the board (default: 3/5).
    #[arg(long, value_name = "SHARE")]
    award_plus: Option<Exact>,
    /// What A is worth, as a share of the board (default: 1/2).
    #[arg(long, value_name = "SHARE")]
    award_even: Option<Exact>,
    /// What A− is worth, as a share of the board (default: 2/5).
    #[arg(long, value_name = "SHARE")]
    award_minus: Option<Exact>,
    /// What A+ is worth in IMPs; A− the negative (default: 3).
    #[arg(long, value_name = "NUMBER")]
    award_imps: Option<Exact>,
    /// Whether A+ is the own average where that is higher, and A− where it is lower: true or false (default: true).
    #[arg(long, value_name = "BOOLEAN")]
    own_average: Option<bool>,
    #[command(flatten)]
    view: Views,
}

#[derive(Args, Debug)]
#[group(multiple = false)]
struct Views {
    /// Entrants × boards: raw score and rate in each cell.
    #[arg(long)]
    crosstab: bool,
    /// One board: every table, all seats, frequencies.
    #[arg(long, value_name = "BOARD", allow_hyphen_values = true)]
    traveller: Option<String>,
    /// One entrant's boards with the distribution of each group.
    #[arg(long, value_name = "ENTRANT", allow_hyphen_values = true)]
    card: Option<String>,
    /// Means by seat and entrant, and by role.
    #[arg(long)]
    seats: bool,
    /// Two entrants on the boards both played in the same seat.
    #[arg(long, num_args = 2, allow_hyphen_values = true, value_names = ["ENTRANT", "ENTRANT"])]
    versus: Option<Vec<String>>,
    /// What one number is made of.
    #[arg(long, num_args = 3, allow_hyphen_values = true, value_names = ["BOARD", "SEAT", "ENTRANT"])]
    explain: Option<Vec<String>>,
}

impl Views {
    fn chosen(&self) -> View {
        if let Some([one, other]) = self.versus.as_deref() {
            return View::Versus(one.clone(), other.clone());
        }
        if let Some([board, seat, entrant]) = self.explain.as_deref() {
            return View::Explain(board.clone(), seat.clone(), entrant.clone());
        }
        match (&self.traveller, &self.card) {
            (Some(board), _) => View::Traveller(board.clone()),
            (None, Some(entrant)) => View::Card(entrant.clone()),
            (None, None) if self.crosstab => View::CrossTab,
            (None, None) if self.seats => View::Seats,
            (None, None) => View::Ranking,
        }
    }
}

impl RankArgs {
    fn rules(&self) -> Result<Rules, Message> {
        let mut rules = Rules {
            method: self.method,
            equalise: self.equalise,
            lone: self.lone,
            style: self.style,
            min_boards: self.min_boards,
            ..Rules::default()
        };
        if let Some(steps) = &self.tie_break {
            rules.tie_break = tie_break(steps)?;
        }
        let put = |value: &Option<Exact>, field: &mut Exact| {
            if let Some(value) = value {
                value.clone_into(field);
            }
        };
        put(&self.imp_scale, &mut rules.imp_table.scale);
        put(&self.award_plus, &mut rules.awards.plus);
        put(&self.award_even, &mut rules.awards.even);
        put(&self.award_minus, &mut rules.awards.minus);
        put(&self.award_imps, &mut rules.awards.imps);
        rules.awards.own_average = self.own_average.unwrap_or(rules.awards.own_average);
        if let Some(name) = &self.imp_table {
            name.clone_into(&mut rules.imp_table.name);
        }
        if let Some(thresholds) = &self.imp_thresholds {
            thresholds.clone_into(&mut rules.imp_table.thresholds);
        }
        if let Some(trim) = self.trim {
            rules.butler.trim = trim;
            // Something must be left of the fewest results from which on any are left out.
            rules.butler.trim_from = rules.butler.trim_from.max(Butler::fewest(trim));
        }
        rules.butler.trim_from = self.trim_from.unwrap_or(rules.butler.trim_from);
        if let Some(unit) = &self.datum_rounding {
            rules.butler.datum_rounding = (!unit.is_zero()).then(|| unit.clone());
        }
        let below = |value: &Option<Exact>, least: fn(&Exact) -> bool| value.as_ref().is_some_and(least);
        match rules.check() {
            Ok(()) => Ok(rules),
            Err(_) if below(&self.imp_scale, |scale| *scale <= Exact::ZERO) => {
                Err(Message::plain("rank-scale-positive"))
            }
            Err(_) if below(&self.datum_rounding, |unit| *unit < Exact::ZERO) => {
                Err(Message::plain("rank-rounding-positive"))
            }
            Err(faults) => Err(Message::plain("rank-rules").with("faults", Part::List(faults))),
        }
    }

    /// Flags that were given and mean nothing under the method.
    fn unused(&self) -> impl Iterator<Item = Message> {
        let method = self.method;
        let given = [
            ("--imp-table", self.imp_table.is_some()),
            ("--imp-scale", self.imp_scale.is_some()),
            ("--imp-thresholds", self.imp_thresholds.is_some()),
            ("--trim", self.trim.is_some()),
            ("--trim-from", self.trim_from.is_some()),
            ("--datum-rounding", self.datum_rounding.is_some()),
            ("--award-plus", self.award_plus.is_some()),
            ("--award-even", self.award_even.is_some()),
            ("--award-minus", self.award_minus.is_some()),
            ("--award-imps", self.award_imps.is_some()),
        ];
        OF_METHODS.into_iter().filter(move |one| given.contains(&(one.0, true)) && !one.1(method)).map(
            move |(flag, means)| {
                let methods = Method::ALL.iter().filter(|method| means(**method)).map(|method| method.id());
                Message::plain("rank-note-unused")
                    .with("flag", flag)
                    .with("methods", methods.collect::<Vec<_>>().join(", "))
                    .with("method", method)
            },
        )
    }

    /// The format that the name of the output asks for by its ending.
    fn ending(&self) -> Option<Form> {
        let ending = self.output.as_ref()?.extension()?.to_str()?.to_ascii_lowercase();
        Form::value_variants().iter().copied().find(|form| form.ending() == ending)
    }

    /// # Errors
    /// A format that is another one than the name of the output says: whoever opens the file would be misled.
    fn form(&self) -> Result<Form, Message> {
        match (self.format, self.ending(), &self.output) {
            (Some(form), Some(ending), Some(path)) if form != ending => {
                let name = form.to_possible_value();
                Err(Message::plain("rank-format-differs")
                    .with("format", name.as_ref().map_or("", |name| name.get_name()))
                    .with("file", path.display())
                    .with("ending", format!(".{}", form.ending())))
            }
            (form, ending, _) => Ok(form.or(ending).unwrap_or(Form::Text)),
        }
    }
}

/// The order in which ties are decided: the average comes first and sharing last, whether they are named or not, and
/// nothing decides twice.
fn tie_break(steps: &[Step]) -> Result<Vec<Step>, Message> {
    let mut order = vec![Step::Average];
    for (place, step) in steps.iter().enumerate() {
        match step {
            _ if steps.iter().take(place).any(|earlier| earlier == step) => {
                return Err(Message::plain("rank-tie-twice").with("step", step));
            }
            Step::Average if place > 0 => return Err(Message::plain("rank-tie-average")),
            Step::Shared if place + 1 < steps.len() => return Err(Message::plain("rank-tie-shared")),
            Step::Average | Step::Shared => {}
            step => order.push(*step),
        }
    }
    Ok(order)
}

pub(super) fn rank(args: &RankArgs, lang: Lang) -> Ended {
    let form = args.form().map_err(|message| Trouble::usage(say(lang, &message)))?;
    if form == Form::Xlsx && args.output.is_none() {
        complain(&say(lang, &Message::plain("rank-xlsx-needs-output")));
        return Ok(ExitCode::from(2));
    }
    let rules = args.rules().map_err(|message| Trouble::usage(say(lang, &message)))?;
    if let Some([one, other]) = args.view.versus.as_deref()
        && one == other
    {
        let message = Message::plain("rank-versus-same").with("entrant", one);
        return Err(Trouble::usage(say(lang, &message)));
    }
    let name = args.file.display().to_string();
    let bytes = read(&args.file, lang)?;
    let mut event = match input::read(&bytes, rules) {
        Ok(event) => event,
        Err(faults) => {
            report(&name, &faults, lang);
            return Ok(ExitCode::FAILURE);
        }
    };
    drop(bytes);
    for told in args.unused() {
        event.doubt(told);
    }
    let settled = event.settle();
    let written = write(&settled, &args.view.chosen(), form, lang).map_err(|missing| match missing {
        Unwritten::Missing(missing) => Trouble::new(say(lang, &sentence(&missing, &name))),
        Unwritten::TooLarge(sentence) => Trouble::new(sentence),
    })?;
    match &args.output {
        None => print(&String::from_utf8_lossy(&written))?,
        Some(path) => {
            store(&args.file, path, &written, lang)?;
            tell(&say(lang, &Message::plain("rank-written").with("file", path.display())))?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// Says on standard output where the result went.
fn tell(sentence: &str) -> Result<(), Trouble> {
    print(&format!("{sentence}\n"))
}

fn read(path: &Path, lang: Lang) -> Result<Vec<u8>, Trouble> {
    let unreadable = |error: &io::Error| {
        let message =
            Message::plain("rank-unreadable").with("file", path.display()).with("error", why(error));
        Trouble::new(say(lang, &message))
    };
    let limit = FILE_MIB_MAX * 1024 * 1024;
    let mut bytes = Vec::new();
    let read = if path == Path::new("-") {
        io::stdin().lock().take(limit + 1).read_to_end(&mut bytes)
    } else {
        File::open(path).and_then(|file| file.take(limit + 1).read_to_end(&mut bytes))
    };
    let read = read.map_err(|error| unreadable(&error))?;
    if u64::try_from(read).unwrap_or(u64::MAX) > limit {
        let message =
            Message::plain("rank-too-large").with("file", path.display()).with("limit", FILE_MIB_MAX);
        return Err(Trouble::new(say(lang, &message)));
    }
    Ok(bytes)
}

/// One line per fault, with the line of the file.
fn report(file: &str, faults: &[Fault], lang: Lang) {
    for fault in faults.iter().take(FAULTS_MAX) {
        let what = say(lang, &fault.what);
        let message = match fault.line {
            Some(line) => Message::plain("rank-at").with("file", file).with("line", line).with("what", what),
            None => Message::plain("rank-in").with("file", file).with("what", what),
        };
        complain(&say(lang, &message));
    }
    if faults.len() > FAULTS_MAX {
        let more =
            Message::plain("rank-more-faults").with("count", faults.len() - FAULTS_MAX).with("file", file);
        complain(&say(lang, &more));
    }
}

enum Unwritten {
    Missing(Missing),
    TooLarge(Message),
}

fn write(settled: &Settled<'_>, view: &View, form: Form, lang: Lang) -> Result<Vec<u8>, Unwritten> {
    let sheets = |cells| view_sheets(settled, view, cells, lang, &Names::new()).map_err(Unwritten::Missing);
    Ok(match form {
        Form::Json => {
            let mut text = view_json(settled, view).map_err(Unwritten::Missing)?;
            text.push('\n');
            text.into_bytes()
        }
        Form::Text => {
            let pages: Vec<String> = sheets(Cells::Joined)?.iter().map(Sheet::to_text).collect();
            pages.join("\n").into_bytes()
        }
        Form::Csv => sheets(Cells::Apart)?.iter().map(Sheet::to_csv).collect::<String>().into_bytes(),
        Form::Xlsx => {
            let sheets = match view {
                View::Ranking => workbook_sheets(settled, lang, &Names::new()),
                _ => sheets(Cells::Apart)?,
            };
            to_xlsx(&sheets).map_err(Unwritten::TooLarge)?
        }
    })
}

fn sentence(missing: &Missing, file: &str) -> Message {
    let near = |[id, alone]: [&'static str; 2], given: &str, nearest: &Option<String>| match nearest {
        Some(nearest) => Message::plain(id).with("given", given).with("file", file).with("nearest", nearest),
        None => Message::plain(alone).with("given", given).with("file", file),
    };
    match missing {
        Missing::Board(given, nearest) => near(["rank-unknown-board", "rank-no-board"], given, nearest),
        Missing::Seat(given, nearest) => near(["rank-unknown-seat", "rank-no-seat"], given, nearest),
        Missing::Entrant(given, nearest) => near(["rank-unknown-entrant", "rank-no-entrant"], given, nearest),
        Missing::Result(board, seat, entrant) => {
            Message::plain("rank-no-result").with("board", board).with("seat", seat).with("entrant", entrant)
        }
    }
}

/// Writes the whole file or nothing: it is put beside its place and moved there when it is complete. A link is
/// followed and a file keeps its permissions; what is no file, such as a pipe, is written to and stays what it is.
fn store(input: &Path, path: &Path, bytes: &[u8], lang: Lang) -> Result<(), Trouble> {
    if let (Ok(from), Ok(to)) = (fs::canonicalize(input), fs::canonicalize(path))
        && from == to
    {
        let message = Message::plain("rank-output-is-input").with("file", path.display());
        return Err(Trouble::new(say(lang, &message)));
    }
    let place = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let known = fs::metadata(&place).ok();
    let unwritable = |error: io::Error| {
        let message =
            Message::plain("rank-unwritable").with("file", path.display()).with("error", why(&error));
        Trouble::new(say(lang, &message))
    };
    if known.as_ref().is_some_and(|known| !known.is_file()) {
        let write = || fs::OpenOptions::new().write(true).open(&place)?.write_all(bytes);
        return write().map_err(unwritable);
    }
    let mut beside = place.as_os_str().to_owned();
    beside.push(format!(".{}.part", std::process::id()));
    let beside = PathBuf::from(beside);
    let _unfinished = Unfinished::at(&beside);
    let write = || {
        let mut file = File::create(&beside)?;
        file.write_all(bytes)?;
        if let Some(known) = &known {
            file.set_permissions(known.permissions())?;
        }
        file.sync_all()?;
        fs::rename(&beside, &place)
    };
    write().map_err(|error| {
        // Nothing half-written stays behind; that it may not be there is fine.
        let _ = fs::remove_file(&beside);
        unwritable(error)
    })
}
