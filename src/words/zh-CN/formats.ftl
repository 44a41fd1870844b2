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

# 赛程：为何不可
competition-not-locked = 报名尚未截止
competition-locked = 报名已经截止
competition-entrants = 参赛名单为空、有人重复，或编号未递增
competition-stages = 阶段与设置不符：除最后阶段外，每阶段都要规定晋级办法
competition-groups = 第 { $stage } 阶段：{ $entrants } 个参赛单位无法按此规模均匀分组（每组至少两个）
competition-advancement = 第 { $stage } 阶段：晋级名额与分组不符
competition-pin = 参赛单位 `{ $entrant }` 无法固定到指定小组：该组不存在或已满
competition-no-board = 第 { $board } 副不在任何已公告的牌组中
competition-no-movement = 无法编排
competition-no-draw-due = 现在不需要抽签
competition-wrong-draw = 现在应进行的是另一次抽签
competition-wrong-order = 顺序与种子所得不符
competition-bad-seed = 种子必须是 64 位十六进制数字
competition-draw-due = 须先抽签
competition-unknown-round = 当前阶段没有第 { $round } 轮
competition-round-started = 第 { $round } 轮已经开始
competition-earlier-round = 须先开始第 { $round } 轮
competition-round-runs = 第 { $round } 轮尚未结束
competition-round-not-started = 第 { $round } 轮尚未开始
competition-round-over = 第 { $round } 轮已经结束
competition-bell-rang = 第 { $round } 轮的时间已到
competition-bad-unplayed = 第 { $sitting } 桌次不是本轮未结束的桌次，或次序不对
competition-unknown-sitting = 没有第 { $sitting } 桌次
competition-finished = 第 { $sitting } 桌次已经结束
competition-not-played = 第 { $sitting } 桌次不再进行：本轮时间已到
competition-wrong-seats = 第 { $sitting } 桌次：得分与座位不符
competition-stage-not-over = 第 { $stage } 阶段尚未打完
competition-stage-closed = 第 { $stage } 阶段已经结束
competition-other-stage = 第 { $stage } 阶段不是当前阶段
competition-not-void = 第 { $board } 副并未因该裁定作废
competition-no-reserve = 第 { $board } 副不在备用牌组中，或已经用过
competition-replayed = 裁定 { $ruling } 不能撤回：该副牌已经重打
competition-paused = 比赛已经暂停
competition-not-paused = 比赛并未暂停
competition-ended = 比赛已经结束

# 赛程：指令的核查
formats-stream = 第 { $line } 行：{ $what }
formats-stream-misplaced = 指令与所发生的事不符
formats-stream-sitting-number = 第 { $about } 桌次编号有误或属于另一轮
formats-stream-seats = 第 { $about } 桌次的座位与牌桌不符
formats-stream-unknown = { $about } 未参加
formats-stream-two-tables = { $about } 同时坐在两处
formats-stream-board-twice = 有人再次遇到同一副牌：{ $about }
formats-stream-plays-or-bye = { $about } 既未上场也未轮空，或两者兼有
formats-stream-boards = 第 { $about } 轮各桌所打的牌不一致
formats-stream-setup = 第 { $about } 桌次的起始条件与循环次序不符
formats-stream-meeting = 不应有的对阵：{ $about }
formats-stream-not-met = 缺少或重复的对阵：{ $about }
formats-stream-directions = { $about } 的坐向次数相差超过一
formats-stream-byes = { $about } 的轮空多于他人
formats-stream-groups = 第 { $about } 阶段的分组不均匀
formats-stream-draw = 抽签结果与参加抽签者不符
formats-stream-replay = 第 { $about } 副未按原座位重打
formats-stream-advance = 第 { $about } 阶段的晋级者与名次不符
formats-stream-shared = 第 { $about } 阶段结束时仍有并列名次
formats-stream-open = 第 { $about } 阶段结束时仍有人在打牌
