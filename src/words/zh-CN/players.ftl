# AI 牌手：fushi match
players-match = { $level } 对 { $against }：胜率 { $rate } %，95 % 置信区间 { $low } 至 { $high } %
players-match-counts = { $boards } 副牌，{ $comparisons } 次比较：胜 { $won }，平 { $tied }，负 { $lost }；得分差 { $points }
players-match-better = { $level } 更强
players-match-open = 差别不显著：请增加牌副数
