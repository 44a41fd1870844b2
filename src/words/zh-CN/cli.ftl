# cli: fushi play
play-progress = { $players } 名牌手中 { $connected } 名已连接，打完 { $boards } 副牌，{ $actions } 次行动，违例 { $violations }
play-counts = 打完 { $boards } 副牌，接受 { $actions } 次行动，拒绝 { $refused } 次；重新连接 { $reconnects } 次，收到 { $messages } 条消息
play-speed = 每秒 { $rate } 次行动，历时 { $seconds } 秒；应答时间：半数在 { $p50 } 毫秒内，90 % 在 { $p90 } 毫秒内，99 % 在 { $p99 } 毫秒内，最长 { $max } 毫秒
play-clean = 服务器遵守了所有规则和承诺
play-faults = 违例：{ $violations }；无法继续的牌手：{ $failed }
