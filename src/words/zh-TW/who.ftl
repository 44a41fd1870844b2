# 座位上不是選手時的稱呼。
who-stand-in = 替補電腦 { $number }
who-level-random = 電腦 0
who-level-1 = 電腦 1
who-level-2 = 電腦 2
