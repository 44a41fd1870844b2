# 座位上不是选手时的称呼。
who-stand-in = 替补电脑 { $number }
who-level-random = 电脑 0
who-level-1 = 电脑 1
who-level-2 = 电脑 2
