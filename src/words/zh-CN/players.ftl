# 电脑选手：fushi match
players-match = { $level }对{ $against }：胜率 { $rate } %，95 % 置信区间 { $low } 至 { $high } %
players-match-counts = { $boards } 副牌，{ $comparisons } 次比较：胜 { $won }，平 { $tied }，负 { $lost }；得分差 { $points }
players-match-better = { $level }更强
players-match-open = 没有显著差别：95 % 置信区间包含势均力敌（50 %），请多打几副
players-match-two = 对阵需要两个级别：请写 --levels { $levels }
players-match-same = 对阵需要两个不同的级别：{ $level }对自己，每副都是平局
