# AI 牌手：fushi match
players-match = { $level } 對 { $against }：勝率 { $rate } %，95 % 信賴區間 { $low } 至 { $high } %
players-match-counts = { $boards } 副牌，{ $comparisons } 次比較：勝 { $won }，平 { $tied }，負 { $lost }；得分差 { $points }
players-match-better = { $level } 更強
players-match-open = 差別不顯著：請增加牌副數
