# 拖拉機。$group 為 S、H、D、C 時是副牌花色，為 T 時是主牌。
tuolaji-call-too-late = 已經起了 { $drawn } 張牌：第 { $after } 張之後的叫主已經太遲。
tuolaji-call-too-early = 才起了 { $drawn } 張牌：還不能在第 { $after } 張之後叫主。
tuolaji-wrong-number = 您選了 { $given } 張牌：必須是 { $need } 張。
tuolaji-lies-elsewhere = { $cards } 的兩張都在別處：這手牌裡不可能再有。
tuolaji-more-than-a-hand = 已出 { $played } 張，再出 { $given } 張就多了：一手牌只有 25 張。
tuolaji-not-a-call = 這不是叫主：請亮出同一花色的一張或兩張 { $level }{ $jokers ->
    [barred] ；打這一級不能叫無主
    [any] ，或任意兩張王（叫無主）
   *[equal] ，或一對相同的王（叫無主）
}。
tuolaji-no-trump-barred = 打 { $level } 時不能叫無主。
tuolaji-no-trump-may-not-open = 第一個叫主必須叫花色：無主只能用來反主。
tuolaji-own-call = 現在的主就是您叫的：不能自己反自己。
tuolaji-single-stands = 這反不了 { $stands }：請亮出一對級牌{ $jokers ->
    [barred] ；打這一級不能叫無主
    [any] ，或任意兩張王（叫無主）
   *[equal] ，或一對相同的王（叫無主）
}。
tuolaji-pair-stands = 這反不了 { $stands }：{ $jokers ->
    [barred] 打這一級時一對叫主不能再反
    [any] 只能用任意兩張王反無主
   *[equal] 只能用一對相同的王反無主
}。
tuolaji-no-trump-stands = 已經叫了無主（{ $stands }）：不能再反。
tuolaji-two-groups = 一次只能出同一門的牌：同一副牌花色，或全是主牌。
tuolaji-not-an-option = 請在被擋住的牌型中選擇：{ $kinds }。
tuolaji-follow-all = 您必須跟出全部{ $group ->
    [S] 黑桃
    [H] 紅心
    [D] 方塊
    [C] 梅花
   *[T] 主牌
}：{ $held }。
tuolaji-follow-cards = 您必須跟 { $need } 張{ $group ->
    [S] 黑桃
    [H] 紅心
    [D] 方塊
    [C] 梅花
   *[T] 主牌
}：您手中有 { $held } 張。
tuolaji-follow-pair = 您必須跟一對{ $group ->
    [S] 黑桃
    [H] 紅心
    [D] 方塊
    [C] 梅花
   *[T] 主牌
}：您手中有 { $held }。
tuolaji-follow-pairs = 您必須跟 { $need } 對{ $group ->
    [S] 黑桃
    [H] 紅心
    [D] 方塊
    [C] 梅花
   *[T] 主牌
}：您手中有 { $held }。
tuolaji-follow-run = 您必須跟 { $need } 連對的拖拉機，{ $group ->
    [S] 黑桃
    [H] 紅心
    [D] 方塊
    [C] 梅花
   *[T] 主牌
}：您手中有 { $held }。
tuolaji-follow-runs = 您必須跟 { $need } 連對的拖拉機，{ $group ->
    [S] 黑桃
    [H] 紅心
    [D] 方塊
    [C] 梅花
   *[T] 主牌
}；您出的牌裡{ $paid ->
    [none] 一個也沒有
   *[other] 只有 { $paid } 連對
}：您手中有 { $held }。
tuolaji-missing-take-back = 沒有包含所選全部牌的合法出法：請收回幾張。
tuolaji-missing-cards = 還要再選 { $count } 張任意牌。
tuolaji-missing-group-cards = 還要再選 { $count } 張{ $group ->
    [S] 黑桃
    [H] 紅心
    [D] 方塊
    [C] 梅花
   *[T] 主牌
}。
tuolaji-missing-pair = 所選的牌還缺一對{ $group ->
    [S] 黑桃
    [H] 紅心
    [D] 方塊
    [C] 梅花
   *[T] 主牌
}。
tuolaji-missing-pairs = 所選的牌還缺 { $count } 對{ $group ->
    [S] 黑桃
    [H] 紅心
    [D] 方塊
    [C] 梅花
   *[T] 主牌
}。
tuolaji-missing-run = 所選的牌還缺 { $length } 連對的拖拉機，{ $group ->
    [S] 黑桃
    [H] 紅心
    [D] 方塊
    [C] 梅花
   *[T] 主牌
}。
