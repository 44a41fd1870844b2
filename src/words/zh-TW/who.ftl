# 座位上不是選手時的稱呼。
who-stand-in = 補位電腦 { $number }
who-level-random = 電腦選手 0
who-level-1 = 電腦選手 1
who-level-2 = 電腦選手 2
who-seat-n = 北
who-seat-w = 西
who-seat-s = 南
who-seat-ns = 南北
who-seat-ew = 東西
who-position = { $seat } 方位
who-position-number = { $seat } 號方位
who-seat-e = 東
