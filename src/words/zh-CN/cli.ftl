# cli: fushi play
play-progress = { $players } 名选手中 { $connected } 名已连接，打完 { $boards } 副牌，{ $actions } 次行动，违例 { $violations }
play-counts = 打完 { $boards } 副牌，接受 { $actions } 次行动，拒绝 { $refused } 次；重新连接 { $reconnects } 次，收到 { $messages } 条消息
play-speed = 每秒 { $rate } 次行动，历时 { $seconds } 秒；应答时间：半数在 { $p50 } 毫秒内，90 % 在 { $p90 } 毫秒内，99 % 在 { $p99 } 毫秒内，最长 { $max } 毫秒
play-clean = 服务器遵守了所有规则和承诺
play-faults = 违例：{ $violations }；无法继续的选手：{ $failed }
# fushi replay and fushi legal
replay-record = 牌谱 { $number }
replay-unfinished = 未完，轮到 { $who }
replay-actions = 动作 { $count } 个
replay-unit = 数额以 { $unit } 为单位
replay-label = { $key ->
    [banker] 庄家
    [bid] 叫分
    [bombs] 炸弹
    [factors] 倍数
    [winner] 赢家
    [trump] 主
    [tricks] 各轮
    [points] 分
    [small] 小分
    [bottom] 底牌分
    [multiplier] 抠底倍数
    [big] 大分
    [table] 大分表
    [calls] 叫主
    [flipped] 翻底
    [throws] 甩牌失败
    [seat] 座位
    [after] 摸牌数
    [cards] 牌
    [trick] 轮
    [stood] 实出
    [penalty] 罚分
    [returned] 退回
    [pots] 底池
    [amount] 数额
    [eligible] 有权者
    [shares] 分得
    [shown] 亮牌
    [stacks] 筹码
    [hash] 指纹（SHA-256）
    [phh] PHH 文件
    [unit] 单位
    [rake] 抽水
   *[other] { $key }
}
legal-over = 牌谱 { $number }：本副已结束
legal-cut = ……还有更多：加大 --limit 可全部列出
legal-unknown = 手牌未知：无法列出可行的动作
client-player = 选手 { $number }
client-no-server = “{ $url }”不是服务器地址：请写 --url http://主机:端口
client-other-server = { $address } 的回答是 { $status }：它是 fushi 服务器吗？
client-unreached = 无法连接 { $address }：{ $error }
client-breaks = 连接一再中断
client-replaced = 另一个连接已占用这个座位
client-refused = { $code }：{ $message }
