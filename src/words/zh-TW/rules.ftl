# 規則頁：每個遊戲的規則逐條說明，數值取自所用的規則集。
rules-list = { $before }、{ $thing }
rules-title = 比賽規則
rules-link = 規則
rules-read = 閱讀全部規則
rules-print = 列印
rules-hash = 規則指紋（SHA-256）
rules-base = 本規則以 { $base } 為基礎，下列各條有改動：
rules-plain = 與所附的規則集 { $base } 完全相同。
rules-was = 原規則
rules-now = 本場規則
rules-none = （無此條）
rules-fields = 改動的欄位
rules-field = 欄位
rules-penalties = 規則集規定的處罰
rules-big-points = 大分表

rules-wakeng-aim = 三人打牌，每人 16 張，底牌 4 張。叫分最高者為莊家，一人對兩名防守方；先出完牌的一方獲勝。
rules-wakeng-order = 牌從大到小：{ $weakest ->
    [3] 2 A K Q J 10 9 8 7 6 5 4 3
    [2] A K Q J 10 9 8 7 6 5 4 3 2
   *[other] 3 2 A K Q J 10 9 8 7 6 5 4
}；花色不分大小。
rules-wakeng-sets = 可出單牌、對子、三條、四條；一律不帶牌。
rules-wakeng-runs = 連牌從 { $weakest } 起，最大到 { $top }，點數須相連，不能首尾相接。
rules-wakeng-run-singles = { $fewest ->
    [0] 單牌沒有連牌。
   *[other] 單牌連牌 { $fewest } 張起。
}
rules-wakeng-run-pairs = { $fewest ->
    [0] 對子沒有連牌。
   *[other] 對子連牌 { $fewest } 連對起。
}
rules-wakeng-run-triples = { $fewest ->
    [0] 三條沒有連牌。
   *[other] 三條連牌 { $fewest } 組起。
}
rules-wakeng-run-quads = { $fewest ->
    [0] 四條沒有連牌。
   *[other] 四條連牌 { $fewest } 組起；四條連牌不是炸彈。
}
rules-wakeng-quad = { $quad ->
    [plain] 四條不是炸彈，只能壓更小的四條，得分不加倍（炸彈倍數 { $factor }、計數上限 { $cap ->
        [none] 無
       *[other] { $cap } 個
    }，本規則不用）。
   *[bomb] 炸彈（四條）可壓任何非炸彈牌型和更小的炸彈，每出一個炸彈，本副得分乘以 { $factor }；{ $cap ->
        [none] 炸彈個數不封頂
       *[other] 最多計 { $cap } 個炸彈
    }。
}
rules-wakeng-show-before = { $there ->
    [no] 叫分前不明牌。
   *[yes] 叫分前三家各自選擇是否明牌，三家都選定後同時公開。
}
rules-wakeng-speaker = 手牌中最小的{ $suit ->
    [S] 黑桃
    [D] 方塊
    [C] 梅花
   *[H] 紅心
}牌的持有者首先叫分：從{ $suit ->
    [S] 黑桃
    [D] 方塊
    [C] 梅花
   *[H] 紅心
} { $weakest } 找起，在底牌中則看下一張。
rules-wakeng-bid = 逆時針每人叫一次：不叫、1、2 或 3 分，須高於前面的叫分，叫 3 分即止。無人叫分為爛挖，由首先叫分者以 { $rotten } 分坐莊，不重新發牌。
rules-wakeng-bottom = 叫分結束後，四張底牌翻開給各家看，歸莊家。
rules-wakeng-banker-show = { $there ->
    [no] 拿底牌後莊家不明牌。
   *[yes] 拿底牌後莊家可以明牌。
}
rules-wakeng-lead-card = 持{ $suit ->
    [S] 黑桃
    [D] 方塊
    [C] 梅花
   *[H] 紅心
} { $weakest } 者首攻（在底牌中則由莊家首攻）；牌型不限，不必含這張牌。
rules-wakeng-lead-speaker = 首先叫分者首攻，不論誰坐莊；牌型不限。
rules-wakeng-trick = 須出同牌型、同張數且更大的牌，或者不要（過牌）。連續兩家不要則本圈結束，由最後出牌者引牌（首先出牌）；引牌者不能不要。
rules-wakeng-shown = { $there ->
    [no] 本規則沒有明牌，明牌倍數（{ $factor }，{ $combine ->
        [product] 雙方相乘
       *[max] 只計一次
    }）不用。
   *[yes] 有人明牌則得分乘以 { $factor }；{ $combine ->
        [product] 莊家與防守方都有明牌時，雙方各計一次，相乘
       *[max] 不論幾家明牌，只計一次
    }。
}
rules-wakeng-double = { $there ->
    [no] 本規則不加倍（倍數 { $factor } 不用）。
   *[yes] 打牌前各家可加倍（×{ $factor }），同時選定、同時公開；莊家加倍對兩名防守方都有效。
}
rules-wakeng-score = 得分 = { $unit } × 叫分 × 炸彈 × 明牌 × 加倍，莊家與每名防守方分別結算。
rules-wakeng-time = 用時：明牌 { $show } 秒，叫分 { $bid } 秒，加倍 { $double } 秒，出牌 { $play } 秒。逾時按不明牌、不叫、不加倍處理；引牌逾時由系統出最小的單牌，其餘按不要處理。

