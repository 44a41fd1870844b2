# 规则页：每个游戏的规则逐条说明，数值取自所用的规则集。
rules-list = { $before }、{ $thing }
rules-title = 比赛规则
rules-link = 规则
rules-read = 阅读全部规则
rules-print = 打印
rules-hash = 规则指纹（SHA-256）
rules-base = 本规则以 { $base } 为基础，下列各条有改动：
rules-plain = 与所附的规则集 { $base } 完全相同。
rules-was = 原规则
rules-now = 本场规则
rules-none = （无此条）
rules-fields = 改动的字段
rules-field = 字段
rules-penalties = 规则集规定的处罚
rules-big-points = 大分表

rules-wakeng-aim = 三人打牌，每人 16 张，底牌 4 张。叫分最高者为庄家，一人对两名防守方；先出完牌的一方获胜。
rules-wakeng-order = 牌从大到小：{ $weakest ->
    [3] 2 A K Q J 10 9 8 7 6 5 4 3
    [2] A K Q J 10 9 8 7 6 5 4 3 2
   *[other] 3 2 A K Q J 10 9 8 7 6 5 4
}；花色不分大小。
rules-wakeng-sets = 可出单牌、对子、三条、四条；一律不带牌。
rules-wakeng-runs = 连牌从 { $weakest } 起，最大到 { $top }，点数须相连，不能首尾相接。
rules-wakeng-run-singles = { $fewest ->
    [0] 单牌没有连牌。
   *[other] 单牌连牌 { $fewest } 张起。
}
rules-wakeng-run-pairs = { $fewest ->
    [0] 对子没有连牌。
   *[other] 对子连牌 { $fewest } 连对起。
}
rules-wakeng-run-triples = { $fewest ->
    [0] 三条没有连牌。
   *[other] 三条连牌 { $fewest } 组起。
}
rules-wakeng-run-quads = { $fewest ->
    [0] 四条没有连牌。
   *[other] 四条连牌 { $fewest } 组起；四条连牌不是炸弹。
}
rules-wakeng-quad = { $quad ->
    [plain] 四条不是炸弹，只能压更小的四条，得分不加倍（炸弹倍数 { $factor }、计数上限 { $cap ->
        [none] 无
       *[other] { $cap } 个
    }，本规则不用）。
   *[bomb] 炸弹（四条）可压任何非炸弹牌型和更小的炸弹，每出一个炸弹，本副得分乘以 { $factor }；{ $cap ->
        [none] 炸弹个数不封顶
       *[other] 最多计 { $cap } 个炸弹
    }。
}
rules-wakeng-show-before = { $there ->
    [no] 叫分前不明牌。
   *[yes] 叫分前三家各自选择是否明牌，三家都选定后同时公开。
}
rules-wakeng-speaker = 手牌中最小的{ $suit ->
    [S] 黑桃
    [D] 方块
    [C] 梅花
   *[H] 红心
}牌的持有者首先叫分：从{ $suit ->
    [S] 黑桃
    [D] 方块
    [C] 梅花
   *[H] 红心
} { $weakest } 找起，在底牌中则看下一张。
rules-wakeng-bid = 逆时针每人叫一次：不叫、1、2 或 3 分，须高于前面的叫分，叫 3 分即止。无人叫分为烂挖，由首先叫分者以 { $rotten } 分坐庄，不重新发牌。
rules-wakeng-bottom = 叫分结束后，四张底牌翻开给各家看，归庄家。
rules-wakeng-banker-show = { $there ->
    [no] 拿底牌后庄家不明牌。
   *[yes] 拿底牌后庄家可以明牌。
}
rules-wakeng-lead-card = 持{ $suit ->
    [S] 黑桃
    [D] 方块
    [C] 梅花
   *[H] 红心
} { $weakest } 者首攻（在底牌中则由庄家首攻）；牌型不限，不必含这张牌。
rules-wakeng-lead-speaker = 首先叫分者首攻，不论谁坐庄；牌型不限。
rules-wakeng-trick = 须出同牌型、同张数且更大的牌，或者不要（过牌）。连续两家不要则本圈结束，由最后出牌者引牌（首先出牌）；引牌者不能不要。
rules-wakeng-shown = { $there ->
    [no] 本规则没有明牌，明牌倍数（{ $factor }，{ $combine ->
        [product] 双方相乘
       *[max] 只计一次
    }）不用。
   *[yes] 有人明牌则得分乘以 { $factor }；{ $combine ->
        [product] 庄家与防守方都有明牌时，双方各计一次，相乘
       *[max] 不论几家明牌，只计一次
    }。
}
rules-wakeng-double = { $there ->
    [no] 本规则不加倍（倍数 { $factor } 不用）。
   *[yes] 打牌前各家可加倍（×{ $factor }），同时选定、同时公开；庄家加倍对两名防守方都有效。
}
rules-wakeng-score = 得分 = { $unit } × 叫分 × 炸弹 × 明牌 × 加倍，庄家与每名防守方分别结算。
rules-wakeng-time = 用时：明牌 { $show } 秒，叫分 { $bid } 秒，加倍 { $double } 秒，出牌 { $play } 秒。超时按不明牌、不叫、不加倍处理；引牌超时由系统出最小的单牌，其余按不要处理。

