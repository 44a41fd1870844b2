//! Names for invented entrants, Chinese and English ones mixed. The same stream of chance gives the same names.

use std::collections::BTreeSet;

use crate::rng::GameRng;

const SURNAMES: [&str; 48] = [
    "王", "李", "张", "刘", "陈", "杨", "黄", "赵", "吴", "周", "徐", "孙", "马", "朱", "胡", "郭", "何",
    "高", "林", "罗", "郑", "梁", "谢", "宋", "唐", "许", "韩", "冯", "邓", "曹", "彭", "曾", "萧", "田",
    "董", "潘", "袁", "蔡", "蒋", "余", "于", "杜", "叶", "程", "魏", "苏", "欧阳", "诸葛",
];

const GIVEN: [&str; 56] = [
    "建国", "秀英", "志强", "丽华", "小明", "文静", "国庆", "晓梅", "海燕", "俊杰", "雪", "磊", "静", "涛",
    "明远", "思源", "子涵", "雨桐", "浩然", "欣怡", "家豪", "淑芬", "美玲", "伟", "芳", "娜", "敏", "军",
    "鹏", "艳", "永康", "振华", "玉兰", "春生", "秋实", "嘉怡", "梓萱", "一鸣", "安琪", "天佑", "晨曦",
    "若彤", "立新", "卫东", "红梅", "金凤", "大为", "云飞", "佳宁", "博文", "慧", "刚", "超", "洁", "婷婷",
    "少华",
];

const FIRST: [&str; 40] = [
    "Alice", "Ben", "Carol", "Daniel", "Emma", "Frank", "Grace", "Henry", "Iris", "Jack", "Kate", "Leo",
    "Maria", "Noah", "Olivia", "Peter", "Quinn", "Rosa", "Sam", "Tessa", "Umar", "Vera", "Walter", "Xenia",
    "Yusuf", "Zoe", "Amir", "Bella", "Chen", "Dina", "Erik", "Fiona", "Hugo", "Ingrid", "Jonas", "Klara",
    "Liam", "Mina", "Oscar", "Priya",
];

const LAST: [&str; 40] = [
    "Walker", "Novak", "Schmidt", "Rossi", "Tanaka", "Okafor", "Garcia", "Larsen", "Dubois", "Murphy",
    "Singh", "Kowalski", "Ferreira", "Hansen", "Petrov", "Costa", "Berg", "Fischer", "Moreau", "Nguyen",
    "Ali", "Kim", "Brown", "Clark", "Davies", "Evans", "Fraser", "Hughes", "Ito", "Jensen", "Keller",
    "Lopez", "Meyer", "Olsen", "Park", "Reid", "Silva", "Turner", "Vogel", "Wood",
];

fn pick<'a>(from: &[&'a str], chance: &mut GameRng) -> &'a str {
    from.get(chance.index(from.len())).copied().unwrap_or_default()
}

fn person(chance: &mut GameRng) -> String {
    // Two of three have Chinese names.
    if chance.below(3) < 2 {
        format!("{}{}", pick(&SURNAMES, chance), pick(&GIVEN, chance))
    } else {
        format!("{} {}", pick(&FIRST, chance), pick(&LAST, chance))
    }
}

/// Names of `count` entrants, each different; pairs have two names.
pub(in crate::desk) fn names(count: u32, pairs: bool, chance: &mut GameRng) -> Vec<String> {
    let mut taken = BTreeSet::new();
    let mut names = Vec::new();
    for number in 1..=count {
        let mut name = person(chance);
        if pairs {
            name = format!("{name} / {}", person(chance));
        }
        // There are 4,288 names of one person: in a large event a number tells equal ones apart.
        for _ in 0..4 {
            if !taken.contains(&name) {
                break;
            }
            name = person(chance);
        }
        if !taken.insert(name.clone()) {
            name = format!("{name} {number}");
        }
        names.push(name);
    }
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_different_and_repeatable() {
        let draw = |pairs| names(3000, pairs, &mut GameRng::of("test", b"1"));
        let first = draw(false);
        assert_eq!(first, draw(false));
        assert_eq!(first.iter().collect::<BTreeSet<_>>().len(), 3000);
        assert!(draw(true).iter().all(|name| name.contains(" / ")));
    }
}
