# The desk: organizers, check-in, floor, projector.
org-nav = Desk
org-home = Your events
org-new = New event
org-new-lead = Choose the game and give it a name. Everything else has a usual value that you see, and can change, on the next page.
org-new-make = Create the event
org-none = You have no event yet.
org-none-how = “New event” leads you from the game to the first round.
org-none-wait = An organizer has to create one, or give you a role in one.
org-open = Open
org-next = What comes next
org-next-enter = Enter the players
org-next-announce = Announce
org-next-lock = Draw the seats
org-next-run = Run the event
org-next-official = Publish official results
org-next-final = Reveal the keys, final results
org-next-proof = Hand out the proof
org-entrants = { $count ->
    [0] No entrants yet
    [one] { $kind ->
        [pairs] 1 pair
       *[other] 1 player
    }
   *[other] { $count } { $kind ->
        [pairs] pairs
       *[other] players
    }
 }
org-about-wakeng = Three at a table, one against two.
org-about-tuolaji = Four at a table, two packs, partners opposite.
org-about-holdem = Six at a table, no limit, equal stacks on every board.
org-tabs = Parts of the event
org-tab-event = Overview
org-tab-settings = Settings
org-tab-entries = Entries
org-tab-notice = Notice
org-tab-slips = Seat slips
org-tab-checkin = Check-in
org-tab-floor = Floor
org-steps = The way of the event
org-step-done = done
org-step-enter = Entries
org-step-announce = Announce
org-step-lock = Draw
org-step-slips = Slips and start
org-step-play = Play
org-step-publish = Results
org-step-reveal = Proof
org-why-next-enter = Who plays? Paste the list from a spreadsheet, or add people one by one.
org-why-next-announce = The entries are in. Announcing fixes the deals, so that nobody can choose them any more.
org-why-next-delayed = The deals wait for the public value that was announced. Enter it as soon as it is published.
org-why-next-lock = Everybody is entered? Then draw the seats. Entries are closed by that.
org-why-next-slips = Seats are drawn. Print a slip with a code for every player.
org-why-next-start = Everything is ready. Players who sit down now see the round as soon as you start it.
org-why-next-watch = The event is in play. The floor shows every table, those that need you first.
org-why-next-publish = Every board is over. Publish the results.
org-why-next-final = The keys are revealed. When the time for appeals has passed, the results become final.
org-why-next-reveal = The results stand. Reveal the keys, so that anybody can check every deal.
org-why-next-proof = All is done. With this file anybody can check the event on an own computer.
org-not-you = Your role cannot do this step: the organizer does.
org-reason = Reason, for the record
org-do-enter = Enter the players
org-do-announce = Announce the event
org-announce-1 = Game, rules, format, number of boards and scoring are fixed: they can never be changed afterwards.
org-announce-2 = All deals are fixed and sealed. Print their fingerprint (SHA-256) and put it on the notice board.
org-announce-3 = The event becomes public. Players can still be entered until the seats are drawn.
org-announce-4 = This cannot be undone.
org-do-delayed = Enter the public value
org-delayed-value = Public value
org-delayed-once = It is entered once and never changed: compare it twice.
org-do-lock = Draw the seats
org-lock-1 = Entries close with { $count ->
    [one] { $kind ->
        [pairs] 1 pair
       *[other] 1 player
    }
   *[other] { $count } { $kind ->
        [pairs] pairs
       *[other] players
    }
 }.
org-lock-2 = Seats, tables and rounds are drawn with a recorded seed that anybody can repeat.
org-lock-3 = This cannot be undone. Whoever is missing later is a matter for the referee.
org-do-slips = Print the seat slips
org-do-start = Start round { $round }
org-do-start-event = Start the event
org-start-rounds = Tables open as soon as their players are connected; clocks run from then on.
org-start-own = Every player begins when ready.
org-start-missing = { $count ->
    [one] { $kind ->
        [pairs] 1 pair has
       *[other] 1 player has
    }
   *[other] { $count } { $kind ->
        [pairs] pairs have
       *[other] players have
    }
 } not checked in. Tables wait a while and then begin.
