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
malformed-line = 这一行读不懂：{ $detail }
# Inconsistencies of a header by their codes; the detail names keys and values.
fault = { $code ->
    [bad_ai] AI 等级不对
    [bad_amount] 数额不对
    [bad_ante] 前注不对
    [bad_bet] 下注不可能
    [bad_big_points] 大分表不对
    [bad_blinds] 盲注不对
    [bad_board] 副名不对
    [bad_button] 庄位不对
    [bad_cards] 牌写错了
    [bad_clock] 计时不对
    [bad_field] 字段的值不对
    [bad_header] 标题行不全
    [bad_name] 名称不对
    [bad_points] 分数不对
    [bad_raise] 加注不对
    [bad_ruleset] 规则集不对
    [bad_seat] 座位不对
    [bad_seats] 人数不对
    [bad_street] 轮次不对
    [bad_toml] 不是 TOML 文件
    [bad_turn] 轮到的座位不对
    [bad_value] 值不对
    [bottom_elsewhere] 底牌在别处
    [card_missing] 缺牌
    [card_named_twice] 同一张牌写多了
    [contradiction] 前后矛盾
    [deal_and_position] deal 与 position 只能有一个
    [does_not_beat] 管不上
    [empty_hand] 手牌已空
    [empty_play] 没有出牌
    [hand_over] 这手牌已结束
    [leader_cannot_pass] 首家不能过
    [missing_field] 缺少字段
    [missing_hole] 缺少底牌
    [missing_key] 缺少键
    [named_twice] 重复
    [no_base] 没有基础规则集
    [no_chips] 没有筹码
    [no_doubling] 不能加倍
    [no_ruleset] 没有规则集
    [no_showing] 不能明牌
    [not_a_card] 不是牌
    [not_a_combination] 不成牌型
    [not_a_multiple] 不是最小筹码的倍数
    [not_in_pack] 牌副里没有
    [other_cards] 与发的牌不同
    [other_variant] 不是无限注德州扑克
    [out_of_range] 超出范围
    [position] 不能写局面
    [reserved_name] 名称已被占用
    [scores_too_large] 得分可能过大
    [seat_named_twice] 座位重复
    [straddle] 不玩强抓盲注
    [tail_unclear] 大分表的尾部不明
    [too_large] 太大
    [too_many_cards] 牌太多
    [too_small] 太小
    [trick_over] 这一圈已经结束
    [two_groups] 不是同一门
    [two_rulesets] ruleset 与 rules 只能有一个
    [two_starts] deal 与 position 只能有一个
    [unknown_field] 未知的字段
    [unknown_game] 未知的项目
    [unknown_key] 未知的键
    [unknown_level] 未知的等级
    [unknown_ruleset] 未知的规则集
    [unknown_seat] 未知的座位
    [unknown_version] 未知的版本
    [unreadable] 读不懂
    [wrong_count] 张数或个数不对
    [wrong_order] 次序不对
    [wrong_type] 类型不对
   *[other] { $code }
}（{ $detail }）
