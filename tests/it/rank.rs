//! `fushi rank` on the real binary: the promised JSON, every format, every flag, and files that are wrong.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output};

use fushi::scoring::command::arguments;
use fushi::scoring::report::{View, view_json};
use fushi::scoring::{Rules, input};
use serde_json::{Value, json};
use tempfile::TempDir;

struct Desk {
    folder: TempDir,
}

impl Desk {
    fn new() -> Desk {
        Desk { folder: tempfile::tempdir().unwrap() }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn file(&self, bytes: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path("results.csv");
        fs::write(&path, bytes).unwrap();
        path
    }

    fn run(&self, bytes: impl AsRef<[u8]>, arguments: &[&str]) -> Output {
        let file = self.file(bytes);
        Command::new(env!("CARGO_BIN_EXE_fushi"))
            .arg("rank")
            .arg(&file)
            .args(arguments)
            .env("LC_ALL", "C.UTF-8")
            .current_dir(self.folder.path())
            .output()
            .unwrap()
    }
}

fn json(csv: &str, arguments: &[&str]) -> Value {
    let output = Desk::new().run(csv, &[&["--format", "json"], arguments].concat());
    let errors = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.success() && errors.is_empty(), "{errors}");
    serde_json::from_slice(&output.stdout).unwrap()
}

fn text(csv: &str, arguments: &[&str]) -> String {
    let output = Desk::new().run(csv, arguments);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// Lines on standard error of a refused file.
fn refused(bytes: impl AsRef<[u8]>, arguments: &[&str]) -> Vec<String> {
    let output = Desk::new().run(bytes, arguments);
    assert_eq!(output.status.code(), Some(1));
    assert!(output.stdout.is_empty(), "something was printed");
    String::from_utf8(output.stderr).unwrap().lines().map(str::to_owned).collect()
}

/// The result of an entrant on a board.
fn result<'a>(answer: &'a Value, board: &str, entrant: &str) -> &'a Value {
    let boards = answer["boards"].as_array().unwrap();
    let group = boards
        .iter()
        .find(|group| {
            group["board"] == board
                && group["results"].as_array().unwrap().iter().any(|one| one["entrant"] == entrant)
        })
        .unwrap();
    group["results"].as_array().unwrap().iter().find(|one| one["entrant"] == entrant).unwrap()
}

fn places(answer: &Value) -> Vec<(String, String, String)> {
    let text = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    let rows = answer["ranking"].as_array().unwrap();
    rows.iter().map(|row| (text(&row["rank"]), text(&row["entrant"]), text(&row["decided_by"]))).collect()
}

const FOUR: &str = "board,seat,entrant,score\n1,A,p,6\n1,A,q,6\n1,A,r,-2\n1,A,s,-6\n";

#[test]
fn the_json_has_exactly_the_promised_keys_in_order() {
    let output = Desk::new().run(FOUR, &["--format", "json"]);
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(
        text.starts_with(
            r#"{"method":"score-rate","boards":[{"board":"1","seat":"A","results":[{"entrant":"p","score":6,"mp":[5,1],"top":6,"rate":[5,6]},{"entrant":"q","#
        ),
        "{text}"
    );
    assert!(
        text.contains(
            r#""ranking":[{"rank":1,"entrant":"p","average":[5,6],"percent":"83.33","boards":1,"decided_by":"shared"},"#
        ),
        "{text}"
    );
    assert!(text.ends_with("}\n") && text.lines().count() == 1);
    let answer = json(FOUR, &[]);
    let rates: Vec<&Value> =
        ["p", "q", "r", "s"].iter().map(|name| &result(&answer, "1", name)["rate"]).collect();
    assert_eq!(rates, [&json!([5, 6]), &json!([5, 6]), &json!([1, 3]), &json!([0, 1])]);
    let ranks: Vec<&Value> = answer["ranking"].as_array().unwrap().iter().map(|row| &row["rank"]).collect();
    assert_eq!(ranks, [&json!(1), &json!(1), &json!(3), &json!(4)]);
}

#[test]
fn columns_come_in_any_order_with_blanks_bom_crlf_quotes_and_chinese_names() {
    let csv = "\u{feff}status,score, entrant ,seat,board\r\n,6,赵一,A,1\r\nplayed,-2,\"钱, 二\",A,1\r\n, 0.5 ,=孙,A,1\r\n";
    let answer = json(csv, &[]);
    let names: Vec<&str> =
        answer["ranking"].as_array().unwrap().iter().map(|row| row["entrant"].as_str().unwrap()).collect();
    assert_eq!(names, ["赵一", "=孙", "钱, 二"]);
    assert_eq!(result(&answer, "1", "=孙")["score"], json!(0.5));
}