org-do-watch = Watch the floor
org-do-pause = Pause everything
org-do-go = Go on
org-pause-what = Every clock stands and nobody can play until you let them go on.
org-why-pause = A break
org-why-go = The break is over
org-do-finish = End play
org-finish-1 = Boards that are not over count as not played. Players cannot go on.
org-finish-2 = This cannot be undone.
org-why-finish = Time is up
org-do-provisional = Publish provisional results
org-do-official = Publish official results
org-do-final = Declare the results final
org-publish-provisional = Everybody sees the results as provisional: protests are possible.
org-publish-official = Everybody sees the results as official. They never go back to provisional.
org-publish-final = The event is closed. Only the chief referee can still correct something.
org-publish-signed = The publication is signed and numbered; a later correction is a new number.
org-why-publish = All boards are over
org-do-reveal = Reveal the keys
org-reveal-1 = Everybody can then see every deal and check it against the notice.
org-reveal-2 = This cannot be undone.
org-why-reveal = The event is over
org-do-freeze = Hide standings from the public
org-do-thaw = Show standings again
org-freeze-what = Nobody outside the desk sees standings until you show them again.
org-thaw-what = Everybody sees the standings again.
org-why-freeze = Suspense until the ceremony
org-why-thaw = The ceremony is over
org-do-bundle = Download the proof
org-play = Play
org-progress = Boards that are over
org-progress-line = Boards played: { $played } of { $plays }. Players connected: { $connected }.
org-progress-cut = Boards played: { $played } of { $plays }; { $cut } ended without being played out. Players connected: { $connected }.
org-projector = Projector page
org-results = Results
org-files = Files
org-file-ranking = Ranking
org-file-cross = Cross-table
org-file-results = All results, for “fushi rank”
org-rank-again = Saved under that name, all results give the same places with:
org-file-bundle = Proof of the whole event, for “fushi verify”
org-file-keys = Revealed keys
org-players = Players
org-came-line = Checked in: { $came } of { $persons }
org-sooner = Announce first
org-sooner-why = You can announce before anybody has entered, for example to publish the notice early.
org-sooner-start = Without slips
org-sooner-start-why = Everybody has a seat already? Then start.
org-back = Back to the overview
org-print = Print
org-notice-title = Notice: these deals are fixed
org-notice-what = Before anybody played, all deals of this event were sealed. This is their fingerprint (SHA-256). After the event the keys are published, and anybody can check that no card was changed.
org-notice-qr = QR code of the fingerprint
org-notice-check = Take a picture: you can compare it later.
org-notice-checkpoint = Hang up the newest one now and then, at the latest after each round: with it anybody can check later that nothing was written anew (fushi verify --checkpoint).
org-notice-file = The announced text
org-slips-title = Seat slips
org-slips-what = Every player gets a slip with a code. Whoever scans it, or types the code, sits down. Codes are shown only now: print them at once.
org-slips-again = Slips have been made before. New ones make unused old codes invalid; players who are seated stay seated.
org-slips-whom = For whom
org-slips-all = Everybody
org-slips-make = Make the slips
org-slips-none = Only computer players have entered: nobody needs a slip.
org-slips-none-how = Go back to the overview and start.
org-slips-over = The event is over: no seat is taken any more.
org-checkin-title = Check-in
org-checkin-rules = Checking in says: this player has read and accepts the rules ({ $ruleset }). Players who sit down on their own device check in by themselves.
org-checkin-who = Number, name or scanned slip
org-checkin-hint = Type and press Enter. A hand scanner types the slip’s QR code by itself.
org-checkin-none = Nobody has to check in: there are no persons among the entrants.
org-checkin-over = Check-in is closed.
org-paste = Paste a list
org-paste-list = List from a spreadsheet
org-paste-hint = One player per line. A column of names is enough; number, club and region may stand beside it. Headings are noticed.
org-paste-hint-pairs = One pair per line, the partners in two columns or with a slash between them; number, club and region may stand beside them.
org-paste-like =
    Chen Yu
    Li Na
    Wang Wei