rules-tuolaji-aim = 四人打牌，對家為同伴，兩副牌共 108 張，每人 25 張，底牌 8 張。莊家和級數由賽程規定；只有防守方抓分。
rules-tuolaji-draw = 由莊家起逆時針逐張摸牌，每張 { $pace } 秒；{ $order ->
    [stepped] 每摸一張後各家均可叫主，幾家同時叫，以摸牌者之後最近的一家為準
   *[realtime] 叫主以先到者為準
}。
rules-tuolaji-call = 摸到級牌即可亮一張叫主，其花色為主；單張可被另一花色的一對級牌或無主反主，一對級牌只能被無主反主。
rules-tuolaji-no-trump = 叫無主須亮{ $jokers ->
    [any] 任意兩張王
   *[equal] 兩張相同的王
}；{ $opens ->
    [no] 無主只能用來反主，不能首先叫
   *[yes] 可以首先叫無主
}。
rules-tuolaji-barred = 打 { $levels } 時不得叫無主。
rules-tuolaji-none-barred = 打任何一級都可以叫無主。
rules-tuolaji-own-call = 不得反自己的主；{ $may ->
    [yes] 但可以把自己的單張加固為一對
   *[no] 也不得把自己的單張加固為一對
}。
rules-tuolaji-window = 摸完 100 張後留 { $window } 秒反主；{ $anew ->
    [no] 有人反主也不重新計時
   *[yes] 每次叫主、反主後重新計時
}。莊家拿底牌後不得再變。
rules-tuolaji-flip = 無人叫主則翻第一張底牌，其花色為主，翻到王為無主，此後不得反主；在不得叫無主的級翻到王時，{ $joker ->
    [next] 繼續翻下一張，直到翻出有花色的牌
   *[stands] 同樣打無主
}。
rules-tuolaji-lay-away = 莊家拿 8 張底牌，再從 33 張中任意扣下 8 張，只有莊家知道。
rules-tuolaji-trumps = 大小王、級牌和主花色的牌都是主；各副花色的級牌大小相同，先出者為大。
rules-tuolaji-lead = 首出可以是單張、對子、拖拉機，或同一門的甩牌；甩牌先按最長的連對劃分拖拉機，首出者不能另行劃分。
rules-tuolaji-follow = 有同門的牌必須跟：對子跟對子，拖拉機跟拖拉機；沒有同樣長的，跟次長的，再沒有則跟對子。
rules-tuolaji-winner = 缺門可以斃牌，須與首出的牌型相符：對子斃對子，拖拉機斃拖拉機；只比其中最大的一種，一樣大則先出者贏。
rules-tuolaji-throw = 甩牌的每一手在其他三家（包括同伴）手中都不能有更大的；否則只出被擋住的最小一手，被擋住的牌每張罰 { $penalty } 分。
rules-tuolaji-choice = 被擋住的不止一類時由下家選擇：{ $choice ->
    [single-or-pair] 只在單張與對子中選，只有拖拉機被擋住時才出拖拉機
   *[any] 可選任何一類被擋住的牌
}；逾時未選則出{ $late ->
    [smallest] 最小的一類
   *[largest] 最大的一類
}。
rules-tuolaji-attempt = 甩牌失敗時，想甩的牌{ $shown ->
    [no] 不公開
   *[yes] 向各家公開
}。
rules-tuolaji-points = 5 計 5 分，10 和 K 各計 10 分，共 200 分，為小分。
rules-tuolaji-bottom = 防守方贏得最後一圈則抠底，底分加倍計入：單張 ×2，對子 ×4，兩連對的拖拉機 ×8，每多一對再加倍；{ $shape ->
    [winner] 以贏得該圈的牌的牌型為準
   *[lead] 以該圈首出的牌型為準
}。
rules-points = 小分按大分表「{ $name }」折成大分：防守方 { $classes }；莊家方取相反數。
rules-points-below = 不足 { $min } 分 { $v }
rules-points-always = 一律 { $v }
rules-points-row = { $min } 分起 { $v }
rules-points-tail = { $from } 分以上每 { $step } 分再 { $add }
rules-points-no-tail = 以上不再增加
rules-points-cap = { $cap ->
    [0] 一副牌的大分不封頂。
   *[other] 一副牌的大分最多 { $cap } 分。
}
rules-points-awards = 無系統的桌上由裁判員判給：首攻後發現牌張數目有誤，對方得 { $misdeal } 大分；藏張發現過晚，對方得 { $concealed } 大分。
rules-points-forfeit = 棄權一輪：對方得小分 { $small }、大分 { $big }，本方小分 0，大分取相反數。
rules-tuolaji-time = 用時：出牌 { $play } 秒，扣底 { $bottom } 秒；甩牌後的選擇 { $choice } 秒，到時由系統決定。
rules-tuolaji-slow = 出牌、扣底超過上述時間為慢打，記入本副記錄，裁判員可見：{ $counter ->
    [player-event] 每人全場
    [pair-round] 每對每輪
   *[player-round] 每人每輪
}第一次警告，以後每次罰 { $penalty } 小分，由裁判員執行。
rules-tuolaji-automatic = 慢打後再過 { $extra } 秒，由系統自動出牌：分數最少、級別最低的合法出法。
rules-tuolaji-round = 每輪限時 { $minutes } 分鐘；主辦單位另有規定的從其規定。

