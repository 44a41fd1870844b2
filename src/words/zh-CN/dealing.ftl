# 公告、密钥、证明与种子可能出现的问题。
dealing-not-hex =
    { $what ->
        [master-key] 主密钥
        [set-key] 牌组密钥
        [salt] 盐值
        [ai-key] 电脑选手的密钥
        [hash] 指纹（SHA-256）
       *[other] { $what }{" "}
    }必须恰好是 64 位小写十六进制数字 0-9 a-f，不含空格；这里有 { $length } 个字符。
dealing-bad-id = { $what } 不是有效标识：请用 1 至 64 个 A-Z a-z 0-9 . _ - 字符。
dealing-bad-seed = 种子为空白或超过 1024 字节：请给出 64 位十六进制数字或一段短文字。
dealing-not-an-announcement = 这不是发牌公告：{ $detail }
dealing-not-canonical = 公告不是规范文本：请使用公告的原文件，一个字节也不要改动。
dealing-wrong-scheme = 公告采用的方案是“{ $found }”：本程序只支持 fushi-deal/1。
dealing-bad-field = 公告的字段“{ $field }”不符合要求：格式见 docs/deal-spec.md。
dealing-no-sets = 公告须列出 1 至 10000 个牌组。
dealing-set-twice = 牌组 { $set } 出现了两次：每个牌组只能列一次。
dealing-bad-range = 牌组 { $set } 的范围为空：副号从 1 开始，首号不得大于末号。
dealing-delayed-too-early = 作出公告时延迟值已经可知：请选择更晚的时刻。
dealing-unknown-set = 公告中没有牌组“{ $set }”。
dealing-board-outside-set = 牌组 { $set } 没有第 { $board } 副牌：范围是 { $first } 至 { $last }。
dealing-delayed-missing = 本赛事有延迟值：请提供。
dealing-delayed-unannounced = 本赛事没有公告延迟值：请勿提供。
dealing-delayed-empty = 延迟值为空：请提供已开出的值。
dealing-delayed-long = 延迟值过长：最多 { $longest } 个字符。
dealing-delayed-length = 延迟值有 { $found } 个字符，公告规定为 { $wanted } 个：请照开出的原样抄写。
dealing-delayed-character = “{ $form }”形式的延迟值不能包含“{ $character }”。
dealing-wrong-key = 牌组 { $set } 的密钥与公告不符：密钥、盐与证明不能推出公告的根。
dealing-wrong-ai-key = 电脑选手的密钥与公告不符。
dealing-no-draw = 公告没有抽签密钥的承诺。
dealing-wrong-draw-key = 抽签密钥与公告不符。
dealing-wrong-master = 主密钥与本公告不符。
dealing-no-reason = 使用备用牌组 { $set } 须记录理由，一行，不超过 500 个字符。
dealing-not-a-reserve = 牌组 { $set } 不是备用牌组：无须理由。
dealing-seed-width = 种子有 { $given } 位：这种牌需要 { $wanted } 位，因为其排列需要 { $order } 位。
dealing-weak-passphrase = 口令长度须为 8 至 1024 字节。
dealing-bad-key-file = 密钥文件有 { $found } 字节：必须恰好是 32 个随机字节。
dealing-bad-sealed-key = 封存的密钥已损坏：请用副本恢复。
dealing-sealed-format = 封存密钥的格式是“{ $found }”：本程序只支持 fushi-sealed-key/1。
dealing-wrong-event = 封存的密钥属于赛事“{ $found }”。
dealing-wants-passphrase = 此密钥以口令封存：请提供口令。
dealing-wants-key-file = 此密钥以密钥文件封存：请提供密钥文件。
dealing-wrong-secret = 无法打开密钥：口令或密钥文件不对，或封存的密钥被改动过。
dealing-no-randomness = 操作系统没有给出随机字节：请重试。