#[test]
fn one_result_all_equal_thirds_and_decimals_are_ranked_right() {
    let answer = json("board,seat,entrant,score\n1,A,x,5\n2,A,y,1\n2,A,z,1\n", &[]);
    assert_eq!(result(&answer, "1", "x")["rate"], Value::Null);
    assert_eq!(result(&answer, "1", "x")["basis"], "lone");
    assert_eq!(result(&answer, "2", "y")["rate"], json!([1, 2]));
    assert_eq!(
        places(&answer),
        [("1", "y", "shared"), ("1", "z", "shared"), ("null", "x", "null")].map(|(rank, name, step)| (
            rank.to_owned(),
            name.to_owned(),
            step.to_owned()
        ))
    );
    let half = json("board,seat,entrant,score\n1,A,x,5\n", &["--lone", "half"]);
    assert_eq!(result(&half, "1", "x")["rate"], json!([1, 2]));
    let sums = json("board,seat,entrant,score\n1,A,x,0.1\n2,A,x,0.2\n1,A,y,0.3\n", &["--method", "total"]);
    assert_eq!(sums["ranking"][0]["average"], json!([3, 10]));
    assert_eq!(sums["ranking"][1]["average"], json!([3, 10]));
    assert_eq!(sums["ranking"][1]["rank"], json!(1));
    // Three rates of 1/3 against one of 1/3: the averages are equal to the last digit.
    let mut csv = String::from("board,seat,entrant,score\n");
    for board in 1..=3 {
        csv.push_str(&format!("{board},A,best,9\n{board},A,good,8\n{board},A,thirds,7\n{board},A,last,6\n"));
    }
    csv.push_str("4,A,best,9\n4,A,good,8\n4,A,once,7\n4,A,last,6\n");
    let thirds = json(&csv, &[]);
    let rows = thirds["ranking"].as_array().unwrap();
    assert_eq!((&rows[2]["average"], &rows[3]["average"]), (&json!([1, 3]), &json!([1, 3])));
}

#[test]
fn a_void_board_counts_for_nobody_and_an_absence_is_no_zero() {
    let csv = "board,seat,entrant,score,status\n1,A,x,6,\n1,A,y,2,\n1,B,v,6,\n1,B,w,2,\n2,A,x,1,\n2,A,y,9,\n2,A,z,,absent\n\
               3,A,x,5,withdrawn\n3,A,y,4,\n3,A,z,1,disqualified\n1,C,u,,void\n";
    let answer = json(csv, &[]);
    for name in ["x", "y", "v", "w"] {
        assert_eq!(result(&answer, "1", name)["rate"], Value::Null);
    }
    assert_eq!(result(&answer, "2", "y")["rate"], json!([1, 1]));
    assert_eq!(result(&answer, "2", "z")["rate"], Value::Null);
    assert_eq!(result(&answer, "3", "x")["rate"], json!([1, 1]));
    assert_eq!(result(&answer, "3", "x")["top"], json!(2));
    // Both have one board of two; the raw scores decide.
    let (y, x) = (&answer["ranking"][0], &answer["ranking"][1]);
    assert_eq!((&x["entrant"], &x["boards"], &x["average"]), (&json!("x"), &json!(2), &json!([1, 2])));
    assert_eq!((&y["entrant"], &y["decided_by"]), (&json!("y"), &json!("raw-sum")));
    let last: Vec<&Value> = answer["ranking"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|row| row["rank"].is_null())
        .map(|row| &row["entrant"])
        .collect();
    assert_eq!(last, ["u", "v", "w", "z"]);
    let told = text(csv, &["--explain", "2", "A", "z"]);
    assert!(told.contains("absent: not a zero"), "{told}");
    let told = text(csv, &["--explain", "1", "A", "x"]);
    assert!(told.contains("the board is void"), "{told}");
}

#[test]
fn awards_take_the_own_average_and_have_no_matchpoints() {
    let csv = "board,seat,entrant,score,status\n1,A,p,12,\n1,A,q,6,\n1,A,r,6,\n1,A,s,-6,\n1,A,t,-12,\n\
               2,A,q,12,\n2,A,p,6,\n2,A,r,6,\n2,A,s,-6,\n2,A,t,-12,\n3,A,p,,A+\n3,A,t,,A-\n3,A,s,,A\n3,A,n,,A-\n";
    let answer = json(csv, &[]);
    assert_eq!(result(&answer, "3", "p")["rate"], json!([13, 16]));
    assert_eq!(result(&answer, "3", "p")["mp"], Value::Null);
    assert_eq!(result(&answer, "3", "t")["rate"], json!([0, 1]));
    assert_eq!(result(&answer, "3", "s")["rate"], json!([1, 2]));
    assert_eq!(result(&answer, "3", "n")["rate"], json!([2, 5]));
    let average = |answer: &Value, name: &str| {
        let rows = answer["ranking"].as_array().unwrap();
        rows.iter().find(|row| row["entrant"] == name).unwrap()["percent"].clone()
    };
    assert_eq!(average(&answer, "p"), "81.25");
}