rules-tuolaji-aim = 四人打牌，对家为同伴，两副牌共 108 张，每人 25 张，底牌 8 张。庄家和级数由赛程规定；只有防守方抓分。
rules-tuolaji-draw = 由庄家起逆时针逐张摸牌，每张 { $pace } 秒；{ $order ->
    [stepped] 每摸一张后各家均可叫主，几家同时叫，以摸牌者之后最近的一家为准
   *[realtime] 叫主以先到者为准
}。
rules-tuolaji-call = 摸到级牌即可亮一张叫主，其花色为主；单张可被另一花色的一对级牌或无主反主，一对级牌只能被无主反主。
rules-tuolaji-no-trump = 叫无主须亮{ $jokers ->
    [any] 任意两张王
   *[equal] 两张相同的王
}；{ $opens ->
    [no] 无主只能用来反主，不能首先叫
   *[yes] 可以首先叫无主
}。
rules-tuolaji-barred = 打 { $levels } 时不得叫无主。
rules-tuolaji-none-barred = 打任何一级都可以叫无主。
rules-tuolaji-own-call = 不得反自己的主；{ $may ->
    [yes] 但可以把自己的单张加固为一对
   *[no] 也不得把自己的单张加固为一对
}。
rules-tuolaji-window = 摸完 100 张后留 { $window } 秒反主；{ $anew ->
    [no] 有人反主也不重新计时
   *[yes] 每次叫主、反主后重新计时
}。庄家拿底牌后不得再变。
rules-tuolaji-flip = 无人叫主则翻第一张底牌，其花色为主，翻到王为无主，此后不得反主；在不得叫无主的级翻到王时，{ $joker ->
    [next] 继续翻下一张，直到翻出有花色的牌
   *[stands] 同样打无主
}。
rules-tuolaji-lay-away = 庄家拿 8 张底牌，再从 33 张中任意扣下 8 张，只有庄家知道。
rules-tuolaji-trumps = 大小王、级牌和主花色的牌都是主；各副花色的级牌大小相同，先出者为大。
rules-tuolaji-lead = 首出可以是单张、对子、拖拉机，或同一门的甩牌；甩牌先按最长的连对划分拖拉机，首出者不能另行划分。
rules-tuolaji-follow = 有同门的牌必须跟：对子跟对子，拖拉机跟拖拉机；没有同样长的，跟次长的，再没有则跟对子。
rules-tuolaji-winner = 缺门可以毙牌，须与首出的牌型相符：对子毙对子，拖拉机毙拖拉机；只比其中最大的一种，一样大则先出者赢。
rules-tuolaji-throw = 甩牌的每一手在其他三家（包括同伴）手中都不能有更大的；否则只出被挡住的最小一手，被挡住的牌每张罚 { $penalty } 分。
rules-tuolaji-choice = 被挡住的不止一类时由下家选择：{ $choice ->
    [single-or-pair] 只在单张与对子中选，只有拖拉机被挡住时才出拖拉机
   *[any] 可选任何一类被挡住的牌
}；超时未选则出{ $late ->
    [smallest] 最小的一类
   *[largest] 最大的一类
}。
rules-tuolaji-attempt = 甩牌失败时，想甩的牌{ $shown ->
    [no] 不公开
   *[yes] 向各家公开
}。
rules-tuolaji-points = 5 计 5 分，10 和 K 各计 10 分，共 200 分，为小分。
rules-tuolaji-bottom = 防守方赢得最后一圈则抠底，底分加倍计入：单张 ×2，对子 ×4，两连对的拖拉机 ×8，每多一对再加倍；{ $shape ->
    [winner] 以赢得该圈的牌的牌型为准
   *[lead] 以该圈首出的牌型为准
}。
rules-points = 小分按大分表“{ $name }”折成大分：防守方 { $classes }；庄家方取相反数。
rules-points-below = 不足 { $min } 分 { $v }
rules-points-always = 一律 { $v }
rules-points-row = { $min } 分起 { $v }
rules-points-tail = { $from } 分以上每 { $step } 分再 { $add }
rules-points-no-tail = 以上不再增加
rules-points-cap = { $cap ->
    [0] 一副牌的大分不封顶。
   *[other] 一副牌的大分最多 { $cap } 分。
}
rules-points-awards = 无系统的桌上由裁判员判给：首攻后发现牌张数目有误，对方得 { $misdeal } 大分；藏张发现过晚，对方得 { $concealed } 大分。
rules-points-forfeit = 弃权一轮：对方得小分 { $small }、大分 { $big }，本方小分 0，大分取相反数。
rules-tuolaji-time = 用时：出牌 { $play } 秒，扣底 { $bottom } 秒；甩牌后的选择 { $choice } 秒，到时由系统决定。
rules-tuolaji-slow = 出牌、扣底超过上述时间为慢打，记入本副记录，裁判员可见：{ $counter ->
    [player-event] 每人全场
    [pair-round] 每对每轮
   *[player-round] 每人每轮
}第一次警告，以后每次罚 { $penalty } 小分，由裁判员执行。
rules-tuolaji-automatic = 慢打后再过 { $extra } 秒，由系统自动出牌：分数最少、级别最低的合法出法。
rules-tuolaji-round = 每轮限时 { $minutes } 分钟；主办方另有规定的从其规定。

