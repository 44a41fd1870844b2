# cli: fushi play
play-progress = { $players } 名牌手中 { $connected } 名已連線，打完 { $boards } 副牌，{ $actions } 次行動，違例 { $violations }
play-counts = 打完 { $boards } 副牌，接受 { $actions } 次行動，拒絕 { $refused } 次；重新連線 { $reconnects } 次，收到 { $messages } 則訊息
play-speed = 每秒 { $rate } 次行動，歷時 { $seconds } 秒；應答時間：半數在 { $p50 } 毫秒內，90 % 在 { $p90 } 毫秒內，99 % 在 { $p99 } 毫秒內，最長 { $max } 毫秒
play-clean = 伺服器遵守了所有規則和承諾
play-faults = 違例：{ $violations }；無法繼續的牌手：{ $failed }
