# desk
demo-heading = { $title } · { $game } ({ $ruleset }) · { $format } · { $entrants ->
    [one] { $entrants } entrant
   *[other] { $entrants } entrants
} × { $boards ->
    [one] { $boards } board
   *[other] { $boards } boards
}
demo-seed = seed
demo-table = table of big points
demo-announcement = announcement
demo-published = published
demo-delayed = delayed value
demo-played = { $journals ->
    [one] { $journals } board
   *[other] { $journals } boards
} at tables, { $entries ->
    [one] { $entries } action
   *[other] { $entries } actions
}
demo-ranking = Ranking by { $method }
demo-rank = rank
demo-entrant = entrant
demo-id = id
demo-level = plays like
demo-average = average
demo-boards = boards
demo-decided = decided by
demo-crosstab = Cross-tabulation: raw score and value per board
demo-more = … and { $count } more: --format json lists everybody
demo-revealed = Revealed keys
demo-set = set { $set }
demo-ai-key = AI key
demo-bundle = bundle
demo-database = database
demo-database-gone = temporary, removed (--output keeps it)
demo-next = Check it yourself:
demo-playing = playing
demo-publishing = ranking and publishing
demo-group = Stage { $stage }, group { $group }
demo-round-points = round points
demo-net = net
demo-step-round-points = round points
demo-step-net = net points
demo-step-direct = direct encounter
demo-step-lot = lot
demo-step-shared = shared place