rules-holdem-aim = 無限注德州撲克：每人兩張手牌，五張公共牌，取最好的五張。
rules-holdem-stacks = { $seats } 人桌，每手開始時各有籌碼 { $stack }，最小籌碼 { $unit }。
rules-holdem-blinds = 盲注 { $small } 和 { $big }。
rules-holdem-ante-none = 沒有前注。
rules-holdem-ante-all = 每人先下前注 { $ante }。
rules-holdem-ante-bb = 大盲位替全桌下前注 { $ante }。
rules-holdem-blind-ante = 大盲位同時替全桌下前注而籌碼不足時，先下{ $first ->
    [ante] 前注
   *[blind] 盲注
}。
rules-holdem-raise = 加注幅度不得小於前一次，數額一律是本輪的總額。
rules-holdem-limit = { $preflop ->
    [pot] 翻牌前為底池限注：下注或加注不得超過跟注之後的底池。翻牌起可下至全部籌碼。
   *[none] 下注或加注最多可到全部籌碼。
}
rules-holdem-short = 幾次全下都不足一個完整加注時，{ $short ->
    [alone] 各自單獨計算，已行動者不能因此再加注
   *[add-up] 累計達到一個完整加注，已行動者即可再加注
}。
rules-holdem-all-in = 有人全下且下注結束後，{ $cards ->
    [turn] 發完公共牌再依次亮牌
   *[up] 未棄牌者立即全部亮牌，不得蓋牌
}。
rules-holdem-show = 無人全下時，{ $show ->
    [left] 由按鈕左邊第一位未棄牌者先亮牌
   *[aggressor] 由最後一輪最後下注或加注者先亮牌；無人下注則由按鈕左邊第一位先亮
}。
rules-holdem-odd = 底池平分有餘的籌碼{ $odd ->
    [first] 全歸按鈕左邊第一位贏家
   *[each] 從按鈕左邊起依次每位贏家一枚
}。
rules-holdem-pot = { $pot ->
    [no] 不顯示底池總數。
   *[yes] 顯示底池總數。
}
rules-holdem-score = 每手的成績是輸贏的籌碼數，與同方位拿同樣牌的選手比較。
rules-holdem-time = 用時：每次決定 { $decide } 秒，再倒數 { $countdown } 秒。逾時面對下注則棄牌；可以過牌時{ $free ->
    [dead] 也作棄牌（死牌）
   *[check] 按過牌處理
}。
