# 德州撲克牌型的名稱。$high、$low 是點數的英文詞（two 到 ace）；$rest 是其餘點數，如 A 10 4。

hand-royal-flush = 皇家同花順
hand-straight-flush =
    同花順，{ $high ->
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
    四條 { $high ->
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
    }，踢腳 { $rest }
hand-full-house =
    葫蘆，{ $high ->
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
    } 帶 { $low ->
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
    } 高，其餘 { $rest }
hand-straight =
    順子，{ $high ->
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
    三條 { $high ->
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
    }，踢腳 { $rest }
hand-two-pair =
    兩對，{ $high ->
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
    }，踢腳 { $rest }
hand-pair =
    一對 { $high ->
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
    }，踢腳 { $rest }
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
    }，其餘 { $rest }

# 勝率：牌全部發出時分得底池的份額。
equity-hands = 計算勝率需要兩到十手牌，現在是 { $count } 手：每手寫兩張牌，未知的寫 ?
equity-hand = 第 { $number } 手有 { $count } 張牌：請寫兩張，未知的寫 ?
equity-no-card = 「{ $shown }」不是牌：請寫點數和花色（AhKh、10s），或花色和點數（HA HK）
equity-two-ways = 「{ $shown }」有不止一種讀法：每張牌都寫點數和花色（AhKh），或花色和點數（HA HK）
equity-sj = `sj` 可以是小王，也可以是黑桃 J：請寫 `Js`
equity-single-cards = 每個參數是一手兩張牌：請寫 AhKh QsQd，或 "HA HK" "SQ DQ"
equity-board = 公共牌應是 0、3、4 或 5 張，現在是 { $count } 張
equity-joker = 德州撲克沒有王：請去掉 sj 和 bj
equity-twice = { $card } 寫了兩次：每張牌只能在一手牌、公共牌或死牌中出現一次
equity-cards = 還缺 { $missing } 張牌：請減少死牌或手牌
equity-too-many = 發牌共有 { $count } 種可能，超過 { $max }：請用 --samples 抽樣
equity-samples = 至少要抽樣一次
equity-exact = 發牌共 { $trials } 種可能，全部計入
equity-sampled = 抽樣 { $trials } 次，種子 { $seed }
equity-line = { $hand }  { $percent } %  勝 { $won }  平分 { $tied }  負 { $lost }
