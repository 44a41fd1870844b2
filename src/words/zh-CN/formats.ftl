# 轮转编排：审核报告
formats-report-size = 参赛{ $kind ->
    [pairs] { $entrants } 对
   *[other] { $entrants } 名
}，{ $stand_ins ->
    [0] 无补位电脑
   *[other] 补位电脑 { $stand_ins } 个
}，{ $tables } 桌，{ $rounds } 轮，{ $boards } 副牌
formats-report-boards = { $kind ->
    [pairs] 每对
   *[other] 每人
}{ $same ->
    [yes] 都打 { $least } 副
   *[no] 打 { $least } 至 { $most } 副
}
formats-report-byes = { $kind ->
    [pairs] 每对
   *[other] 每人
}{ $same ->
    [yes] 都轮空 { $least } 轮
   *[no] 轮空 { $least } 至 { $most } 轮
}
formats-report-seats = { $kind ->
    [pairs] 每对
   *[other] 每人
}在每个方位{ $same ->
    [yes] 都打 { $least } 副
   *[no] 打 { $least } 至 { $most } 副
}
formats-report-bankers = 每对坐庄家方{ $same ->
    [yes] 都是 { $least } 副
   *[no] { $least } 至 { $most } 副
}；一轮之内不换方向
formats-report-groups = 每组相互比较的成绩{ $same ->
    [yes] 都有 { $least } 个
   *[no] 有 { $least } 至 { $most } 个
}
formats-report-meetings = 任何两{ $kind ->
    [pairs] 对
   *[other] 人
}{ $same ->
    [yes] 都同桌 { $least } 次
   *[no] 同桌 { $least } 至 { $most } 次（最多的是 { $pair }）
}；至少 { $necessary } 次无法避免
formats-report-stand-ins = { $kind ->
    [pairs] 每对
   *[other] 每人
}{ $same ->
    [yes] 都遇到补位电脑 { $least } 次
   *[no] 遇到补位电脑 { $least } 至 { $most } 次
}
formats-report-comparisons = 任何两{ $kind ->
    [pairs] 对
   *[other] 人
}直接比较{ $same ->
    [yes] 都是 { $least } 次
   *[no] { $least } 次（{ $pair_least }）至 { $most } 次（{ $pair_most }），平均 { $mean } 次，方差 { $variance }
}
formats-report-sound = 编排合格
formats-report-faults = 编排不可使用，有 { $count } 个问题
formats-too-large = 编排超出上限：请分成若干赛区
formats-bad-positions = 方位与此类比赛的牌桌不符
formats-table-shape = 第 { $round } 轮第 { $table } 桌：每副牌须有一组座位，每个方位须有一人
formats-unknown-number = 第 { $round } 轮第 { $table } 桌：{ $who } 不在本次比赛中
formats-out-of-place = 第 { $round } 轮第 { $table } 桌：{ $who } 不能坐在该方位
formats-table-changes = 第 { $round } 轮第 { $table } 桌：一轮之内换了人
formats-direction-changes = 第 { $round } 轮第 { $table } 桌：一轮之内有搭档换了方向
formats-sits-twice = 第 { $board } 副牌：{ $who } 同时坐在两处
formats-missing = 第 { $round } 轮：{ $number } 号既未上场也未轮空
formats-bye-and-plays = 第 { $round } 轮：{ $number } 号轮空却又上场，或重复轮空
formats-board-seen-twice = { $number } 号第二次遇到第 { $board } 副牌
formats-uneven-rounds = { $least } 号打 { $few } 轮，而 { $most } 号打 { $many } 轮
formats-uneven-seats = { $number } 号在某一方位坐 { $fewest } 次，在另一方位坐 { $most } 次
formats-uneven-bankers = { $number } 号搭档坐庄家方 { $banker } 副、防守方 { $defender } 副：各轮的副数容许更均衡
formats-meet-too-often = { $one } 号与 { $other } 号同桌 { $times } 次，{ $necessary } 次即可
formats-uneven-comparisons = { $least } 比较 { $few } 次，而 { $most } 比较 { $many } 次：不如抽签均匀
formats-disconnected = 参赛者分成 { $parts } 个互不比较的部分；{ $number } 号与 1 号不在同一部分
formats-small-groups = 每个比较组有 { $size } 个成绩：不足 { $wanted } 个时，一个偶然的成绩就左右得分；增加参赛人数可以改善
formats-never-compared = 两两之间共 { $of } 种对比，其中 { $pairs } 种从不直接比较，只能通过其他人间接比较；增加副数可以改善
formats-report-playable = 编排可以使用，但请注意：
