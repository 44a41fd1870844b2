# rank
