# Sentences of scripts on every page. No sentence here may choose by a variable.
js-offline = The server cannot be reached: check the connection and try again.
js-unexpected = The server answered in a way this page does not understand: reload the page.
js-empty = Fill in every field.
js-logged-out = You are logged out.
js-wait-seconds = Try again in { $seconds } seconds.
js-passwords-differ = The two passwords are not the same.
js-set-up = The account of the chief organizer exists now, and you are logged in.
js-fault-bad-name = The name to log in with has 2 to 40 characters of a–z, 0–9, dot, underscore and hyphen, and begins with a letter or digit.
js-fault-bad-display = The name for people has 1 to 100 characters and no blanks at its ends.
js-fault-weak-password = The password is too short or too easy to guess: take a longer one that does not contain your name.
js-seat-open = Back to the table: { $title }
js-device-kept = This device is enrolled for the event.
