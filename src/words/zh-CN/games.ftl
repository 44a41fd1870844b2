# 各游戏共用的拒绝理由。
not-your-turn = 还没轮到您：现在由 { $turn } 行动。
wrong-phase = 现在不能这样做：{ $phase ->
        [draw] 正在摸牌叫主
        [lay-away] 庄家正在扣底
        [play] 正在打牌
        [choose] 下家正在选择甩牌失败后打出的牌类
        [over] 本副牌已经结束
       *[other] 本副牌处于“{ $phase }”阶段
    }。
already-chosen = 您已经作出选择，不能更改。
not-in-hand = { $cards } 不在您手中。
card-named-twice = { $card } 写的次数超过了牌的张数。
malformed = 无法识别这个动作：{ $text }
