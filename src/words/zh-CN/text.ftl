# text：作为分隔文本的名单：编码、分隔符、引号、大小。
text-read-as = 注意：文件不是 UTF-8，已按 { $encoding } 读取。请核对姓名。
text-broken-utf16 = 这份 UTF-16 文本在一个字符中间断开：请另存为“CSV UTF-8”
text-unknown-encoding = 这不是 UTF-8、UTF-16、GB18030 或 Big5 文本：请另存为“CSV UTF-8”
text-open-quote = 此处开始的引号没有结束：文件可能被截断
text-stray-quote = 字段中间出现引号：请写成两个引号，并给整个字段加引号
text-delimiter = 字段以“{ $separator }”分隔：请改用半角逗号、分号或制表符
text-too-large = 文本超过 { $limit } 字节：请分成几份
text-too-many-rows = 超过 { $limit } 行：请把名单分成几份
text-too-many-fields = 此行超过 { $limit } 个字段：请检查是否缺少引号或换行
text-unreadable = 此行不能读作 CSV
