//! One word for one thing: a term that the glossary has replaced does not come back, in any sentence, guide or program.

use std::fs;
use std::path::{Path, PathBuf};

/// Terms that are replaced: simplified, traditional, and what is said instead.
const REPLACED: &[(&str, &str, &str)] = &[
    ("牌号", "牌號", "副号 for the number, 牌例 for the deal"),
    ("牌局", "牌局", "牌例, or 第 N 副"),
    ("牌手", "牌手", "选手"),
    ("人为分", "人為分", "调整分"),
    ("人工得分", "人工得分", "调整分"),
    ("人工分", "人工分", "调整分"),
    ("裁决", "裁決", "裁定"),
    ("判罚", "判罰", "裁定"),
    ("公布", "公布", "公告 of the deals, 发布 of results, 公开 of keys"),
    ("公布", "公佈", "公告 of the deals, 發布 of results, 公開 of keys"),
    ("哈希", "雜湊", "指纹（SHA-256）"),
    ("散列", "散列", "指纹（SHA-256）"),
    ("哈希", "哈希", "指纹（SHA-256）"),
    ("数据包", "資料包", "存证文件"),
    ("组织者", "組織者", "主办方, 赛务"),
    ("总主办人", "總主辦人", "主办方"),
    ("主办人", "主辦人", "主办方"),
    ("主办", "主辦", "主办方 (主辦單位)"),
    ("替补", "替補", "补位, 补位电脑"),
    ("起牌", "起牌", "摸牌"),
    ("闲家", "閒家", "防守方"),
    ("全押", "全押", "全下"),
    ("裁判", "裁判", "裁判员, 裁判长"),
    ("投影", "投影", "大屏 (大螢幕)"),
    ("大屏页面", "大屏", "大屏 (大螢幕)"),
    ("播放器", "播放器", "复盘 (覆盤)"),
    ("回放", "回放", "复盘 (覆盤)"),
    ("代为行动", "代為行動", "超时（系统自动出牌）"),
    ("北南", "北南", "南北"),
    ("西东", "西東", "东西"),
    ("换位表", "換位表", "移位表"),
    ("交叉表", "交叉表", "成绩总表"),
    ("半池", "半池", "½ 底池"),
    ("满池", "滿池", "一个底池"),
    ("座位 A", "座位 A", "A 方位"),
    ("座位 {", "座位 {", "{ $seat } 方位"),
    ("} 座", "} 座", "the seat's word alone"),
    ("你", "你", "您"),
    ("重大指令", "重大指令", "慎用"),
];

/// Words in Latin letters that have a Chinese word, where they stand alone.
const LATIN: &[(&str, &str)] = &[("AI", "电脑选手"), ("MP", "比赛分")];

/// A place where a replaced term is right.
struct Allowed {
    /// The words around it, which hold the term.
    phrase: &'static str,
    /// Why.
    why: &'static str,
}

const ALLOWED: &[Allowed] = &[
    Allowed { phrase: "主办方", why: "the word itself" },
    Allowed { phrase: "主辦單位", why: "the word itself" },
    Allowed { phrase: "裁判员", why: "the word itself" },
    Allowed { phrase: "裁判員", why: "the word itself" },
    Allowed { phrase: "裁判长", why: "the word itself" },
    Allowed { phrase: "裁判長", why: "the word itself" },
    Allowed { phrase: "叫裁判", why: "what players say, and what the button says: a set phrase" },
    Allowed { phrase: "裁判手册", why: "the title of a rulebook" },
];

