# text：作為分隔文字的名單：編碼、分隔符、引號、大小。
text-read-as = 注意：檔案不是 UTF-8，已按 { $encoding } 讀取。請核對姓名。
text-broken-utf16 = 這份 UTF-16 文字在一個字元中間斷開：請另存為「CSV UTF-8」
text-unknown-encoding = 這不是 UTF-8、UTF-16、GB18030 或 Big5 文字：請另存為「CSV UTF-8」
text-open-quote = 此處開始的引號沒有結束：檔案可能被截斷
text-stray-quote = 欄位中間出現引號：請寫成兩個引號，並給整個欄位加引號
text-delimiter = 欄位以「{ $separator }」分隔：請改用半形逗號、分號或定位字元
text-too-large = 文字超過 { $limit } 位元組：請分成幾份
text-too-many-rows = 超過 { $limit } 行：請把名單分成幾份
text-too-many-fields = 此行超過 { $limit } 個欄位：請檢查是否缺少引號或換行
text-unreadable = 此行不能讀作 CSV
