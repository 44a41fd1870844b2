# 挖坑拒绝动作的理由。
wakeng-wrong-phase = { $phase ->
    [show] 现在不能这样做：正在选择叫分前是否明牌。
    [bid] 现在不能这样做：正在叫分。
    [banker-show] 现在不能这样做：庄家正在选择是否明牌。
    [double] 现在不能这样做：正在选择是否加倍。
    [play] 现在不能这样做：正在打牌。
   *[over] 本副牌已经结束。
 }
wakeng-not-a-combination = { $cards } 不成牌型：请出单张、对子、三条、四条，或规则允许的连牌。
wakeng-does-not-beat = { $cards } 大不过 { $last }：请出牌型相同、张数相同且更大的牌，或者过牌。
wakeng-leader-cannot-pass = 本圈由您引牌（首先出牌），不能过牌：请出任意牌型。
wakeng-bid-too-low = 目前最高叫分是 { $highest } 分：请叫更高的分，或者不叫（bid 0）。
