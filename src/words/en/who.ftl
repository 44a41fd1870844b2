# Who sits where a person does not.
who-stand-in = Stand-in { $number }
who-level-random = Computer 0
who-level-1 = Computer 1
who-level-2 = Computer 2
who-seat-n = N
who-seat-w = W
who-seat-s = S
who-seat-ns = NS
who-seat-ew = EW
who-position = { $seat }
who-position-number = { $seat }
who-seat-e = E