rules-holdem-aim = 无限注德州扑克：每人两张手牌，五张公共牌，取最好的五张。
rules-holdem-stacks = { $seats } 人桌，每手开始时各有筹码 { $stack }，最小筹码 { $unit }。
rules-holdem-blinds = 盲注 { $small } 和 { $big }。
rules-holdem-ante-none = 没有前注。
rules-holdem-ante-all = 每人先下前注 { $ante }。
rules-holdem-ante-bb = 大盲位替全桌下前注 { $ante }。
rules-holdem-blind-ante = 大盲位同时替全桌下前注而筹码不足时，先下{ $first ->
    [ante] 前注
   *[blind] 盲注
}。
rules-holdem-raise = 加注幅度不得小于前一次，数额一律是本轮的总额。
rules-holdem-limit = { $preflop ->
    [pot] 翻牌前为底池限注：下注或加注不得超过跟注之后的底池。翻牌起可下至全部筹码。
   *[none] 下注或加注最多可到全部筹码。
}
rules-holdem-short = 几次全下都不足一个完整加注时，{ $short ->
    [alone] 各自单独计算，已行动者不能因此再加注
   *[add-up] 累计达到一个完整加注，已行动者即可再加注
}。
rules-holdem-all-in = 有人全下且下注结束后，{ $cards ->
    [turn] 发完公共牌再依次亮牌
   *[up] 未弃牌者立即全部亮牌，不得盖牌
}。
rules-holdem-show = 无人全下时，{ $show ->
    [left] 由按钮左边第一位未弃牌者先亮牌
   *[aggressor] 由最后一轮最后下注或加注者先亮牌；无人下注则由按钮左边第一位先亮
}。
rules-holdem-odd = 底池平分有余的筹码{ $odd ->
    [first] 全归按钮左边第一位赢家
   *[each] 从按钮左边起依次每位赢家一枚
}。
rules-holdem-pot = { $pot ->
    [no] 不显示底池总数。
   *[yes] 显示底池总数。
}
rules-holdem-score = 每手的成绩是输赢的筹码数，与同方位拿同样牌的选手比较。
rules-holdem-time = 用时：每次决定 { $decide } 秒，再倒数 { $countdown } 秒。超时面对下注则弃牌；可以过牌时{ $free ->
    [dead] 也作弃牌（死牌）
   *[check] 按过牌处理
}。
