# 每个页面的脚本用语。此处的句子不得按变量选择。
js-offline = 无法连接服务器：请检查网络后重试。
js-unexpected = 本页无法理解服务器的答复：请刷新页面。
js-empty = 请填写每一项。
js-logged-out = 您已退出登录。
js-wait-seconds = 请在 { $seconds } 秒后重试。
js-passwords-differ = 两次输入的密码不一致。
js-set-up = 主办方账号已建立，请用它登录。
js-fault-bad-name = 登录名为 2 至 40 个字符，只能用 a–z、0–9、点、下划线和连字符，并以字母或数字开头。
js-fault-bad-display = 显示名为 1 至 100 个字符，首尾不能有空格。
js-fault-weak-password = 密码太短或太容易被猜到：请换一个更长的、不含您名字的密码。
js-seat-open = 回到牌桌：{ $title }
js-device-kept = 这台设备已登记用于本赛事。
