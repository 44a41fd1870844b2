//! The tables as Diesel sees them. `migrations/` is what creates them; the store's tests read and write every
//! column, so the two cannot drift apart unseen.

diesel::table! {
    events (id) {
        id -> Text,
        game -> Text,
        settings -> Text,
        state -> Text,
        created_us -> BigInt,
    }
}

diesel::table! {
    announcements (event_id) {
        event_id -> Text,
        body -> Text,
        hash -> Binary,
        delayed -> Nullable<Text>,
        published_us -> BigInt,
    }
}

diesel::table! {
    sealed_keys (event_id, name) {
        event_id -> Text,
        name -> Text,
        sealed -> Binary,
    }
}

diesel::table! {
    entrants (event_id, id) {
        event_id -> Text,
        id -> Text,
        position -> BigInt,
        name -> Text,
        level -> Nullable<Text>,
    }
}

diesel::table! {
    boards (event_id, set_id, number) {
        event_id -> Text,
        set_id -> Text,
        number -> BigInt,
        state -> Text,
    }
}

diesel::table! {
    plays (id) {
        id -> BigInt,
        event_id -> Text,
        set_id -> Text,
        number -> BigInt,
        round -> BigInt,
        table_number -> BigInt,
        seating -> Text,
    }
}

diesel::table! {
    journal (play_id, seq) {
        play_id -> BigInt,
        seq -> BigInt,
        at_us -> BigInt,
        body -> Text,
        hash -> Binary,
    }
}

diesel::table! {
    checkpoints (event_id, number) {
        event_id -> Text,
        number -> BigInt,
        body -> Text,
        signature -> Binary,
    }
}

diesel::table! {
    rulings (event_id, number) {
        event_id -> Text,
        number -> BigInt,
        at_us -> BigInt,
        body -> Text,
        hash -> Binary,
    }
}

diesel::table! {
    revisions (event_id, number) {
        event_id -> Text,
        number -> BigInt,
        at_us -> BigInt,
        body -> Text,
        signature -> Binary,
    }
}

diesel::table! {
    results (play_id, entrant) {
        event_id -> Text,
        play_id -> BigInt,
        entrant -> Text,
        body -> Text,
    }
}

diesel::table! {
    standings (event_id, position) {
        event_id -> Text,
        position -> BigInt,
        entrant -> Text,
        body -> Text,
    }
}

diesel::table! {
    audit (id) {
        id -> BigInt,
        event_id -> Nullable<Text>,
        at_us -> BigInt,
        who -> Text,
        act -> Text,
        reason -> Text,
        details -> Text,
    }
}

diesel::allow_tables_to_appear_in_same_query!(plays, journal);