#[test]
fn every_method_and_equalising_gives_the_numbers_of_the_rulebook() {
    let five = "board,seat,entrant,score\n1,A,a,620\n1,A,b,170\n1,A,c,140\n1,A,d,140\n1,A,e,-100\n";
    let rates = |csv: &str, arguments: &[&str], names: &[&str]| -> Vec<Value> {
        let answer = json(csv, arguments);
        names.iter().map(|name| result(&answer, "1", name)["rate"].clone()).collect()
    };
    assert_eq!(
        rates(five, &["--method", "cross-imp"], &["a", "b", "c", "e"]),
        [json!([21, 2]), json!([-1, 4]), json!([-5, 4]), json!([-31, 4])]
    );
    assert_eq!(
        rates(five, &["--method", "butler"], &["a", "b", "c", "e"]),
        [json!([10, 1]), json!([1, 1]), json!([0, 1]), json!([-6, 1])]
    );
    assert_eq!(
        rates(five, &["--method", "place-points"], &["a", "b", "c", "e"]),
        [json!([5, 1]), json!([4, 1]), json!([5, 2]), json!([1, 1])]
    );
    assert_eq!(
        rates(five, &["--method", "linear-rate"], &["a", "c", "e"]),
        [json!([1, 1]), json!([1, 3]), json!([0, 1])]
    );
    assert_eq!(rates(five, &["--method", "total"], &["a", "e"]), [json!([620, 1]), json!([-100, 1])]);
    let mut ten = String::from("board,seat,entrant,score,expected\n");
    for n in 0..10 {
        ten.push_str(&format!("1,A,n{n},{n},11\n"));
    }
    let answer = json(&ten, &["--equalise", "neuberg"]);
    let best = result(&answer, "1", "n9");
    assert_eq!(
        (&best["mp"], &best["top"], &best["rate"]),
        (&json!([199, 10]), &json!(20), &json!([199, 200]))
    );
    let answer = json(&ten, &["--equalise", "linear"]);
    assert_eq!(result(&answer, "1", "n9")["mp"], json!([99, 5]));
    // Without `expected`, the largest group is the measure.
    let mut uneven = String::from("board,seat,entrant,score\n");
    for n in 0..7 {
        uneven.push_str(&format!("2,A,n{n},{n}\n"));
        if n < 6 {
            uneven.push_str(&format!("1,A,n{n},{n}\n"));
        }
    }
    let answer = json(&uneven, &["--equalise", "neuberg"]);
    assert_eq!(result(&answer, "1", "n5")["mp"], json!([71, 6]));
    assert_eq!(answer["rules"]["equalise"], "neuberg");
}

#[test]
fn styles_and_the_minimum_of_boards() {
    let csv = format!("{FOUR}2,A,p,1\n2,A,q,1\n3,A,t,5\n3,A,u,4\n");
    let ranks = |arguments: &[&str]| -> Vec<Value> {
        json(&csv, arguments)["ranking"].as_array().unwrap().iter().map(|row| row["rank"].clone()).collect()
    };
    assert_eq!(ranks(&[]), [json!(1), json!(2), json!(2), json!(4), json!(5), json!(6)]);
    assert_eq!(ranks(&["--style", "1223"]), [json!(1), json!(2), json!(2), json!(3), json!(4), json!(5)]);
    assert_eq!(ranks(&["--style", "2-3"])[1..4], [json!("2-3"), json!("2-3"), json!(4)]);
    let least = json(&csv, &["--min-boards", "2"]);
    assert_eq!(
        places(&least).into_iter().map(|row| row.0 + &row.1).collect::<Vec<_>>(),
        ["1p", "1q", "nullr", "nulls", "nullt", "nullu"]
    );
    assert_eq!(least["ranking"][2]["average"], json!([1, 3]));
    assert_eq!(least["ranking"][2]["reason"], "under-minimum");
}

