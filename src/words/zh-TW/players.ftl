# 電腦選手：fushi match
players-match = { $level }對{ $against }：勝率 { $rate } %，95 % 置信區間 { $low } 至 { $high } %
players-match-counts = { $boards } 副牌，{ $comparisons } 次比較：勝 { $won }，平 { $tied }，負 { $lost }；得分差 { $points }
players-match-better = { $level }更強
players-match-open = 沒有顯著差別：95 % 信賴區間包含勢均力敵（50 %），請多打幾副
players-match-two = 對陣需要兩個級別：請寫 --levels { $levels }
players-match-same = 對陣需要兩個不同的級別：{ $level }對自己，每副都是平局
