# 各遊戲共用的拒絕理由。
not-your-turn = 還沒輪到您：現在由 { $turn } 行動。
wrong-phase = 現在不能這樣做：本副牌處於「{ $phase }」階段。
already-chosen = 您已經作出選擇，不能更改。
not-in-hand = { $cards } 不在您手中。
card-named-twice = { $card } 寫的次數超過了牌的張數。
malformed = 無法識別這個動作：{ $text }