#[test]
fn files_that_are_wrong_are_refused_with_one_line_per_fault() {
    let one = |bytes: &[u8], line: &str, words: &str| {
        for format in ["text", "json", "csv"] {
            let errors = refused(bytes, &["--format", format]);
            assert_eq!(errors.len(), 1, "{errors:?}");
            assert!(
                errors[0].contains(line) && errors[0].contains(words),
                "{errors:?} lacks {line:?} or {words:?}"
            );
        }
    };
    let head = "board,seat,entrant,score\n";
    let with = |rows: &str| format!("{head}{rows}").into_bytes();
    one(b"", "results.csv", "empty");
    one(head.as_bytes(), "results.csv", "no results");
    one(&with("1,A,x,6\n1,A,y"), "line 3", "3 fields");
    one(&with("1,A,x,6\n1,A,\"y,6\n"), "line 3", "never closed");
    one(&with("1,A,x,6\n1,A,\u{8d75},6\n1,A,x,7\n"), "line 4", "line 2");
    one(&with("1,A,x,NaN\n"), "line 2", "finite");
    one(&with("1,A,x,inf\n"), "line 2", "finite");
    one(&with("1,A,x,1e400\n"), "line 2", "exponent");
    one(&with("1,A,x,six\n"), "line 2", "`six`");
    one(&with("1,A,x,\n"), "line 2", "needs a score");
    one(&with("1,A,,6\n"), "line 2", "entrant is empty");
    one(b"board,seat,entrant,scroe\n1,A,x,6\n", "line 1", "did you mean score");
    one(b"board,entrant,score\n1,x,6\n", "line 1", "`seat` is missing");
    one(b"board,seat,entrant,score,board\n1,A,x,6,1\n", "line 1", "twice");
    one(b"board,seat,entrant,score,status\n1,A,x,6,absnet\n", "line 2", "did you mean absent");
    one(b"board,seat,entrant,score,expected\n1,A,x,6,-3\n", "line 2", "whole number");
    one(b"board,seat,entrant,score\n1,A,\xff\xd4,6\n", "line 2", "GB18030");
    let utf16: Vec<u8> =
        "\u{feff}board,seat,entrant,score".encode_utf16().flat_map(u16::to_le_bytes).collect();
    one(&utf16[..utf16.len() - 1], "line 1", "UTF-16");
    one(b"board,seat,entrant,score,status\n1,A,x,6,dnf\n", "line 2", "write one of played, not-played");
    one(&with("1,A,x,6\n1,\u{ff21},y,2\n"), "line 3", "nothing is compared");
    one(&with("1,A,x,6\n01,A,y,2\n"), "line 3", "nothing is compared");
    one(b"board,seat,entrant,score,penalty\n1,A,x,6,of-top -1/2\n1,A,y,2,\n", "line 2", "above 0");
    one(b"board,seat,entrant,score,penalty\n1,A,x,6,of-top 100\n1,A,y,2,\n", "line 2", "at most 1");
    one(b"board,seat,entrant,score,penalty\n1,A,x,6,points 3\n1,A,y,2,\n", "line 2", "at most 2 points");
    let several = refused(with("1,A,x,?\n1,A,y,6\n1,A,y,6\n,A,z,1\n"), &[]);
    assert_eq!(several.len(), 3);
    let many = refused(with(&"1,A,x,?\n".repeat(100)), &[]);
    assert_eq!(many.len(), 21);
    assert!(many[20].contains("80 more"), "{}", many[20]);
    let chinese = refused(with("1,A,x,?\n"), &["--lang", "zh-CN"]);
    assert!(chinese[0].contains("第 2 行"), "{}", chinese[0]);
}

/// What is right and yet worth a look stands on every sheet and in the JSON.
#[test]
fn cautions_stand_in_every_format() {
    let csv = "board,seat,entrant,score\n1,A,x,6\n1,A,y,2\n2,A,x,1\n";
    let flags = ["--trim", "2", "--imp-scale", "3", "--datum-rounding", "5"];
    let answer = json(csv, &flags);
    let codes: Vec<&str> =
        answer["cautions"].as_array().unwrap().iter().map(|one| one["code"].as_str().unwrap()).collect();
    assert_eq!(codes, ["unused", "unused", "unused", "lone"]);
    assert!(json("board,seat,entrant,score\n1,A,x,6\n1,A,y,2\n", &[])["cautions"].is_null());
    for format in ["text", "csv"] {
        let shown = text(csv, &[&flags[..], &["--format", format]].concat());
        for part in [
            "--trim belongs to butler",
            "--imp-scale belongs to cross-imp, butler",
            "compared with nobody: 1",
        ] {
            assert!(shown.contains(part), "{part}: {shown}");
        }
    }
    let chinese = text(csv, &["--lang", "zh-CN"]);
    assert!(chinese.contains("没有比较对象的成绩：1 个"), "{chinese}");
    let uneven = text(csv, &["--method", "total"]);
    assert!(uneven.contains("the sums are over 1 to 2 boards"), "{uneven}");
    // Two results off each end of four leave nothing: from five on, and the sheet says so.
    let four = "board,seat,entrant,score\n1,A,a,100\n1,A,b,50\n1,A,c,0\n1,A,d,-1000\n";
    let shown = text(four, &["--method", "butler", "--trim", "2"]);
    assert!(shown.contains("without 2 results at each end, from 5 results on"), "{shown}");
    let datum = json(
        four,
        &["--method", "butler", "--trim", "2", "--datum-rounding", "0", "--explain", "1", "A", "a"],
    );
    assert_eq!(datum["explanation"]["datum"], json!([-425, 2]));
    assert_eq!((&datum["rules"]["trim"], &datum["rules"]["trim_from"]), (&json!(2), &json!(5)));
}

#[test]
fn lists_in_gb18030_and_utf_16_are_read_and_a_guess_is_said() {
    let csv = "board,seat,entrant,score\n1,A,\u{8d75}\u{5b50}\u{9f99},6\n1,A,\u{94b1},2\n";
    let gb18030 = b"board,seat,entrant,score\n1,A,\xd5\xd4\xd7\xd3\xc1\xfa,6\n1,A,\xc7\xae,2\n";
    let utf16: Vec<u8> = format!("\u{feff}{csv}").encode_utf16().flat_map(u16::to_be_bytes).collect();
    for (bytes, said) in [(csv.as_bytes(), false), (&utf16, false), (gb18030, true)] {
        let output = Desk::new().run(bytes, &[]);
        let shown = String::from_utf8(output.stdout).unwrap();
        let first = shown.lines().find(|line| line.contains("\u{8d75}\u{5b50}\u{9f99}")).unwrap();
        assert!(first.contains("100.00"), "{shown}");
        assert_eq!(shown.contains("read as GB18030"), said, "{shown}");
    }
}

