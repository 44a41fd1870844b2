# 每個頁面的指令碼用語。此處的句子不得按變數選擇。
js-offline = 無法連線伺服器：請檢查網路後重試。
js-unexpected = 本頁無法理解伺服器的答覆：請重新整理頁面。
js-empty = 請填寫每一項。
js-logged-out = 您已登出。
js-wait-seconds = 請在 { $seconds } 秒後重試。
js-passwords-differ = 兩次輸入的密碼不一致。
js-set-up = 主辦單位帳號已建立，請用它登入。
js-fault-bad-name = 登入名為 2 至 40 個字元，只能用 a–z、0–9、點、下劃線和連字號，並以字母或數字開頭。
js-fault-bad-display = 顯示名為 1 至 100 個字元，首尾不能有空格。
js-fault-weak-password = 密碼太短或太容易被猜到：請換一個更長的、不含您名字的密碼。
js-seat-open = 回到牌桌：{ $title }
js-device-kept = 這台裝置已登記用於本賽事。
