# 公告、金鑰、證明與種子可能出現的問題。
dealing-not-hex =
    { $what ->
        [master-key] 主金鑰
        [set-key] 牌組金鑰
        [salt] 鹽值
        [ai-key] 電腦選手的金鑰
        [hash] 指紋（SHA-256）
       *[other] { $what }{" "}
    }必須恰好是 64 位小寫十六進位制數字 0-9 a-f，不含空格；這裡有 { $length } 個字元。
dealing-bad-id = { $what } 不是有效識別碼：請用 1 至 64 個 A-Z a-z 0-9 . _ - 字元。
dealing-bad-seed = 種子為空白或超過 1024 位元組：請給出 64 位十六進位數字或一段短文字。
dealing-not-an-announcement = 這不是發牌公告：{ $detail }
dealing-not-canonical = 公告不是規範文字：請使用公告的原檔案，一個位元組也不要改動。
dealing-wrong-scheme = 公告採用的方案是「{ $found }」：本程式只支援 fushi-deal/1。
dealing-bad-field = 公告的欄位「{ $field }」不符合要求：格式見 docs/deal-spec.md。
dealing-no-sets = 公告須列出 1 至 10000 個牌組。
dealing-set-twice = 牌組 { $set } 出現了兩次：每個牌組只能列一次。
dealing-bad-range = 牌組 { $set } 的範圍為空：副號從 1 開始，首號不得大於末號。
dealing-delayed-too-early = 作出公告時延遲值已經可知：請選擇更晚的時刻。
dealing-unknown-set = 公告中沒有牌組「{ $set }」。
dealing-board-outside-set = 牌組 { $set } 沒有第 { $board } 副牌：範圍是 { $first } 至 { $last }。
dealing-delayed-missing = 本賽事有延遲值：請提供。
dealing-delayed-unannounced = 本賽事沒有公告延遲值：請勿提供。
dealing-delayed-empty = 延遲值為空：請提供已開出的值。
dealing-delayed-long = 延遲值過長：最多 { $longest } 個字元。
dealing-delayed-length = 延遲值有 { $found } 個字元，公告規定為 { $wanted } 個：請照開出的原樣抄寫。
dealing-delayed-character = 「{ $form }」形式的延遲值不能包含「{ $character }」。
dealing-wrong-key = 牌組 { $set } 的金鑰與公告不符：金鑰、鹽與證明不能推出公告的根。
dealing-wrong-ai-key = 電腦選手的金鑰與公告不符。
dealing-no-draw = 公告沒有抽籤金鑰的承諾。
dealing-wrong-draw-key = 抽籤金鑰與公告不符。
dealing-wrong-master = 主金鑰與本公告不符。
dealing-no-reason = 使用備用牌組 { $set } 須記錄理由，一行，不超過 500 個字元。
dealing-not-a-reserve = 牌組 { $set } 不是備用牌組：無須理由。
dealing-seed-width = 種子有 { $given } 位元：這種牌需要 { $wanted } 位元，因為其排列需要 { $order } 位元。
dealing-weak-passphrase = 通行碼長度須為 8 至 1024 位元組。
dealing-bad-key-file = 金鑰檔案有 { $found } 位元組：必須恰好是 32 個隨機位元組。
dealing-bad-sealed-key = 封存的金鑰已損壞：請用副本復原。
dealing-sealed-format = 封存金鑰的格式是「{ $found }」：本程式只支援 fushi-sealed-key/1。
dealing-wrong-event = 封存的金鑰屬於賽事「{ $found }」。
dealing-wants-passphrase = 此金鑰以通行碼封存：請提供通行碼。
dealing-wants-key-file = 此金鑰以金鑰檔案封存：請提供金鑰檔案。
dealing-wrong-secret = 無法開啟金鑰：通行碼或金鑰檔案不對，或封存的金鑰被改動過。
dealing-no-randomness = 作業系統沒有給出隨機位元組：請重試。