#[test]
fn match_poker_ranks_teams_by_their_net_chips_over_all_tables() {
    let csv = "board,seat,entrant,score,table\n1,1,\u{7ea2},300,1\n1,2,\u{7ea2},-100,2\n1,1,\u{84dd},-300,2\n\
               1,2,\u{84dd},100,1\n1,1,\u{7eff},0,3\n1,2,\u{7eff},0,4\n2,1,\u{7ea2},50,1\n2,2,\u{7ea2},-50,2\n\
               2,1,\u{84dd},20,2\n2,2,\u{84dd},-20,1\n2,1,\u{7eff},9,3\n2,2,\u{7eff},1,4\n";
    let answer = json(csv, &["--method", "match-poker"]);
    let rows = answer["ranking"].as_array().unwrap();
    let got: Vec<(&str, &Value)> =
        rows.iter().map(|row| (row["entrant"].as_str().unwrap(), &row["average"])).collect();
    // Board 1: 3, 1, 2 points; board 2: the green team has 3, the others share 2 and 1.
    assert_eq!(
        got,
        [("\u{7eff}", &json!([5, 2])), ("\u{7ea2}", &json!([9, 4])), ("\u{84dd}", &json!([5, 4]))]
    );
    let red = result(&answer, "1", "\u{7ea2}");
    assert_eq!((&red["score"], &red["rate"]), (&json!(200), &json!([3, 1])));
    assert_eq!(red["parts"][1], json!({"seat": "2", "table": "2", "score": -100}));
    let told = text(csv, &["--method", "match-poker", "--explain", "1", "team", "\u{7ea2}"]);
    assert!(told.contains("Seat 2, table 2: -100."), "{told}");
    let refused = refused(csv.rsplit_once("\n2,2").unwrap().0, &["--method", "match-poker"]);
    assert!(refused[0].contains("line 12") && refused[0].contains("seat `2` of board `2`"), "{refused:?}");
}

