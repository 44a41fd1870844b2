# 拖拉机。$group 为 S、H、D、C 时是副牌花色，为 T 时是主牌。
tuolaji-call-too-late = 已经起了 { $drawn } 张牌：第 { $after } 张之后的叫主已经太迟。
tuolaji-call-too-early = 才起了 { $drawn } 张牌：还不能在第 { $after } 张之后叫主。
tuolaji-wrong-number = 您选了 { $given } 张牌：必须是 { $need } 张。
tuolaji-lies-elsewhere = { $cards } 的两张都在别处：这手牌里不可能再有。
tuolaji-more-than-a-hand = 已出 { $played } 张，再出 { $given } 张就多了：一手牌只有 25 张。
tuolaji-not-a-call = 这不是叫主：请亮出同一花色的一张或两张 { $level }{ $jokers ->
    [barred] ；打这一级不能叫无主
    [any] ，或任意两张王（叫无主）
   *[equal] ，或一对相同的王（叫无主）
}。
tuolaji-no-trump-barred = 打 { $level } 时不能叫无主。
tuolaji-no-trump-may-not-open = 第一个叫主必须叫花色：无主只能用来反主。
tuolaji-own-call = 现在的主就是您叫的：不能自己反自己。
tuolaji-single-stands = 这反不了 { $stands }：请亮出一对级牌{ $jokers ->
    [barred] ；打这一级不能叫无主
    [any] ，或任意两张王（叫无主）
   *[equal] ，或一对相同的王（叫无主）
}。
tuolaji-pair-stands = 这反不了 { $stands }：{ $jokers ->
    [barred] 打这一级时一对叫主不能再反
    [any] 只能用任意两张王反无主
   *[equal] 只能用一对相同的王反无主
}。
tuolaji-no-trump-stands = 已经叫了无主（{ $stands }）：不能再反。
tuolaji-two-groups = 一次只能出同一门的牌：同一副牌花色，或全是主牌。
tuolaji-not-an-option = 请在被挡住的牌型中选择：{ $kinds }。
tuolaji-follow-all = 您必须跟出全部{ $group ->
    [S] 黑桃
    [H] 红心
    [D] 方块
    [C] 梅花
   *[T] 主牌
}：{ $held }。
tuolaji-follow-cards = 您必须跟 { $need } 张{ $group ->
    [S] 黑桃
    [H] 红心
    [D] 方块
    [C] 梅花
   *[T] 主牌
}：您手中有 { $held } 张。
tuolaji-follow-pair = 您必须跟一对{ $group ->
    [S] 黑桃
    [H] 红心
    [D] 方块
    [C] 梅花
   *[T] 主牌
}：您手中有 { $held }。
tuolaji-follow-pairs = 您必须跟 { $need } 对{ $group ->
    [S] 黑桃
    [H] 红心
    [D] 方块
    [C] 梅花
   *[T] 主牌
}：您手中有 { $held }。
tuolaji-follow-run = 您必须跟 { $need } 连对的拖拉机，{ $group ->
    [S] 黑桃
    [H] 红心
    [D] 方块
    [C] 梅花
   *[T] 主牌
}：您手中有 { $held }。
tuolaji-follow-runs = 您必须跟 { $need } 连对的拖拉机，{ $group ->
    [S] 黑桃
    [H] 红心
    [D] 方块
    [C] 梅花
   *[T] 主牌
}；您出的牌里{ $paid ->
    [none] 一个也没有
   *[other] 只有 { $paid } 连对
}：您手中有 { $held }。
tuolaji-missing-take-back = 没有包含所选全部牌的合法出法：请收回几张。
tuolaji-missing-cards = 还要再选 { $count } 张任意牌。
tuolaji-missing-group-cards = 还要再选 { $count } 张{ $group ->
    [S] 黑桃
    [H] 红心
    [D] 方块
    [C] 梅花
   *[T] 主牌
}。
tuolaji-missing-pair = 所选的牌还缺一对{ $group ->
    [S] 黑桃
    [H] 红心
    [D] 方块
    [C] 梅花
   *[T] 主牌
}。
tuolaji-missing-pairs = 所选的牌还缺 { $count } 对{ $group ->
    [S] 黑桃
    [H] 红心
    [D] 方块
    [C] 梅花
   *[T] 主牌
}。
tuolaji-missing-run = 所选的牌还缺 { $length } 连对的拖拉机，{ $group ->
    [S] 黑桃
    [H] 红心
    [D] 方块
    [C] 梅花
   *[T] 主牌
}。
