# 輪轉編排：審核報告
formats-report-size = 參賽{ $kind ->
    [pairs] { $entrants } 對
   *[other] { $entrants } 名
}，{ $stand_ins ->
    [0] 無補位電腦
   *[other] 補位電腦 { $stand_ins } 個
}，{ $tables } 桌，{ $rounds } 輪，{ $boards } 副牌
formats-report-boards = { $kind ->
    [pairs] 每對
   *[other] 每人
}{ $same ->
    [yes] 都打 { $least } 副
   *[no] 打 { $least } 至 { $most } 副
}
formats-report-byes = { $kind ->
    [pairs] 每對
   *[other] 每人
}{ $same ->
    [yes] 都輪空 { $least } 輪
   *[no] 輪空 { $least } 至 { $most } 輪
}
formats-report-seats = { $kind ->
    [pairs] 每對
   *[other] 每人
}在每個方位{ $same ->
    [yes] 都打 { $least } 副
   *[no] 打 { $least } 至 { $most } 副
}
formats-report-bankers = 每對坐莊家方{ $same ->
    [yes] 都是 { $least } 副
   *[no] { $least } 至 { $most } 副
}；一輪之內不換方向
formats-report-groups = 每組相互比較的成績{ $same ->
    [yes] 都有 { $least } 個
   *[no] 有 { $least } 至 { $most } 個
}
formats-report-meetings = 任何兩{ $kind ->
    [pairs] 對
   *[other] 人
}{ $same ->
    [yes] 都同桌 { $least } 次
   *[no] 同桌 { $least } 至 { $most } 次（最多的是 { $pair }）
}；至少 { $necessary } 次無法避免
formats-report-stand-ins = { $kind ->
    [pairs] 每對
   *[other] 每人
}{ $same ->
    [yes] 都遇到補位電腦 { $least } 次
   *[no] 遇到補位電腦 { $least } 至 { $most } 次
}
formats-report-comparisons = 任何兩{ $kind ->
    [pairs] 對
   *[other] 人
}直接比較{ $same ->
    [yes] 都是 { $least } 次
   *[no] { $least } 次（{ $pair_least }）至 { $most } 次（{ $pair_most }），平均 { $mean } 次，方差 { $variance }
}
formats-report-sound = 編排合格
formats-report-faults = 編排不可使用，有 { $count } 個問題
formats-too-large = 編排超出上限：請分成若干賽區
formats-bad-positions = 方位與此類比賽的牌桌不符
formats-table-shape = 第 { $round } 輪第 { $table } 桌：每副牌須有一組座位，每個方位須有一人
formats-unknown-number = 第 { $round } 輪第 { $table } 桌：{ $who } 不在本次比賽中
formats-out-of-place = 第 { $round } 輪第 { $table } 桌：{ $who } 不能坐在該方位
formats-table-changes = 第 { $round } 輪第 { $table } 桌：一輪之內換了人
formats-direction-changes = 第 { $round } 輪第 { $table } 桌：一輪之內有搭檔換了方向
formats-sits-twice = 第 { $board } 副牌：{ $who } 同時坐在兩處
formats-missing = 第 { $round } 輪：{ $number } 號既未上場也未輪空
formats-bye-and-plays = 第 { $round } 輪：{ $number } 號輪空卻又上場，或重複輪空
formats-board-seen-twice = { $number } 號第二次遇到第 { $board } 副牌
formats-uneven-rounds = { $least } 號打 { $few } 輪，而 { $most } 號打 { $many } 輪
formats-uneven-seats = { $number } 號在某一方位坐 { $fewest } 次，在另一方位坐 { $most } 次
formats-uneven-bankers = { $number } 號搭檔坐莊家方 { $banker } 副、防守方 { $defender } 副：各輪的副數容許更均衡
formats-meet-too-often = { $one } 號與 { $other } 號同桌 { $times } 次，{ $necessary } 次即可
formats-uneven-comparisons = { $least } 比較 { $few } 次，而 { $most } 比較 { $many } 次：不如抽籤均勻
formats-disconnected = 參賽者分成 { $parts } 個互不比較的部分；{ $number } 號與 1 號不在同一部分
formats-small-groups = 每個比較組有 { $size } 個成績：不足 { $wanted } 個時，一個偶然的成績就左右得分；增加參賽人數可以改善
formats-never-compared = 兩兩之間共 { $of } 種對比，其中 { $pairs } 種從不直接比較，只能透過其他人間接比較；增加副數可以改善
formats-report-playable = 編排可以使用，但請注意：

