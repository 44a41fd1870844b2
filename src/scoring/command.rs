//! The rules of an event as the flags of `fushi rank`: with them the results that a server exports rank as the server
//! ranks.

use super::exact::Exact;
use super::rules::{Awards, Butler, ImpTable, Method, Rules, Step};

/// A flag, and whether it means something under a method.
pub(crate) type OfMethod = (&'static str, fn(Method) -> bool);

/// The flags that mean something under some methods only, each with whether it does under one.
pub(crate) const OF_METHODS: [OfMethod; 10] = [
    ("--imp-table", Method::is_imps),
    ("--imp-scale", Method::is_imps),
    ("--imp-thresholds", Method::is_imps),
    ("--trim", is_butler),
    ("--trim-from", is_butler),
    ("--datum-rounding", is_butler),
    ("--award-plus", Method::has_top),
    ("--award-even", Method::has_top),
    ("--award-minus", Method::has_top),
    ("--award-imps", Method::is_imps),
];

fn is_butler(method: Method) -> bool {
    method == Method::Butler
}

/// The flags of `fushi rank` that say these rules: those that differ from the usual ones and mean something under the
/// method.
#[must_use]
pub fn arguments(rules: &Rules) -> Vec<String> {
    // Taken apart field by field, so that a new one cannot be forgotten.
    let Rules { method, equalise, lone, style, min_boards, tie_break, awards, imp_table, butler } = rules;
    let Awards { plus, even, minus, imps, own_average } = awards;
    let ImpTable { name, scale, thresholds } = imp_table;
    let Butler { trim, trim_from, datum_rounding } = butler;
    let usual = Rules::default();
    let listed = |items: &mut dyn Iterator<Item = String>| -> String { items.collect::<Vec<_>>().join(",") };
    // What the list leaves tied is shared, whether it says so or not.
    let order = |steps: &[Step]| {
        listed(&mut steps.iter().filter(|step| **step != Step::Shared).map(ToString::to_string))
    };
    let (steps, usual_steps) = (order(tie_break), order(&usual.tie_break));
    let rounding = datum_rounding.as_ref().unwrap_or(&Exact::ZERO);
    // How many are left out says from how many on, unless that is said as well.
    let trimmed = (trim, trim_from) != (&usual.butler.trim, &usual.butler.trim_from);
    let said = [
        ("--method", method.to_string(), *method != usual.method),
        ("--equalise", equalise.to_string(), *equalise != usual.equalise),
        ("--lone", lone.to_string(), *lone != usual.lone),
        ("--style", style.to_string(), *style != usual.style),
        ("--min-boards", min_boards.to_string(), *min_boards != usual.min_boards),
        ("--tie-break", steps.clone(), steps != usual_steps),
        ("--imp-table", name.clone(), *name != usual.imp_table.name),
        ("--imp-scale", scale.to_string(), *scale != usual.imp_table.scale),
        (
            "--imp-thresholds",
            listed(&mut thresholds.iter().map(ToString::to_string)),
            *thresholds != usual.imp_table.thresholds,
        ),
        ("--trim", trim.to_string(), trimmed),
        ("--trim-from", trim_from.to_string(), trimmed),
        ("--datum-rounding", rounding.to_string(), *datum_rounding != usual.butler.datum_rounding),
        ("--award-plus", plus.to_string(), *plus != usual.awards.plus),
        ("--award-even", even.to_string(), *even != usual.awards.even),
        ("--award-minus", minus.to_string(), *minus != usual.awards.minus),
        ("--award-imps", imps.to_string(), *imps != usual.awards.imps),
        ("--own-average", own_average.to_string(), *own_average != usual.awards.own_average),
    ];
    let means = |flag: &str| OF_METHODS.iter().all(|(known, of)| *known != flag || of(*method));
    said.into_iter()
        .filter(|(flag, _, differs)| *differs && means(flag))
        .flat_map(|(flag, value, _)| [flag.to_owned(), value])
        .collect()
}

/// The command that ranks a results file by these rules, as it is typed in a shell.
#[must_use]
pub fn rank_command(rules: &Rules, file: &str) -> String {
    let words = arguments(rules);
    let words = words.iter().map(String::as_str).chain([file]).map(quoted);
    format!("fushi rank {}", words.collect::<Vec<_>>().join(" "))
}

/// A word as a shell takes it literally.
fn quoted(word: &str) -> String {
    let plain = |letter: char| letter.is_ascii_alphanumeric() || "-_.,/+=:".contains(letter);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_differs_and_means_something_is_said() {
        assert_eq!(rank_command(&Rules::default(), "e1.csv"), "fushi rank e1.csv");
        let mut rules = Rules::of(Method::Butler);
        rules.butler.trim_from = 6;
        rules.butler.datum_rounding = None;
        rules.awards.plus = Exact::over(2, 3);
        rules.imp_table.name = "our club's".to_owned();
        rules.tie_break = vec![Step::Average, Step::RawSum];
        assert_eq!(
            rank_command(&rules, "e1.csv"),
            r"fushi rank --method butler --tie-break average,raw-sum --imp-table 'our club'\''s' --trim 1 --trim-from 6 --datum-rounding 0 e1.csv"
        );
        rules.method = Method::PlacePoints;
        assert_eq!(
            rank_command(&rules, "e1.csv"),
            "fushi rank --method place-points --tie-break average,raw-sum --award-plus 2/3 e1.csv"
        );
    }
}
