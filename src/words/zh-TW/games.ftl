# 各遊戲共用的拒絕理由。
not-your-turn = 還沒輪到您：現在由 { $turn } 行動。
wrong-phase = 現在不能這樣做：{ $phase ->
        [draw] 正在摸牌叫主
        [lay-away] 莊家正在扣底
        [play] 正在打牌
        [choose] 下家正在選擇甩牌失敗後打出的牌類
        [over] 本副牌已經結束
       *[other] 本副牌處於「{ $phase }」階段
    }。
already-chosen = 您已經作出選擇，不能更改。
not-in-hand = { $cards } 不在您手中。
card-named-twice = { $card } 寫的次數超過了牌的張數。
malformed = 無法識別這個動作：{ $text }
