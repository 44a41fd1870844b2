# 座位上不是选手时的称呼。
who-stand-in = 补位电脑 { $number }
who-level-random = 电脑选手 0
who-level-1 = 电脑选手 1
who-level-2 = 电脑选手 2
who-seat-n = 北
who-seat-w = 西
who-seat-s = 南
who-seat-ns = 南北
who-seat-ew = 东西
who-position = { $seat } 方位
who-position-number = { $seat } 号方位
who-seat-e = 东
