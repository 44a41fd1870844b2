# 德州扑克牌型的名称。$high、$low 是点数的英文词（two 到 ace）；$rest 是其余点数，如 A 10 4。

hand-royal-flush = 皇家同花顺
hand-straight-flush =
    同花顺，{ $high ->
        [two] 2
        [three] 3
        [four] 4
        [five] 5
        [six] 6
        [seven] 7
        [eight] 8
        [nine] 9
        [ten] 10
        [jack] J
        [queen] Q
        [king] K
       *[ace] A
    } 高
hand-four-of-a-kind =
    四条 { $high ->
        [two] 2
        [three] 3
        [four] 4
        [five] 5
        [six] 6
        [seven] 7
        [eight] 8
        [nine] 9
        [ten] 10
        [jack] J
        [queen] Q
        [king] K
       *[ace] A
    }，踢脚 { $rest }
hand-full-house =
    葫芦，{ $high ->
        [two] 2
        [three] 3
        [four] 4
        [five] 5
        [six] 6
        [seven] 7
        [eight] 8
        [nine] 9
        [ten] 10
        [jack] J
        [queen] Q
        [king] K
       *[ace] A
    } 带 { $low ->
        [two] 2
        [three] 3
        [four] 4
        [five] 5
        [six] 6
        [seven] 7
        [eight] 8
        [nine] 9
        [ten] 10
        [jack] J
        [queen] Q
        [king] K
       *[ace] A
    }
hand-flush =
    同花，{ $high ->
        [two] 2
        [three] 3
        [four] 4
        [five] 5
        [six] 6
        [seven] 7
        [eight] 8
        [nine] 9
        [ten] 10
        [jack] J
        [queen] Q
        [king] K
       *[ace] A
    } 高，其余 { $rest }
hand-straight =
    顺子，{ $high ->
        [two] 2
        [three] 3
        [four] 4
        [five] 5
        [six] 6
        [seven] 7
        [eight] 8
        [nine] 9
        [ten] 10
        [jack] J
        [queen] Q
        [king] K
       *[ace] A
    } 高
hand-three-of-a-kind =
    三条 { $high ->
        [two] 2
        [three] 3
        [four] 4
        [five] 5
        [six] 6
        [seven] 7
        [eight] 8
        [nine] 9
        [ten] 10
        [jack] J
        [queen] Q
        [king] K
       *[ace] A
    }，踢脚 { $rest }
hand-two-pair =
    两对，{ $high ->
        [two] 2
        [three] 3
        [four] 4
        [five] 5
        [six] 6
        [seven] 7
        [eight] 8
        [nine] 9
        [ten] 10
        [jack] J
        [queen] Q
        [king] K
       *[ace] A
    } 和 { $low ->
        [two] 2
        [three] 3
        [four] 4
        [five] 5
        [six] 6
        [seven] 7
        [eight] 8
        [nine] 9
        [ten] 10
        [jack] J
        [queen] Q
        [king] K
       *[ace] A
    }，踢脚 { $rest }
hand-pair =
    一对 { $high ->
        [two] 2
        [three] 3
        [four] 4
        [five] 5
        [six] 6
        [seven] 7
        [eight] 8
        [nine] 9
        [ten] 10
        [jack] J
        [queen] Q
        [king] K
       *[ace] A
    }，踢脚 { $rest }
hand-high-card =
    高牌 { $high ->
        [two] 2
        [three] 3
        [four] 4
        [five] 5
        [six] 6
        [seven] 7
        [eight] 8
        [nine] 9
        [ten] 10
        [jack] J
        [queen] Q
        [king] K
       *[ace] A
    }，其余 { $rest }

# 胜率：牌全部发出时分得底池的份额。
equity-hands = 计算胜率需要两到十手牌，现在是 { $count } 手：每手写两张牌，未知的写 ?
equity-hand = 第 { $number } 手有 { $count } 张牌：请写两张，未知的写 ?
equity-no-card = “{ $shown }”不是牌：请写点数和花色（AhKh、10s），或花色和点数（HA HK）
equity-two-ways = “{ $shown }”有不止一种读法：每张牌都写点数和花色（AhKh），或花色和点数（HA HK）
equity-sj = `sj` 可以是小王，也可以是黑桃 J：请写 `Js`
equity-single-cards = 每个参数是一手两张牌：请写 AhKh QsQd，或 "HA HK" "SQ DQ"
equity-board = 公共牌应是 0、3、4 或 5 张，现在是 { $count } 张
equity-joker = 德州扑克没有王：请去掉 sj 和 bj
equity-twice = { $card } 写了两次：每张牌只能在一手牌、公共牌或死牌中出现一次
equity-cards = 还缺 { $missing } 张牌：请减少死牌或手牌
equity-too-many = 发牌共有 { $count } 种可能，超过 { $max }：请用 --samples 抽样
equity-samples = 至少要抽样一次
equity-exact = 发牌共 { $trials } 种可能，全部计入
equity-sampled = 抽样 { $trials } 次，种子 { $seed }
equity-line = { $hand }  { $percent } %  胜 { $won }  平分 { $tied }  负 { $lost }