# 賽程：為何不可
competition-not-locked = 報名尚未截止
competition-locked = 報名已經截止
competition-entrants = 參賽名單為空、有人重複，或編號未遞增
competition-stages = 階段與設定不符：除最後階段外，每階段都要規定晉級辦法
competition-groups = 第 { $stage } 階段：{ $entrants } 個參賽單位無法按此規模均勻分組（每組至少兩個）
competition-advancement = 第 { $stage } 階段：晉級名額與分組不符
competition-pin = 參賽單位 `{ $entrant }` 無法固定到指定小組：該組不存在或已滿
competition-no-board = 第 { $board } 副不在任何已公告的牌組中
competition-no-movement = 無法編排
competition-no-draw-due = 現在不需要抽籤
competition-wrong-draw = 現在應進行的是另一次抽籤
competition-wrong-order = 順序與種子所得不符
competition-bad-seed = 種子必須是 64 位十六進位數字
competition-draw-due = 須先抽籤
competition-unknown-round = 目前階段沒有第 { $round } 輪
competition-round-started = 第 { $round } 輪已經開始
competition-earlier-round = 須先開始第 { $round } 輪
competition-round-runs = 第 { $round } 輪尚未結束
competition-round-not-started = 第 { $round } 輪尚未開始
competition-round-over = 第 { $round } 輪已經結束
competition-bell-rang = 第 { $round } 輪的時間已到
competition-bad-unplayed = 第 { $sitting } 桌次不是本輪未結束的桌次，或次序不對
competition-unknown-sitting = 沒有第 { $sitting } 桌次
competition-finished = 第 { $sitting } 桌次已經結束
competition-not-played = 第 { $sitting } 桌次不再進行：本輪時間已到
competition-wrong-seats = 第 { $sitting } 桌次：得分與座位不符
competition-stage-not-over = 第 { $stage } 階段尚未打完
competition-stage-closed = 第 { $stage } 階段已經結束
competition-other-stage = 第 { $stage } 階段不是目前階段
competition-not-void = 第 { $board } 副並未因該裁定作廢
competition-no-reserve = 第 { $board } 副不在備用牌組中，或已經用過
competition-replayed = 裁定 { $ruling } 不能撤回：該副牌已經重打
competition-paused = 比賽已經暫停
competition-not-paused = 比賽並未暫停
competition-ended = 比賽已經結束

# 賽程：指令的核查
formats-stream = 第 { $line } 行：{ $what }
formats-stream-misplaced = 指令與所發生的事不符
formats-stream-sitting-number = 第 { $about } 桌次編號有誤或屬於另一輪
formats-stream-seats = 第 { $about } 桌次的座位與牌桌不符
formats-stream-unknown = { $about } 未參加
formats-stream-two-tables = { $about } 同時坐在兩處
formats-stream-board-twice = 有人再次遇到同一副牌：{ $about }
formats-stream-plays-or-bye = { $about } 既未上場也未輪空，或兩者兼有
formats-stream-boards = 第 { $about } 輪各桌所打的牌不一致
formats-stream-setup = 第 { $about } 桌次的起始條件與循環次序不符
formats-stream-meeting = 不應有的對陣：{ $about }
formats-stream-not-met = 缺少或重複的對陣：{ $about }
formats-stream-directions = { $about } 的坐向次數相差超過一
formats-stream-byes = { $about } 的輪空多於他人
formats-stream-groups = 第 { $about } 階段的分組不均勻
formats-stream-draw = 抽籤結果與參加抽籤者不符
formats-stream-replay = 第 { $about } 副未按原座位重打
formats-stream-advance = 第 { $about } 階段的晉級者與名次不符
formats-stream-shared = 第 { $about } 階段結束時仍有並列名次
formats-stream-open = 第 { $about } 階段結束時仍有人在打牌
