# 挖坑拒絕動作的理由。
wakeng-wrong-phase = { $phase ->
    [show] 現在不能這樣做：正在選擇叫分前是否明牌。
    [bid] 現在不能這樣做：正在叫分。
    [banker-show] 現在不能這樣做：莊家正在選擇是否明牌。
    [double] 現在不能這樣做：正在選擇是否加倍。
    [play] 現在不能這樣做：正在打牌。
   *[over] 本副牌已經結束。
 }
wakeng-not-a-combination = { $cards } 不成牌型：請出單張、對子、三條、四條，或規則允許的連牌。
wakeng-does-not-beat = { $cards } 大不過 { $last }：請出牌型相同、張數相同且更大的牌，或者過牌。
wakeng-leader-cannot-pass = 本圈由您引牌（首先出牌），不能過牌：請出任意牌型。
wakeng-bid-too-low = 目前最高叫分是 { $highest } 分：請叫更高的分，或者不叫（bid 0）。
