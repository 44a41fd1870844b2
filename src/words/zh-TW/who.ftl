# 座位上不是選手時的稱呼。
who-stand-in = 補位電腦 { $number }
who-level-random = 電腦選手 0
who-level-1 = 電腦選手 1
who-level-2 = 電腦選手 2
