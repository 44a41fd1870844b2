# 座位上不是选手时的称呼。
who-stand-in = 补位电脑 { $number }
who-level-random = 电脑选手 0
who-level-1 = 电脑选手 1
who-level-2 = 电脑选手 2
