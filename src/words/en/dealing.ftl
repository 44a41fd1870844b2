# What can be wrong with announcements, keys, proofs and seeds.
dealing-not-hex =
    { $what ->
        [master-key] The master key
        [set-key] The set key
        [salt] The salt
        [ai-key] The AI key
        [hash] A hash
       *[other] { $what }
    } must be exactly 64 hexadecimal digits 0-9 a-f in lower case, without blanks; this has { $length } characters.
dealing-bad-id = { $what } is no identifier: use 1 to 64 of the characters A-Z a-z 0-9 . _ -
dealing-bad-seed = The seed is blank or longer than 1024 bytes: give 64 hexadecimal digits or a short text.
dealing-not-an-announcement = This is not an announcement: { $detail }
dealing-not-canonical = The announcement is not in its canonical text: use the published file without changing a byte.
dealing-wrong-scheme = The announcement uses the scheme “{ $found }”: this program knows fushi-deal/1.
dealing-bad-field = The announcement's field “{ $field }” is not allowed as it stands: see docs/deal-spec.md for its form.
dealing-no-sets = An announcement needs 1 to 10000 board sets.
dealing-set-twice = Set { $set } is named twice: name every set once.
dealing-bad-range = The range of set { $set } is empty: boards are numbered from 1, and the first must not come after the last.
dealing-delayed-too-early = The delayed value would be known when the announcement is published: choose a later instant.
dealing-unknown-set = The announcement has no set “{ $set }”.
dealing-board-outside-set = Set { $set } has no board { $board }: it has { $first } to { $last }.
dealing-delayed-missing = The event has a delayed value: give it.
dealing-delayed-unannounced = The event announced no delayed value: give none.
dealing-delayed-empty = The delayed value is empty: give the published value.
dealing-delayed-long = The delayed value is too long: at most { $longest } characters.
dealing-delayed-length = The delayed value has { $found } characters, { $wanted } are announced: copy it as it was published.
dealing-delayed-character = A delayed value of the form “{ $form }” cannot contain “{ $character }”.
dealing-wrong-key = The key of set { $set } is not the announced one: key, salt and proof do not lead to the announced root.
dealing-wrong-ai-key = The key of the AI players is not the announced one.
dealing-no-draw = The announcement commits to no key of draws.
dealing-wrong-draw-key = The key of the draws is not the announced one.
dealing-wrong-master = The master key is not the one behind this announcement.
dealing-no-reason = Reserve set { $set } needs a logged reason, one line of at most 500 characters.
dealing-not-a-reserve = Set { $set } is no reserve set: it needs no reason.
dealing-seed-width = The seed has { $given } bits: this pack takes { $wanted }, because its orders need { $order }.
dealing-weak-passphrase = The passphrase must have 8 to 1024 bytes.
dealing-bad-key-file = The key file has { $found } bytes: it must have exactly 32 random bytes.
dealing-bad-sealed-key = The sealed key is damaged: restore it from a copy.
dealing-sealed-format = The sealed key has the format “{ $found }”: this program knows fushi-sealed-key/1.
dealing-wrong-event = The sealed key belongs to the event “{ $found }”.
dealing-wants-passphrase = This key was sealed with a passphrase: give the passphrase.
dealing-wants-key-file = This key was sealed with a key file: give the key file.
dealing-wrong-secret = The key cannot be opened: wrong passphrase or key file, or the sealed key was changed.
dealing-no-randomness = The operating system gave no random bytes: try again.