org-paste-like-pairs =
    Chen Yu / Li Na
    Wang Wei / Zhao Lei
org-paste-check = Check the list
org-single = Add one
org-single-name = Name
org-single-first = First partner
org-single-partner = Second partner
org-single-level = Who plays
org-single-person = A person
org-single-add = Add
org-list-none = Nobody has entered yet.
org-list-none-how = Paste a list above.
org-search = Search
org-search-none = Nobody matches.
org-col-number = No.
org-col-name = Name
org-col-id = Id
org-withdraw = Withdraw
org-why-withdraw = Asked to withdraw
org-entries-done = All are entered: go on
org-entries-closed = The seats are drawn: entries are closed.
org-settings-lead = These are usual values: you can just go on. What you change is saved at once, and the preview follows.
org-settings-fixed = The event is announced: deals, rules and format are fixed. Pace and times can still be changed.
org-settings-next = Go on: enter the players
org-settings-saved-where = “{ $title }” is kept as a draft that only the desk sees.
org-why-settings = Fits the hall better
org-save = Save
org-more = More settings
org-preview = Preview
org-preview-expected = How many players (or pairs) do you expect?
org-preview-wait = One moment…
org-field-game = Game
org-field-title = Name of the event
org-field-title-hint = As players and spectators see it.
org-field-format = Format
org-format-individual = Players meet each other at the tables and change places. For an evening at the club.
org-format-pairs = Two partners play together against other pairs.
org-format-human-ai = Every player sits alone with computer players and gets the same cards as everybody else.
org-field-seat = Seat of the players
org-field-seat-hint = All players take this seat.
org-field-boards = Boards
org-field-boards-hint = How many deals everybody plays.
org-field-per-round = Boards per round
org-field-per-round-hint = How many boards make a round. Shorter where it could not be fair otherwise.
org-field-ruleset = Rules
org-field-ruleset-hint = Variants of the game’s rules.
org-own-rules = Rules of your own
org-own-rules-text = Ruleset file
org-own-rules-hint = Name the shipped rules as base and write only what differs, or every field. With a name of its own it is called so; without one the shipped name and a hash.
org-own-rules-open = Open a file
org-own-rules-use = Use these rules
org-field-level = Computer players
org-field-level-hint = They sit with the players where the format says so, and fill empty seats. 1 is quick, 2 is stronger.
org-field-fill = When a table is not full
org-field-fill-hint = So that the numbers come out even.
org-fill-stand-in = Computer players fill in: everybody plays every board
org-fill-bye = Some sit out a round in turn
org-field-pace = Pace
org-field-pace-hint = Together round by round, or each at an own pace.
org-pace-rounds = Round by round, you start each
org-pace-own = Everybody at an own pace
org-field-minutes = Minutes per round
org-field-minutes-hint = 0: no limit. Boards not begun by then are not played.
org-field-auto = Next round
org-field-auto-hint = When all tables have finished a round.
org-auto-no = I start it
org-auto-yes = It starts by itself
org-field-late = Wait for late players, seconds
org-field-late-hint = Then the table begins without them.
org-field-between = Between two boards, seconds
org-field-between-hint = To see the result.
org-field-delay = Computer thinks, seconds
org-field-delay-hint = At least, so that people can follow.
org-field-grace = Lost connection, seconds
org-field-grace-hint = More time, once a board.
org-field-reserve = Reserve boards
org-field-reserve-hint = Dealt and kept back, in case a board has to be replaced.
org-field-language = Language of the event
org-field-language-hint = For everybody who chose none.
org-field-delayed = Public value drawn later (may stay empty)
org-field-delayed-hint = For example “the three-digit lottery of 5 May”. It goes into the deals, so that even you cannot know them. Where it is published, for people.
org-field-digits = Digits
org-field-digits-hint = 0: any number of them.
org-field-after = Known after
org-field-after-hint = It cannot be entered before.
org-floor-title = Floor
org-floor-waits = The floor opens when the public value is entered.
org-floor-only = Only tables that need somebody
org-floor-find = Table or player
org-floor-no-orders = You can watch. Orders at tables are for referees.
org-floor-none = No open table here. A table opens as soon as its players are connected.
org-damaged = Board { $board } at table { $table }: its record is damaged. It counts as not played until it is ruled.
org-order-give-what = Give time
org-order-seat = Seat
org-order-seconds = Seconds
org-order-give = Give time
org-order-more = Use with care
org-order-end-what = Ending a board: it counts as not played unless you rule otherwise. This cannot be undone.
org-order-end = End the board
org-order-look-what = Looking into the hands: your name and the reason go into the board’s record, where everybody reads them later.
org-order-look = Look into all hands
org-seats-title = Seats
org-seats-now = Round { $round }: in play
org-seats-next = Round { $round }: take your seats
org-seats-table = Table { $table }
org-seats-bye = sits out
org-seats-undrawn = The seats are not drawn yet.
org-seats-over = All rounds are over. Thank you!
org-qr-long = A QR code holds one short text: send up to 200 texts of up to 500 characters.
org-checkin-all = Check in everybody else
org-checkin-all-what = Everybody who is still missing counts as present and as having read and accepted the rules. Single check-ins can be taken back.
org-slips-here-only = This page was opened at an address that only this machine understands. Open it at the server’s address in the hall’s network (or set “public_url”) before printing: otherwise the codes lead nowhere.
org-warn = Warn a player
org-warn-who = Player
org-warn-code = For what
org-warn-do = Warn
org-warn-late = Coming late
org-warn-slow = Playing slowly
org-warn-talking = Talking about a board
org-warn-exposed = Showing cards
org-warn-device = Using a device or notes
org-warn-conduct = Conduct
org-warn-other = Another reason
org-why-next-official = The provisional results are out. When the time for appeals is over, make them official.
org-public = The public page with the standings
org-tab-start-list = Start list
org-start-list = Start list
org-start-list-round = places in round { $round }
org-start-list-undrawn = After the draw, tables and seats stand here, too.
org-col-origin = Club, region
org-col-table = Table
org-col-seat = Seat
org-single-club = Club
org-single-region = Region
org-forever = Cannot be undone
org-forever-sure = I have checked this and want it.
org-correct = Correct
org-correct-what = Only how it is written changes: numbers, seats, results and the draw stay. It is logged; whoever errs corrects again.
org-why-correct = Written wrong
org-field-host = Held by
org-field-host-hint = The club or association; it stands on the notice.
org-notice-host = Held by
org-notice-date = Announced
org-notice-game = Game
org-notice-rules = Rules
org-notice-format = Format
org-notice-boards = Boards
org-notice-boards-value = { $boards }, and { $reserve } in reserve
org-notice-scoring = Scoring
org-notice-fingerprint = Fingerprint of the deals (SHA-256)
org-notice-sign-host = For the organizer (signature)
org-notice-sign-referee = Chief referee (signature)
org-notice-sign-date = Date
org-offices = Organizer and referee
org-offices-apart = Organizers of this event cannot rule or give orders at its tables, even with a referee’s role.
org-offices-joint = One account may be organizer and referee of this event. Its public page says so.
org-offices-join = Allow both in one account
org-offices-part = Keep them apart
org-offices-what = The event’s public page says so from now on, and the log keeps it. It gives nobody a role: only who has both roles has the rights of both.
org-offices-back = Whoever has both roles is an organizer only from now on.
org-why-offices = There is one person for both
org-offices-self = Be the chief referee yourself
org-offices-self-what = Your account becomes chief referee of this event, too. What you rule and order stands in the log under your name.
org-one-account = Organizer and referee may be one person
org-next-publish = Publish the results
org-field-absent = Stand-in for an empty seat after, seconds
org-field-absent-hint = At the players’ own pace: a computer player decides for a seat that nobody has taken for so long; whoever comes has it from the next board on. 0: the seat is waited for.
