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
malformed-line = 這一行讀不懂：{ $detail }
# Inconsistencies of a header by their codes; the detail names keys and values.
fault = { $code ->
    [bad_ai] AI 等級不對
    [bad_amount] 數額不對
    [bad_ante] 前注不對
    [bad_bet] 下注不可能
    [bad_big_points] 大分表不對
    [bad_blinds] 盲注不對
    [bad_board] 副名不對
    [bad_button] 莊位不對
    [bad_cards] 牌寫錯了
    [bad_clock] 計時不對
    [bad_field] 欄位的值不對
    [bad_header] 標題行不全
    [bad_name] 名稱不對
    [bad_points] 分數不對
    [bad_raise] 加注不對
    [bad_ruleset] 規則集不對
    [bad_seat] 座位不對
    [bad_seats] 人數不對
    [bad_street] 輪次不對
    [bad_toml] 不是 TOML 檔案
    [bad_turn] 輪到的座位不對
    [bad_value] 值不對
    [bottom_elsewhere] 底牌在別處
    [card_missing] 缺牌
    [card_named_twice] 同一張牌寫多了
    [contradiction] 前後矛盾
    [deal_and_position] deal 與 position 只能有一個
    [does_not_beat] 管不上
    [empty_hand] 手牌已空
    [empty_play] 沒有出牌
    [hand_over] 這手牌已結束
    [leader_cannot_pass] 首家不能過
    [missing_field] 缺少欄位
    [missing_hole] 缺少底牌
    [missing_key] 缺少鍵
    [named_twice] 重複
    [no_base] 沒有基礎規則集
    [no_chips] 沒有籌碼
    [no_doubling] 不能加倍
    [no_ruleset] 沒有規則集
    [no_showing] 不能明牌
    [not_a_card] 不是牌
    [not_a_combination] 不成牌型
    [not_a_multiple] 不是最小籌碼的倍數
    [not_in_pack] 牌副裡沒有
    [other_cards] 與發的牌不同
    [other_variant] 不是無限注德州撲克
    [out_of_range] 超出範圍
    [position] 不能寫局面
    [reserved_name] 名稱已被占用
    [scores_too_large] 得分可能過大
    [seat_named_twice] 座位重複
    [straddle] 不玩強抓盲注
    [tail_unclear] 大分表的尾部不明
    [too_large] 太大
    [too_many_cards] 牌太多
    [too_small] 太小
    [trick_over] 這一圈已經結束
    [two_groups] 不是同一門
    [two_rulesets] ruleset 與 rules 只能有一個
    [two_starts] deal 與 position 只能有一個
    [unknown_field] 未知的欄位
    [unknown_game] 未知的項目
    [unknown_key] 未知的鍵
    [unknown_level] 未知的等級
    [unknown_ruleset] 未知的規則集
    [unknown_seat] 未知的座位
    [unknown_version] 未知的版本
    [unreadable] 讀不懂
    [wrong_count] 張數或個數不對
    [wrong_order] 次序不對
    [wrong_type] 類型不對
   *[other] { $code }
}（{ $detail }）
