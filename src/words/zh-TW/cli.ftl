# cli: fushi play
play-progress = { $players } 名選手中 { $connected } 名已連線，打完 { $boards } 副牌，{ $actions } 次行動，違例 { $violations }
play-counts = 打完 { $boards } 副牌，接受 { $actions } 次行動，拒絕 { $refused } 次；重新連線 { $reconnects } 次，收到 { $messages } 則訊息
play-speed = 每秒 { $rate } 次行動，歷時 { $seconds } 秒；應答時間：半數在 { $p50 } 毫秒內，90 % 在 { $p90 } 毫秒內，99 % 在 { $p99 } 毫秒內，最長 { $max } 毫秒
play-clean = 伺服器遵守了所有規則和承諾
play-faults = 違例：{ $violations }；無法繼續的選手：{ $failed }
# fushi replay and fushi legal
replay-record = 牌譜 { $number }
replay-unfinished = 未完，輪到 { $who }
replay-actions = 動作 { $count } 個
replay-unit = 數額以 { $unit } 為單位
replay-label = { $key ->
    [banker] 莊家
    [bid] 叫分
    [bombs] 炸彈
    [factors] 倍數
    [winner] 贏家
    [trump] 主
    [tricks] 各輪
    [points] 分
    [small] 小分
    [bottom] 底牌分
    [multiplier] 摳底倍數
    [big] 大分
    [table] 大分表
    [calls] 叫主
    [flipped] 翻底
    [throws] 甩牌失敗
    [seat] 座位
    [after] 摸牌數
    [cards] 牌
    [trick] 輪
    [stood] 實出
    [penalty] 罰分
    [returned] 退回
    [pots] 底池
    [amount] 數額
    [eligible] 有權者
    [shares] 分得
    [shown] 亮牌
    [stacks] 籌碼
    [hash] 指紋（SHA-256）
    [phh] PHH 檔案
    [unit] 單位
    [rake] 抽水
   *[other] { $key }
}
legal-over = 牌譜 { $number }：本副已結束
legal-cut = ……還有更多：加大 --limit 可全部列出
legal-unknown = 手牌未知：無法列出可行的動作
client-player = 選手 { $number }
client-no-server = 「{ $url }」不是伺服器位址：請寫 --url http://主機:連接埠
client-other-server = { $address } 的回答是 { $status }：它是 fushi 伺服器嗎？
client-unreached = 無法連線到 { $address }：{ $error }
client-breaks = 連線一再中斷
client-replaced = 另一個連線已佔用這個座位
client-refused = { $code }：{ $message }
