# 德州扑克
holdem-over = 本手牌已经结束或无法继续：现在没有人可以行动。
holdem-bet-is-open = 已经有人下注：请用 raise（加注）代替 bet。
holdem-no-bet-open = 还没有人下注：请用 bet（下注）代替 raise。
holdem-nothing-to-call = 没有需要跟的注：请过牌或下注。
holdem-nothing-to-call-raise = 没有可跟的注：请过牌或加注。
holdem-dead-free = 死牌只能因超时或由裁判员宣布：请过牌。
holdem-dead-facing = 死牌只能因超时或由裁判员宣布：请写 fold（弃牌）。
holdem-not-live = { $seat } 号座位没有未弃的牌。
holdem-cannot-check = 不能过牌：请跟注 { $call }、加注或弃牌。
holdem-cannot-check-or-raise = 不能过牌：请跟注 { $call } 或弃牌。
holdem-bad-amount = 总额须在 { $min } 到 { $max } 之间，且为 { $unit } 的倍数。
holdem-not-reopened = 您已经行动过，此后没有足额加注：只能跟注或弃牌。
holdem-nobody-to-raise = 没有人还能跟更多的注：只能跟注或弃牌。