fn files(folder: &str, ending: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut open = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join(folder)];
    while let Some(next) = open.pop() {
        for entry in fs::read_dir(next).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                open.push(path);
            } else if path.extension().is_some_and(|known| known == ending) {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

/// What people can read of a file: a program's comments are for its authors.
fn read(path: &Path) -> String {
    let text = fs::read_to_string(path).unwrap();
    if path.extension().is_some_and(|ending| ending == "rs" || ending == "js") {
        return text
            .lines()
            .filter(|line| !line.trim_start().starts_with("//"))
            .collect::<Vec<_>>()
            .join("\n");
    }
    text
}

/// Where a term stands outside of the allowed phrases.
fn stands(text: &str, term: &str) -> Option<String> {
    let allowed = |at: usize| {
        ALLOWED.iter().filter(|one| one.phrase.contains(term)).any(|one| {
            one.phrase.match_indices(term).any(|(within, _)| {
                at.checked_sub(within)
                    .and_then(|from| text.get(from..))
                    .is_some_and(|rest| rest.starts_with(one.phrase))
            })
        })
    };
    let (at, _) = text.match_indices(term).find(|(at, _)| !allowed(*at))?;
    let line = text[..at].matches('\n').count();
    text.lines().nth(line).map(|line| line.trim().to_owned())
}

/// Where a Latin word stands by itself.
fn stands_alone(text: &str, term: &str) -> Option<String> {
    let joined = |letter: Option<char>| {
        letter.is_some_and(|one| one.is_ascii_alphanumeric() || "_-./`$".contains(one))
    };
    let (at, _) = text.match_indices(term).find(|(at, _)| {
        !joined(text[..*at].chars().next_back()) && !joined(text[at + term.len()..].chars().next())
    })?;
    let line = text[..at].matches('\n').count();
    text.lines().nth(line).map(|line| line.trim().to_owned())
}

#[test]
fn replaced_terms_do_not_come_back() {
    let simplified = |term: &'static (&str, &str, &str)| (term.0, term.2);
    let traditional = |term: &'static (&str, &str, &str)| (term.1, term.2);
    let mut wrong = Vec::new();
    let mut seen = 0;
    let mut look = |paths: Vec<PathBuf>, terms: Vec<(&str, &str)>| {
        for path in paths {
            let text = read(&path);
            seen += 1;
            for (term, instead) in &terms {
                if let Some(line) = stands(&text, term) {
                    wrong.push(format!("{}: “{term}”, better {instead}: {line}", path.display()));
                }
            }
            for (term, instead) in LATIN {
                let chinese = path.extension().is_some_and(|ending| ending == "ftl" || ending == "md");
                if let Some(line) = stands_alone(&text, term).filter(|_| chinese) {
                    wrong.push(format!("{}: “{term}”, better {instead}: {line}", path.display()));
                }
            }
        }
    };
    look(files("src/words/zh-CN", "ftl"), REPLACED.iter().map(simplified).collect());
    look(files("src/words/zh-TW", "ftl"), REPLACED.iter().map(traditional).collect());
    look(files("docs/zh", "md"), REPLACED.iter().map(simplified).collect());
    look(files("src", "js"), REPLACED.iter().map(simplified).collect());
    look(files("src", "rs"), REPLACED.iter().map(simplified).collect());
    assert!(seen > 200, "only {seen} files were seen");
    wrong.sort();
    wrong.dedup();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn exceptions_are_needed_and_have_a_reason() {
    let all: String =
        [files("src/words", "ftl"), files("docs/zh", "md")].concat().iter().map(|path| read(path)).collect();
    for Allowed { phrase, why } in ALLOWED {
        assert!(!why.is_empty() && all.contains(phrase), "{phrase} stands nowhere");
        assert!(REPLACED.iter().any(|term| phrase.contains(term.0) || phrase.contains(term.1)), "{phrase}");
    }
}

/// The Chinese guide to everything is as complete as the English one: commands, guides, and nothing that is there already
/// among what is missing.
#[test]
fn the_chinese_readme_names_what_the_english_one_names() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let english = fs::read_to_string(root.join("README.md")).unwrap();
    let chinese = fs::read_to_string(root.join("docs/zh/README.md")).unwrap();
    let commands = english.lines().filter_map(|line| line.strip_prefix("fushi ")?.split(' ').next());
    let mut seen = 0;
    for command in commands {
        seen += 1;
        assert!(chinese.contains(&format!("fushi {command}")), "`fushi {command}` is missing");
    }
    assert!(seen > 8, "only {seen} commands");
    for link in english.split("](docs/").skip(1).filter_map(|rest| rest.split(')').next()) {
        let name = link.rsplit('/').next().unwrap();
        let guide =
            std::path::Path::new(name).extension().is_some_and(|end| end == "md") && name != "README.md";
        assert!(!guide || chinese.contains(name), "{name} is missing");
    }
    let missing =
        chinese.split("还没有的：").nth(1).and_then(|rest| rest.lines().next()).expect("what is missing");
    for there in ["裁判员账号", "设备", "网络", "计分方法的网页", "裁定和申诉的网页"]
    {
        assert!(!missing.contains(there) && !chinese.contains("尚未完成"), "{there} is there");
    }
}

#[test]
fn the_reader_of_terms_finds_them_and_lets_allowed_phrases_pass() {
    assert_eq!(stands("请叫裁判\n由裁判裁定", "裁判"), Some("由裁判裁定".to_owned()));
    assert_eq!(stands("裁判员和裁判长", "裁判"), None);
    assert_eq!(stands_alone("x = 8 个 AI 选手", "AI"), Some("x = 8 个 AI 选手".to_owned()));
    assert_eq!(stands_alone("--skip-AI AIs", "AI"), None);
}

/// Between Chinese words, and between a name and the Chinese around it, stands no blank: the name is Chinese as well.
#[test]
fn no_blank_stands_between_chinese_words_and_names() {
    let names = ["$who", "$name", "$entrant", "$kind"];
    let han = |letter: Option<char>| letter.is_some_and(|one| ('\u{4e00}'..='\u{9fff}').contains(&one));
    let mut wrong = Vec::new();
    for path in ["zh-CN", "zh-TW"].iter().flat_map(|lang| files(&format!("src/words/{lang}"), "ftl")) {
        let spoken = ["play.ftl", "watch.ftl", "organize-js.ftl", "rulings.ftl", "players.ftl"];
        let with_names = spoken.iter().any(|name| path.ends_with(name));
        for line in fs::read_to_string(&path).unwrap().lines().filter(|line| !line.starts_with('#')) {
            let said = line.split_once(" = ").map_or(line.trim_start(), |(_, said)| said);
            let letters: Vec<char> = said.chars().collect();
            let parted =
                letters.windows(3).any(|three| han(Some(three[0])) && three[1] == ' ' && han(Some(three[2])));
            let apart = with_names
                && names.iter().any(|name| {
                    let placed = format!("{{ {name} }}");
                    said.match_indices(&placed).any(|(at, _)| {
                        let before = said[..at].strip_suffix(' ').and_then(|rest| rest.chars().next_back());
                        let after =
                            said[at + placed.len()..].strip_prefix(' ').and_then(|rest| rest.chars().next());
                        han(before) || han(after)
                    })
                });
            if parted || apart {
                wrong.push(format!("{}: {line}", path.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
