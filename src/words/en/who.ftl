# Who sits where a person does not.
who-stand-in = Stand-in { $number }
who-level-random = Computer 0
who-level-1 = Computer 1
who-level-2 = Computer 2
