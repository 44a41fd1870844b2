# text: lists as delimited text: encodings, delimiters, quotation marks, sizes.
text-read-as = Caution: the file is not UTF-8; it was read as { $encoding }. Look at the names.
text-broken-utf16 = this UTF-16 text breaks off in the middle of a character: save it as “CSV UTF-8”
text-unknown-encoding = this is no text in UTF-8, UTF-16, GB18030 or Big5: save it as “CSV UTF-8”
text-open-quote = a quotation mark opened here is never closed: the file may be cut off
text-stray-quote = a quotation mark stands inside a field: write it twice and quote the whole field
text-delimiter = the fields are separated by “{ $separator }”: use commas, semicolons or tabs
text-too-large = the text has more than { $limit } bytes: divide it
text-too-many-rows = there are more than { $limit } rows: divide the list
text-too-many-fields = this line has more than { $limit } fields: look for a quotation mark or a line end that is missing
text-unreadable = this line cannot be read as CSV
