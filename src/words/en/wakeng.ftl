# Reasons for refusing an action of wakeng.
wakeng-wrong-phase = { $phase ->
    [show] Not now: everybody is choosing whether to show.
    [bid] Not now: the bidding is on.
    [banker-show] Not now: the banker is choosing whether to show.
    [double] Not now: everybody is choosing whether to double.
    [play] Not now: cards are being played.
   *[over] The board is over.
 }
wakeng-not-a-combination = { $cards } is not a combination: play one to four cards of one rank, or a run that the rules allow.
wakeng-does-not-beat = { $cards } does not beat { $last }: play a higher combination of the same type and length, or pass.
wakeng-leader-cannot-pass = You lead this trick and cannot pass: play any combination.
wakeng-bid-too-low = The highest bid is { $highest }: bid more, or bid 0 for no bid.
