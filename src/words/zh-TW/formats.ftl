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
