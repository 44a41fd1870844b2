# journal
