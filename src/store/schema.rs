//! The tables as Diesel sees them. `migrations/` is what creates them; the store's tests read and write every
//! column, so the two cannot drift apart unseen.

diesel::table! {
    events (id) {
        id -> Text,
        game -> Text,
        settings -> Text,
        state -> Text,
        created_us -> BigInt,
        one_account -> Bool,
        number -> BigInt,
    }
}

diesel::table! {
    event_journal (event_id, seq) {
        event_id -> Text,
        seq -> BigInt,
        at_us -> BigInt,
        wall_us -> BigInt,
        body -> Text,
        hash -> Binary,
    }
}

diesel::table! {
    event_clocks (event_id) {
        event_id -> Text,
        at_us -> BigInt,
    }
}

diesel::table! {
    words (hash) {
        hash -> Binary,
        #[sql_name = "words"]
        words_ -> Text,
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
        club -> Nullable<Text>,
        region -> Nullable<Text>,
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

diesel::table! {
    commands (play_id, seat, command) {
        play_id -> BigInt,
        seat -> BigInt,
        command -> Text,
        at_us -> BigInt,
        text -> Text,
        body -> Binary,
        answer -> Text,
    }
}

diesel::table! {
    incidents (event_id, entrant, member, kind, play_id) {
        event_id -> Text,
        entrant -> Text,
        member -> BigInt,
        kind -> Text,
        play_id -> BigInt,
        count -> BigInt,
        first_us -> BigInt,
        last_us -> BigInt,
    }
}

diesel::table! {
    refusals_counted (play_id, seat) {
        play_id -> BigInt,
        seat -> BigInt,
        count -> BigInt,
        first_us -> BigInt,
        last_us -> BigInt,
    }
}

diesel::table! {
    calls (play_id, line) {
        play_id -> BigInt,
        line -> BigInt,
        seat -> BigInt,
        command -> Text,
        called_us -> BigInt,
        seen_us -> Nullable<BigInt>,
        seen_by -> Nullable<Text>,
        done_us -> Nullable<BigInt>,
        done_by -> Nullable<Text>,
    }
}

diesel::allow_tables_to_appear_in_same_query!(plays, journal);
diesel::allow_tables_to_appear_in_same_query!(plays, calls);

diesel::table! {
    accounts (id) {
        id -> Text,
        name -> Text,
        display -> Text,
        password -> Text,
        grants -> Text,
        created_us -> BigInt,
        disabled -> BigInt,
        failures -> BigInt,
        locked_until_us -> BigInt,
    }
}

diesel::table! {
    sessions (id) {
        id -> Text,
        token_hash -> Binary,
        account_id -> Text,
        address -> Text,
        created_us -> BigInt,
        expires_us -> BigInt,
        revoked_us -> Nullable<BigInt>,
    }
}

diesel::table! {
    server_values (name) {
        name -> Text,
        value -> Text,
    }
}

diesel::table! {
    answered (scope, key) {
        scope -> Text,
        key -> Text,
        request_hash -> Binary,
        at_us -> BigInt,
        answer -> Nullable<Binary>,
    }
}

diesel::table! {
    seat_codes (code_hash) {
        code_hash -> Binary,
        event_id -> Text,
        entrant -> Text,
        member -> BigInt,
        created_us -> BigInt,
        used_us -> Nullable<BigInt>,
        revoked_us -> Nullable<BigInt>,
    }
}

diesel::table! {
    seat_tokens (token_hash) {
        token_hash -> Binary,
        event_id -> Text,
        entrant -> Text,
        member -> BigInt,
        kind -> Text,
        device -> Nullable<Text>,
        created_us -> BigInt,
        revoked_us -> Nullable<BigInt>,
    }
}

diesel::table! {
    checkins (event_id, entrant) {
        event_id -> Text,
        entrant -> Text,
        at_us -> BigInt,
        by_whom -> Text,
        rules_hash -> Binary,
    }
}

diesel::table! {
    networks (event_id, network) {
        event_id -> Text,
        network -> Text,
    }
}

diesel::table! {
    devices (event_id, id) {
        event_id -> Text,
        id -> Text,
        name -> Text,
        token_hash -> Binary,
        table_number -> Nullable<BigInt>,
        seat -> Nullable<Text>,
        enrolled_us -> BigInt,
        revoked_us -> Nullable<BigInt>,
    }
}

diesel::allow_tables_to_appear_in_same_query!(accounts, sessions);
diesel::allow_tables_to_appear_in_same_query!(seat_tokens, entrants);

diesel::table! {
    imprint (id) {
        id -> BigInt,
        magic -> Text,
        identity -> Binary,
        commits -> BigInt,
        previous -> Binary,
        mark -> Binary,
    }
}

diesel::table! {
    unknown_names (name_hash) {
        name_hash -> Binary,
        failures -> BigInt,
        locked_until_us -> BigInt,
        last_us -> BigInt,
    }
}
