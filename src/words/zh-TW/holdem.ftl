# 德州撲克
holdem-over = 本手牌已經結束或無法繼續：現在沒有人可以行動。
holdem-bet-is-open = 已經有人下注：請用 raise（加注）代替 bet。
holdem-no-bet-open = 還沒有人下注：請用 bet（下注）代替 raise。
holdem-nothing-to-call = 沒有需要跟的注：請過牌或下注。
holdem-nothing-to-call-raise = 沒有可跟的注：請過牌或加注。
holdem-dead-free = 死牌只能因逾時或由裁判員宣布：請過牌。
holdem-dead-facing = 死牌只能因逾時或由裁判員宣布：請寫 fold（棄牌）。
holdem-not-live = { $seat } 號座位沒有未棄的牌。
holdem-cannot-check = 不能過牌：請跟注 { $call }、加注或棄牌。
holdem-cannot-check-or-raise = 不能過牌：請跟注 { $call } 或棄牌。
holdem-bad-amount = 總額須在 { $min } 到 { $max } 之間，且為 { $unit } 的倍數。
holdem-not-reopened = 您已經行動過，此後沒有足額加注：只能跟注或棄牌。
holdem-nobody-to-raise = 沒有人還能跟更多的注：只能跟注或棄牌。