#[test]
fn nothing_is_written_when_the_file_is_wrong() {
    for ending in ["xlsx", "csv", "json", "txt"] {
        let desk = Desk::new();
        let output = desk.run("board,seat,entrant,score\n1,A,x,?\n", &["--output", &format!("out.{ending}")]);
        assert_eq!(output.status.code(), Some(1));
        let left: Vec<_> =
            fs::read_dir(desk.folder.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        assert_eq!(left, ["results.csv"]);
    }
    let desk = Desk::new();
    let output = desk.run(FOUR, &["--output", "results.csv"]);
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(fs::read_to_string(desk.path("results.csv")).unwrap(), FOUR);
    let output = desk.run(FOUR, &["--output", "no/such/folder.json"]);
    assert_eq!(output.status.code(), Some(1));
}

#[test]
fn wrong_use_ends_with_2_and_a_missing_file_with_1() {
    for arguments in [
        &["--format", "xlsx"][..],
        &["--method", "matchpoints"],
        &["--style", "1234"],
        &["--min-boards", "-1"],
        &["--crosstab", "--seats"],
        &["--imp-scale", "0"],
        &["--tie-break", "raw-sum,raw-sum"],
        &["--nonsense"],
    ] {
        let output = Desk::new().run(FOUR, arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(output.stdout.is_empty());
    }
    let desk = Desk::new();
    let mut missing = Command::new(env!("CARGO_BIN_EXE_fushi"));
    let output = missing.args(["rank", "none.csv"]).current_dir(desk.folder.path()).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(String::from_utf8(output.stderr).unwrap().lines().count(), 1);
    for (arguments, nearest) in [
        (["--traveller", "11"].as_slice(), "nearest is 1"),
        (&["--card", "pp"], "nearest is p"),
        (&["--explain", "1", "a", "p"], "nearest is A"),
        (&["--versus", "p", "Q"], "nearest is q"),
    ] {
        let errors = refused(FOUR, arguments);
        assert!(errors.len() == 1 && errors[0].contains(nearest), "{errors:?}");
    }
}

#[test]
fn csv_has_a_mark_crlf_and_neutral_names() {
    let csv = "board,seat,entrant,score\n1,A,=cmd,6\n1,A,+x,5\n1,A,@y,4\n1,A,-z,-3\n";
    let written = text(csv, &["--format", "csv"]);
    assert_eq!(
        written,
        "\u{feff}rank,entrant,average %,boards,decided by\r\n1,'=cmd,100.00,1,average\r\n2,'+x,66.67,1,average\r\n\
         3,'@y,33.33,1,average\r\n4,'-z,0.00,1,average\r\n\r\n# Ranking\r\n\
         # Method: Score rate · equalising: none · lone result: does not count · rank style: 1224\r\n\
         \"# Ties are decided by: average → boards at 100 % → boards all tied entrants played → raw score sum, then \
         shared. Order among equals: by entrant.\"\r\n"
    );
    let table = text(csv, &["--format", "csv", "--crosstab"]);
    assert!(table.contains("4,'-z,0.00,-3,0.00\r\n"), "{table}");
}

/// Whoever reads a sheet sees how it was made and what does not count, whatever the format.
#[test]
fn csv_says_method_style_marks_and_cautions_as_text_does() {
    let csv = "board,seat,entrant,score,status\n1,A,x,6,\n1,A,y,5,\n1,A,z,,A+\n1,A,u,,absent\n2,A,x,3,\n2,A,y,,void\n\
               3,B,v,1,\n3,B,w,2,\n4,A,x,1,\n4,A,y,2,\n";
    let written = text(csv, &["--format", "csv", "--crosstab", "--style", "1223"]);
    let head = "rank,entrant,average %,1 score,1 rate %,1 status,2 score,2 rate %,2 status,3 score,3 rate %,4 score,\
                4 rate %\r\n";
    assert!(written.starts_with(&format!("\u{feff}{head}")), "{written}");
    for part in [
        "z,60.00,,60.00,A+,",
        "u,,,,absent,",
        ",3,,void,",
        "\r\n# Method: Score rate",
        "rank style: 1223",
        "Caution: the field falls into 2 parts",
        "# * by ruling",
    ] {
        assert!(written.contains(part), "{part}: {written}");
    }
    for arguments in [&["--crosstab"][..], &[]] {
        let (shown, csv) = (text(csv, arguments), text(csv, &[arguments, &["--format", "csv"]].concat()));
        let notes = shown.lines().skip(1).take_while(|line| !line.is_empty());
        for note in notes {
            assert!(csv.contains(&format!("# {note}")), "{note}: {csv}");
        }
    }
    let chinese = text(csv, &["--crosstab", "--lang", "zh-CN"]);
    assert!(chinese.contains("(缺席)") && !chinese.contains("absent"), "{chinese}");
}

/// A name that says another format than the flag would mislead whoever opens the file.
#[test]
fn a_format_that_the_name_of_the_output_contradicts_is_refused() {
    for (name, format) in
        [("b.xlsx", "csv"), ("b.CSV", "json"), ("b.json", "xlsx"), ("b.txt", "csv"), ("b.csv", "text")]
    {
        let desk = Desk::new();
        let output = desk.run(FOUR, &["--output", name, "--format", format]);
        let told = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{told}");
        let ending = if format == "text" { "txt" } else { format };
        assert!(told.contains(name) && told.contains(&format!(".{ending}")) && told.lines().count() == 1);
        assert!(!desk.path(name).exists());
    }
    for (name, format) in [("b.xlsx", "xlsx"), ("b.out", "csv"), ("b.TXT", "text"), ("b", "json")] {
        let desk = Desk::new();
        assert!(desk.run(FOUR, &["--output", name, "--format", format]).status.success());
    }
}

#[test]
fn xlsx_cells_are_numbers_and_the_bytes_are_the_same_each_time() {
    let desk = Desk::new();
    let csv = "board,seat,entrant,score\n1,A,=cmd,6\n1,A,y,0.5\n";
    for name in ["a.xlsx", "b.xlsx"] {
        let output = desk.run(csv, &["--output", name]);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }
    let bytes = fs::read(desk.path("a.xlsx")).unwrap();
    assert!(bytes.starts_with(b"PK\x03\x04"));
    assert_eq!(bytes, fs::read(desk.path("b.xlsx")).unwrap());
    assert_eq!(fs::read_dir(desk.folder.path()).unwrap().count(), 3);
}

#[test]
fn text_names_the_method_and_aligns_chinese() {
    let csv = "board,seat,entrant,score\n1,A,赵一,6\n1,A,q,5\n";
    let shown = text(csv, &["--method", "linear-rate", "--equalise", "neuberg"]);
    assert!(shown.contains("Method: Linear rate · equalising: none"), "{shown}");
    assert!(shown.contains("applies to the score rate only"), "{shown}");
    assert!(shown.contains("   1  赵一        100.00"), "{shown}");
    assert!(shown.contains("   2  q             0.00"), "{shown}");
    for lang in ["zh-CN", "zh-TW"] {
        assert!(text(csv, &["--lang", lang]).contains("名次"));
    }
    let apart = text("board,seat,entrant,score\n1,A,x,6\n1,A,y,5\n1,B,z,6\n1,B,w,5\n", &[]);
    assert!(apart.contains("2 parts that were never compared"), "{apart}");
}

#[test]
fn the_cross_tabulations_and_the_explanation_are_json_too() {
    let csv = "board,seat,entrant,score,table,role,status\n1,A,p,6,1,banker,\n1,A,q,2,2,defender,\n2,B,p,1,1,banker,\n\
               2,B,q,1,2,banker,\n2,B,r,,3,,absent\n";
    let table = json(csv, &["--crosstab"]);
    assert_eq!(
        table["crosstab"]["columns"],
        json!([{"board": "1", "seat": null}, {"board": "2", "seat": null}])
    );
    assert_eq!(table["crosstab"]["rows"][0]["cells"][1]["rate"], json!([1, 2]));
    let traveller = json(csv, &["--traveller", "2"]);
    assert_eq!(traveller["traveller"]["seats"][0]["frequencies"], json!([{"score": 1, "count": 2}]));
    let card = json(csv, &["--card", "q"]);
    assert_eq!(
        card["card"]["results"][0]["frequencies"],
        json!([{"score": 6, "count": 1}, {"score": 2, "count": 1}])
    );
    let seats = json(csv, &["--seats"]);
    assert_eq!(seats["seats"][0]["mean"], json!([1, 2]));
    let banker = seats["roles"].as_array().unwrap().iter().find(|row| row["role"] == "banker").unwrap();
    assert_eq!((&banker["boards"], &banker["raw"]), (&json!(3), &json!([8, 1])));
    let versus = json(csv, &["--versus", "p", "q"]);
    assert_eq!((&versus["versus"]["won"], &versus["versus"]["tied"]), (&json!(1), &json!(1)));
    let told = json(csv, &["--explain", "1", "A", "p"]);
    assert_eq!(
        told["explanation"]["against"],
        json!([{"entrant": "q", "score": 2, "verdict": "beaten", "points": [2, 1], "ruling": null}])
    );
    assert_eq!(told["explanation"]["rate"], json!([1, 1]));
    for arguments in
        [&["--crosstab"][..], &["--traveller", "2"], &["--card", "q"], &["--seats"], &["--versus", "p", "q"]]
    {
        assert!(text(csv, arguments).contains("Method: Score rate"));
        let written = text(csv, &[arguments, &["--format", "csv"]].concat());
        assert!(written.starts_with('\u{feff}') && written.ends_with("\r\n"));
    }
}

#[test]
fn a_hundred_thousand_rows_are_ranked() {
    let mut csv = String::from("board,seat,entrant,score\n");
    for board in 0..100 {
        for entrant in 0..1000 {
            csv.push_str(&format!("{board},A,e{entrant},{}\n", (entrant * 7919 + board * 104_729) % 61 - 30));
        }
    }
    let answer = json(&csv, &["--equalise", "neuberg"]);
    assert_eq!(answer["ranking"].as_array().unwrap().len(), 1000);
    assert_eq!(answer["boards"].as_array().unwrap().len(), 100);
    // One board each, all in one group, and one entrant with a hundred thousand boards.
    let (mut wide, mut long) = (String::new(), String::new());
    for n in 0..100_000 {
        wide.push_str(&format!("1,A,e{n},{n}\n"));
        long.push_str(&format!("{n},A,x,{n}\n{n},A,y,0\n"));
    }
    for rows in [wide, long] {
        let answer = json(&format!("board,seat,entrant,score\n{rows}"), &["--method", "cross-imp"]);
        assert_eq!(answer["ranking"][0]["rank"], json!(1));
    }
}

/// What stands at the path and is no file stays what it is; a link is followed, a file keeps its permissions.
#[cfg(unix)]
#[test]
fn output_follows_links_keeps_permissions_and_never_replaces_what_is_no_file() {
    use std::os::unix::fs::{FileTypeExt as _, PermissionsExt as _, symlink};
    let desk = Desk::new();
    let (real, link, pipe) = (desk.path("real.csv"), desk.path("link.csv"), desk.path("pipe"));
    fs::write(&real, "old").unwrap();
    fs::set_permissions(&real, fs::Permissions::from_mode(0o640)).unwrap();
    symlink(&real, &link).unwrap();
    assert!(desk.run(FOUR, &["--output", "link.csv"]).status.success());
    let written = fs::read_to_string(&real).unwrap();
    assert!(written.contains("rank,entrant"), "{written}");
    assert!(fs::symlink_metadata(&link).unwrap().file_type().is_symlink());
    assert_eq!(fs::metadata(&real).unwrap().permissions().mode() & 0o777, 0o640);
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let reader = std::thread::spawn({
        let pipe = pipe.clone();
        move || fs::read_to_string(pipe).unwrap()
    });
    assert!(desk.run(FOUR, &["--output", "pipe", "--format", "csv"]).status.success());
    assert_eq!(reader.join().unwrap(), written);
    assert!(fs::metadata(&pipe).unwrap().file_type().is_fifo());
    // Nowhere to write to: said in one line, and the device is still one.
    let full = desk.run(FOUR, &["--output", "/dev/full"]);
    assert_eq!(full.status.code(), Some(1));
    assert!(fs::metadata("/dev/full").unwrap().file_type().is_char_device());
}

/// An order of ties that says nothing, and a comparison of somebody with himself: used wrongly, in every language.
#[test]
fn orders_of_ties_and_comparisons_that_make_no_sense_are_refused() {
    for (arguments, english, chinese) in [
        (&["--tie-break", "raw-sum,raw-sum"][..], "raw-sum twice", "两次列出"),
        (&["--tie-break", "full-boards,raw-sum,full-boards"], "full-boards twice", "两次列出"),
        (&["--tie-break", "raw-sum,average"], "average comes first", "最先比较"),
        (&["--tie-break", "shared,raw-sum"], "shared comes last", "总是最后"),
        (&["--versus", "p", "p"], "two different entrants", "两个不同的参赛者"),
        (&["--imp-scale", "0"], "must be above 0", "必须大于 0"),
        (&["--datum-rounding=-1"], "0 (exact) or above", "或更大"),
    ] {
        for (lang, told) in [("en", english), ("zh-CN", chinese)] {
            let output = Desk::new().run(FOUR, &[arguments, &["--lang", lang]].concat());
            let error = String::from_utf8(output.stderr).unwrap();
            assert_eq!(output.status.code(), Some(2), "{error}");
            assert!(
                error.contains(told) && error.lines().count() == 1 && output.stdout.is_empty(),
                "{error}"
            );
        }
    }
    let order = |steps| json(FOUR, &["--tie-break", steps])["rules"]["tie_break"].clone();
    assert_eq!(order("average,raw-sum,shared"), json!(["average", "raw-sum"]));
    assert_eq!(order("raw-sum"), order("average,raw-sum"));
}

/// Results on which every field of the rules shows: artificial scores, a lone result, unequal boards, ties.
const TELLING: &str = "board,seat,entrant,score,status\n\
    1,A,p,600,\n1,A,q,100,\n1,A,r,-200,\n1,A,s,-630,\n1,A,t,40,\n\
    2,A,p,400,\n2,A,q,-17,\n2,A,r,-250,\n2,A,s,90,\n2,A,t,,A\n\
    3,A,p,,A+\n3,A,q,33,\n3,A,r,,A-\n3,A,s,33,\n3,A,t,480,\n\
    4,A,q,7,\n4,A,r,7,\n4,A,s,9,\n\
    5,A,p,50,\n6,A,r,,A+\n6,A,p,,A-\n6,A,q,5,\n6,A,s,6,\n7,A,q,60,\n7,A,s,21,\n";

/// The leaves of the rules with a value that is not the usual one, and the method under which it shows.
fn another(field: &str) -> (&'static str, Value) {
    match field {
        "method" => ("score-rate", json!("linear-rate")),
        "equalise" => ("score-rate", json!("neuberg")),
        "lone" => ("score-rate", json!("half")),
        "style" => ("score-rate", json!("1223")),
        "min_boards" => ("score-rate", json!(4)),
        "tie_break" => ("score-rate", json!(["average", "raw-sum"])),
        "awards.plus" => ("score-rate", json!("9/10")),
        "awards.even" => ("place-points", json!("11/20")),
        "awards.minus" => ("linear-rate", json!("1/10")),
        "awards.imps" => ("cross-imp", json!("7/2")),
        "awards.own_average" => ("score-rate", json!(false)),
        "imp_table.name" => ("butler", json!("our club's table")),
        "imp_table.scale" => ("cross-imp", json!("1/10")),
        "imp_table.thresholds" => ("butler", json!([10, 100, 101, 500])),
        "butler.trim" => ("butler", json!(0)),
        "butler.trim_from" => ("butler", json!(6)),
        "butler.datum_rounding" => ("butler", Value::Null),
        other => panic!("nobody has said how `{other}` is given to `fushi rank`"),
    }
}

fn leaves(value: &Value, place: &str, found: &mut Vec<String>) {
    match value {
        Value::Object(fields) => {
            for (key, inner) in fields {
                let place = if place.is_empty() { key.clone() } else { format!("{place}.{key}") };
                leaves(inner, &place, found);
            }
        }
        _ => found.push(place.to_owned()),
    }
}

/// The rules of an event have a flag for each of their fields: with these `fushi rank` says what the rules say.
#[test]
fn every_field_of_the_rules_can_be_given_and_shows() {
    let mut fields = Vec::new();
    leaves(&serde_json::to_value(Rules::default()).unwrap(), "", &mut fields);
    assert!(fields.len() >= 17, "{fields:?}");
    let scored = |rules: &Rules| -> Value {
        let mut event = input::read(TELLING.as_bytes(), rules.clone()).unwrap();
        serde_json::from_str(&view_json(&event.settle(), &View::Ranking).unwrap()).unwrap()
    };
    for field in fields {
        let (method, value) = another(&field);
        let usual = Rules::of(method.parse().unwrap());
        let mut changed = serde_json::to_value(&usual).unwrap();
        *changed.pointer_mut(&format!("/{}", field.replace('.', "/"))).unwrap() = value;
        let changed: Rules = serde_json::from_value(changed).unwrap();
        assert_eq!(changed.check(), Ok(()), "{field}");
        let flags = arguments(&changed);
        let flags: Vec<&str> = flags.iter().map(String::as_str).collect();
        let ranked = json(TELLING, &flags);
        assert_eq!(ranked, scored(&changed), "{field} {flags:?}");
        assert_ne!(ranked, scored(&usual), "{field}: nothing shows");
        // A name, an order of ties and a way to write places are not numbers.
        if !["imp_table.name", "tie_break", "style"].contains(&field.as_str()) {
            let without = |answer: &Value| (answer["boards"].clone(), answer["ranking"].clone());
            assert_ne!(without(&ranked), without(&scored(&usual)), "{field}: no number shows it");
        }
    }
}
