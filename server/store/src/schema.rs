//! The tables, declared once for both databases. Tests compare the declaration with the migrated SQLite schema, column by
//! column, and the SQLite schema with that of PostgreSQL.

use diesel::{allow_tables_to_appear_in_same_query, table};

table! {
    use diesel::sql_types::{BigInt, Nullable};
    use crate::columns::sql::{Instant, Uuid};

    orgs (org_id) {
        org_id -> Uuid,
        version -> BigInt,
        tree_version -> BigInt,
        auth_version -> BigInt,
        index_floor -> BigInt,
        last_seq -> BigInt,
        created_at -> Instant,
        access_seq -> BigInt,
        sealed_seq -> BigInt,
        event_seq -> BigInt,
        profile_version -> BigInt,
        episodes_bound -> Nullable<Uuid>,
    }
}

table! {
    use crate::columns::sql::Uuid;

    workspace_orgs (id) {
        id -> Uuid,
        org_id -> Uuid,
    }
}

table! {
    use diesel::sql_types::{BigInt, Nullable, Text};
    use crate::columns::sql::{Instant, Uuid};

    workspaces (org_id, id) {
        org_id -> Uuid,
        id -> Uuid,
        parent_id -> Nullable<Uuid>,
        name -> Text,
        role -> Nullable<Text>,
        metadata -> Nullable<Text>,
        tree_version -> BigInt,
        created_at -> Instant,
        updated_at -> Instant,
        moved_at -> Nullable<Instant>,
        removed_at -> Nullable<Instant>,
        tokens_revoked_at -> Nullable<Instant>,
    }
}

table! {
    use diesel::sql_types::{BigInt, Nullable};
    use crate::columns::sql::Uuid;

    budgets (org_id, workspace_id) {
        org_id -> Uuid,
        workspace_id -> Uuid,
        memories -> Nullable<BigInt>,
        bytes -> Nullable<BigInt>,
        writes_per_minute -> Nullable<BigInt>,
        searches_per_minute -> Nullable<BigInt>,
        embeddings_per_day -> Nullable<BigInt>,
        used_memories -> BigInt,
        used_bytes -> BigInt,
    }
}

table! {
    use diesel::sql_types::{BigInt, Text};
    use crate::columns::sql::{Instant, Uuid};

    memory_partitions (org_id, author_id, scope, team_id) {
        org_id -> Uuid,
        author_id -> Uuid,
        scope -> Text,
        team_id -> Uuid,
        live_count -> BigInt,
        version -> BigInt,
        last_write_at -> Instant,
        bytes -> BigInt,
    }
}

table! {
    use diesel::sql_types::{BigInt, Binary, Bool, Double, Nullable, Text};
    use crate::columns::sql::{Instant, Uuid};

    memories (org_id, id) {
        org_id -> Uuid,
        id -> Uuid,
        author_id -> Uuid,
        scope -> Text,
        team_id -> Uuid,
        status -> Text,
        content -> Nullable<Text>,
        content_hash -> Binary,
        namespace -> Text,
        kind -> Text,
        source -> Text,
        writer_role -> Text,
        confidence -> Double,
        tags -> Text,
        metadata -> Nullable<Text>,
        subject -> Nullable<Text>,
        session_id -> Nullable<Text>,
        run_id -> Nullable<Uuid>,
        pin -> Bool,
        supersedes -> Nullable<Uuid>,
        superseded_by -> Nullable<Uuid>,
        version -> BigInt,
        seq -> BigInt,
        org_version -> BigInt,
        created_at -> Instant,
        updated_at -> Instant,
        expires_at -> Nullable<Instant>,
        profile_id -> Nullable<Uuid>,
        expiry_rule -> Nullable<Text>,
        title -> Nullable<Text>,
        claims -> Nullable<Text>,
        session_only -> Bool,
    }
}

table! {
    use diesel::sql_types::{BigInt, Bool, Double, Nullable, Text};
    use crate::columns::sql::{Instant, Uuid};

    memory_versions (org_id, memory_id, version) {
        org_id -> Uuid,
        memory_id -> Uuid,
        version -> BigInt,
        author_id -> Uuid,
        scope -> Text,
        team_id -> Uuid,
        content -> Text,
        namespace -> Text,
        kind -> Text,
        source -> Text,
        writer_role -> Text,
        confidence -> Double,
        tags -> Text,
        metadata -> Nullable<Text>,
        subject -> Nullable<Text>,
        session_id -> Nullable<Text>,
        pin -> Bool,
        written_at -> Instant,
        expires_at -> Nullable<Instant>,
        expiry_rule -> Nullable<Text>,
        title -> Nullable<Text>,
        claims -> Nullable<Text>,
        session_only -> Bool,
    }
}

table! {
    use diesel::sql_types::{BigInt, Binary, Nullable, Text};
    use crate::columns::sql::{Instant, Uuid};

    documents (org_id, id) {
        org_id -> Uuid,
        id -> Uuid,
        author_id -> Uuid,
        scope -> Text,
        team_id -> Uuid,
        status -> Text,
        title -> Text,
        media_type -> Text,
        collection -> Nullable<Text>,
        tags -> Text,
        metadata -> Nullable<Text>,
        written_by -> Nullable<Text>,
        source_uri -> Nullable<Text>,
        content_hash -> Binary,
        size_bytes -> BigInt,
        chars -> BigInt,
        passages -> BigInt,
        writer_role -> Text,
        version -> BigInt,
        org_version -> BigInt,
        created_at -> Instant,
        updated_at -> Instant,
        expires_at -> Nullable<Instant>,
    }
}

table! {
    use diesel::sql_types::{BigInt, Nullable, Text};
    use crate::columns::sql::{Instant, Uuid};

    document_versions (org_id, document_id, version) {
        org_id -> Uuid,
        document_id -> Uuid,
        version -> BigInt,
        author_id -> Uuid,
        title -> Text,
        content -> Text,
        media_type -> Text,
        tags -> Text,
        metadata -> Nullable<Text>,
        source_uri -> Nullable<Text>,
        size_bytes -> BigInt,
        writer_role -> Text,
        written_at -> Instant,
    }
}

table! {
    use diesel::sql_types::{BigInt, Text};
    use crate::columns::sql::{Instant, Uuid};

    document_passages (org_id, id) {
        org_id -> Uuid,
        id -> Uuid,
        document_id -> Uuid,
        author_id -> Uuid,
        number -> BigInt,
        title -> Text,
        heading -> Text,
        content -> Text,
        start_byte -> BigInt,
        start_char -> BigInt,
        chars -> BigInt,
        seq -> BigInt,
        created_at -> Instant,
    }
}

table! {
    use diesel::sql_types::{Nullable, Text};
    use crate::columns::sql::{Instant, Uuid};

    redactions (org_id, memory_id) {
        org_id -> Uuid,
        memory_id -> Uuid,
        author_id -> Uuid,
        reason -> Text,
        redacted_by -> Text,
        redacted_at -> Instant,
        kind -> Nullable<Text>,
        subject -> Nullable<Text>,
        session_id -> Nullable<Text>,
    }
}

table! {
    use diesel::sql_types::{BigInt, Binary, Nullable, Text};
    use crate::columns::sql::{Instant, Uuid};

    erasures (org_id, id) {
        org_id -> Uuid,
        id -> Uuid,
        what -> Text,
        about -> Binary,
        reason -> Text,
        erased_by -> Text,
        erased_at -> Instant,
        workspaces -> BigInt,
        memories -> BigInt,
        versions -> BigInt,
        entries -> BigInt,
        episodes -> BigInt,
        tokens -> BigInt,
        answers -> BigInt,
        access_seq -> Nullable<BigInt>,
    }
}

table! {
    use diesel::sql_types::{BigInt, Binary, Integer, Nullable, Text};
    use crate::columns::sql::{Instant, Uuid};

    memory_index (org_id, author_id, scope, team_id, memory_id) {
        org_id -> Uuid,
        author_id -> Uuid,
        scope -> Text,
        team_id -> Uuid,
        memory_id -> Uuid,
        org_version -> BigInt,
        expires_at -> Nullable<Instant>,
        doc -> Nullable<Binary>,
        folded -> Nullable<Text>,
        model -> Nullable<Integer>,
        vector -> Nullable<Binary>,
    }
}

table! {
    use diesel::sql_types::{BigInt, Nullable, Text};
    use crate::columns::sql::{Instant, Uuid};

    entries (org_id, workspace_id, key) {
        org_id -> Uuid,
        workspace_id -> Uuid,
        key -> Text,
        value -> Nullable<Text>,
        version -> BigInt,
        expires_at -> Nullable<Instant>,
        updated_at -> Instant,
        subject -> Nullable<Text>,
    }
}

table! {
    use diesel::sql_types::{BigInt, Bool, Double, Nullable, Text};
    use crate::columns::sql::{Instant, Uuid};

    episodes (org_id, workspace_id, id) {
        org_id -> Uuid,
        workspace_id -> Uuid,
        id -> Uuid,
        activity_type -> Text,
        method -> Nullable<Text>,
        summary -> Nullable<Text>,
        target_id -> Nullable<Uuid>,
        status -> Nullable<Text>,
        error_detail -> Nullable<Text>,
        duration_ms -> Nullable<BigInt>,
        actor -> Nullable<Text>,
        channel -> Nullable<Text>,
        correlation_id -> Nullable<Text>,
        session_id -> Nullable<Text>,
        kind -> Nullable<Text>,
        outcome -> Nullable<Text>,
        supersedes -> Nullable<Uuid>,
        created_at -> Instant,
        folded -> Text,
        metadata -> Nullable<Text>,
        request_body -> Nullable<Text>,
        response_body -> Nullable<Text>,
        subject -> Nullable<Text>,
        superseded_by -> Nullable<Uuid>,
        redacted_at -> Nullable<Instant>,
        salience -> Nullable<Double>,
        claims -> Nullable<Text>,
        recorded_at -> Nullable<Instant>,
        names_target -> Bool,
    }
}

table! {
    use diesel::sql_types::{Nullable, Text};
    use crate::columns::sql::{Instant, Uuid};

    tokens (org_id, jti) {
        org_id -> Uuid,
        jti -> Uuid,
        workspace_id -> Nullable<Uuid>,
        role -> Text,
        subject -> Text,
        issued_at -> Instant,
        expires_at -> Instant,
        last_used_at -> Nullable<Instant>,
        end_user -> Nullable<Text>,
        session_id -> Nullable<Text>,
    }
}

table! {
    use crate::columns::sql::{Instant, Uuid};

    revocations (org_id, jti) {
        org_id -> Uuid,
        jti -> Uuid,
        revoked_at -> Instant,
        expires_at -> Instant,
    }
}

table! {
    use diesel::sql_types::{Binary, Nullable, Text};
    use crate::columns::sql::{Instant, Uuid};

    idempotency_keys (org_id, owner, key) {
        org_id -> Uuid,
        owner -> Text,
        key -> Text,
        body_hash -> Binary,
        answer -> Text,
        created_at -> Instant,
        workspace_id -> Nullable<Uuid>,
    }
}

table! {
    use diesel::sql_types::{BigInt, Binary, Nullable, Text};
    use crate::columns::sql::{Instant, Uuid};

    access_log (org_id, seq) {
        org_id -> Uuid,
        seq -> BigInt,
        at -> Instant,
        verb -> Text,
        subject -> Text,
        role -> Text,
        token_id -> Nullable<Uuid>,
        workspace_id -> Uuid,
        run_id -> Nullable<Uuid>,
        content_hash -> Nullable<Binary>,
        memories -> Binary,
        context -> Text,
    }
}

table! {
    use diesel::sql_types::{BigInt, Binary, Nullable};
    use crate::columns::sql::{Instant, Uuid};

    access_seals (org_id, first_seq) {
        org_id -> Uuid,
        first_seq -> BigInt,
        last_seq -> BigInt,
        named -> Binary,
        hashes -> Binary,
        previous -> Binary,
        link -> Binary,
        key_id -> Binary,
        mac -> Binary,
        sealed_at -> Instant,
        removed -> Nullable<Binary>,
    }
}

table! {
    use diesel::sql_types::BigInt;
    use crate::columns::sql::Uuid;

    audit_ranges (org_id, workspace_id, first_seq) {
        org_id -> Uuid,
        workspace_id -> Uuid,
        first_seq -> BigInt,
        last_seq -> BigInt,
    }
}

table! {
    use diesel::sql_types::BigInt;
    use crate::columns::sql::Uuid;

    org_days (org_id, day) {
        org_id -> Uuid,
        day -> BigInt,
        memories -> BigInt,
        writes -> BigInt,
        agent_reads -> BigInt,
        people_reads -> BigInt,
    }
}

table! {
    use diesel::sql_types::{BigInt, Nullable, Text};
    use crate::columns::sql::{Instant, Uuid};

    events (org_id, seq) {
        org_id -> Uuid,
        seq -> BigInt,
        at -> Instant,
        kind -> Text,
        workspace_id -> Uuid,
        memory_id -> Nullable<Uuid>,
        scope -> Nullable<Text>,
        team_id -> Nullable<Uuid>,
        details -> Text,
    }
}

table! {
    use diesel::sql_types::{BigInt, Nullable, Text};
    use crate::columns::sql::{Instant, Uuid};

    runs (org_id, id) {
        org_id -> Uuid,
        id -> Uuid,
        workspace_id -> Uuid,
        status -> Text,
        session_id -> Nullable<Text>,
        label -> Nullable<Text>,
        started_by -> Text,
        started_at -> Instant,
        times_out_at -> Instant,
        finished_at -> Nullable<Instant>,
        write_count -> BigInt,
        dropped_count -> BigInt,
    }
}

table! {
    use diesel::sql_types::{BigInt, Nullable, Text};
    use crate::columns::sql::{Instant, Uuid};

    pending_memories (org_id, run_id, number) {
        org_id -> Uuid,
        run_id -> Uuid,
        number -> BigInt,
        memory_id -> Uuid,
        workspace_id -> Uuid,
        scope -> Text,
        team_id -> Uuid,
        writer_role -> Text,
        subject -> Nullable<Text>,
        draft -> Text,
        held_at -> Instant,
    }
}

table! {
    use diesel::sql_types::{BigInt, Integer, Text};
    use crate::columns::sql::Uuid;

    embeddings (org_id, model) {
        org_id -> Uuid,
        model -> Integer,
        name -> Text,
        dimensions -> Integer,
        org_version -> BigInt,
    }
}

table! {
    use diesel::sql_types::{BigInt, Bool, Double, Nullable, Text};
    use crate::columns::sql::{Instant, Uuid};

    profiles (org_id, id) {
        org_id -> Uuid,
        id -> Uuid,
        workspace_id -> Uuid,
        name -> Text,
        is_default -> Bool,
        isolation -> Text,
        excluded_kinds -> Text,
        max_age_seconds -> Nullable<BigInt>,
        max_entries -> Nullable<BigInt>,
        strategy -> Text,
        inject_limit -> BigInt,
        inject_scopes -> Text,
        min_confidence -> Nullable<Double>,
        token_budget -> Nullable<BigInt>,
        seed_count -> BigInt,
        org_version -> BigInt,
        created_at -> Instant,
        updated_at -> Instant,
        retention_due_at -> Nullable<Instant>,
        subjects -> Text,
        sessions -> Text,
        page_scope -> Text,
    }
}

table! {
    use diesel::sql_types::{BigInt, Binary, Double, Nullable, Text};
    use crate::columns::sql::{Instant, Uuid};

    pages (org_id, workspace_id, id) {
        org_id -> Uuid,
        workspace_id -> Uuid,
        id -> Uuid,
        subject -> Text,
        thread -> Text,
        tier -> Text,
        hot -> Text,
        warm -> Text,
        hot_tokens -> BigInt,
        warm_tokens -> BigInt,
        salience -> Double,
        links -> Text,
        kinds -> Text,
        outcome -> Nullable<Text>,
        first_at -> Instant,
        last_at -> Instant,
        effective_at -> Instant,
        sessions -> BigInt,
        successes -> BigInt,
        failures -> BigInt,
        sources -> Binary,
        version -> BigInt,
        compacted_at -> Instant,
        made_by -> Text,
        claims -> Nullable<Text>,
    }
}

table! {
    use diesel::sql_types::Text;
    use crate::columns::sql::{Instant, Uuid};

    page_work (org_id, workspace_id, subject, thread) {
        org_id -> Uuid,
        workspace_id -> Uuid,
        subject -> Text,
        thread -> Text,
        mark -> Uuid,
        due_at -> Instant,
    }
}

table! {
    use diesel::sql_types::{Nullable, Text};
    use crate::columns::sql::{Instant, Uuid};

    plugin_namespaces (org_id, name) {
        org_id -> Uuid,
        name -> Text,
        workspace_id -> Uuid,
        kind -> Text,
        created_at -> Instant,
        expires_at -> Nullable<Instant>,
    }
}

table! {
    use diesel::sql_types::{BigInt, Binary, Text};
    use crate::columns::sql::Uuid;

    memory_segments (org_id, author_id, scope, team_id, number) {
        org_id -> Uuid,
        author_id -> Uuid,
        scope -> Text,
        team_id -> Uuid,
        number -> BigInt,
        first_id -> Uuid,
        last_id -> Uuid,
        live -> BigInt,
        size_bytes -> BigInt,
        deleted -> Binary,
        data -> Binary,
    }
}

table! {
    use diesel::sql_types::BigInt;
    use crate::columns::sql::Uuid;

    segment_progress (org_id) {
        org_id -> Uuid,
        org_version -> BigInt,
    }
}

table! {
    use diesel::sql_types::{BigInt, Binary, Text};
    use crate::columns::sql::{Instant, Uuid};

    text_blocks (org_id, workspace_id, kind, number) {
        org_id -> Uuid,
        workspace_id -> Uuid,
        kind -> Text,
        number -> BigInt,
        row_count -> BigInt,
        size_bytes -> BigInt,
        newest_at -> Instant,
        oldest_at -> Instant,
        first_id -> Uuid,
        last_id -> Uuid,
        words -> Binary,
        rows -> Binary,
    }
}

table! {
    use diesel::sql_types::{BigInt, Bool};
    use crate::columns::sql::{Instant, Uuid};

    text_workspaces (org_id, workspace_id) {
        org_id -> Uuid,
        workspace_id -> Uuid,
        version -> BigInt,
        episodes_until -> Uuid,
        memories_at -> Instant,
        memories_id -> Uuid,
        has_memories -> Bool,
    }
}

table! {
    use diesel::sql_types::BigInt;
    use crate::columns::sql::Uuid;

    text_progress (org_id) {
        org_id -> Uuid,
        org_version -> BigInt,
    }
}

table! {
    use crate::columns::sql::Uuid;

    episode_changes (org_id, workspace_id, id) {
        org_id -> Uuid,
        workspace_id -> Uuid,
        id -> Uuid,
        episode_id -> Uuid,
    }
}

table! {
    use diesel::sql_types::{BigInt, Nullable, Text};
    use crate::columns::sql::{Instant, Uuid};

    memory_uses (org_id, memory_id, version, voice) {
        org_id -> Uuid,
        memory_id -> Uuid,
        version -> BigInt,
        voice -> Uuid,
        workspace_id -> Uuid,
        session -> Uuid,
        read_at -> Instant,
        ended_at -> Nullable<Instant>,
        outcome -> Nullable<Text>,
        reported -> Nullable<Text>,
        note -> Nullable<Text>,
    }
}

table! {
    use diesel::sql_types::{BigInt, Bool, Nullable, Text};
    use crate::columns::sql::{Instant, Uuid};

    skills (org_id, id) {
        org_id -> Uuid,
        id -> Uuid,
        workspace_id -> Uuid,
        name -> Text,
        scope -> Text,
        team_id -> Uuid,
        status -> Text,
        active_version -> Nullable<BigInt>,
        draft_version -> Nullable<BigInt>,
        last_version -> BigInt,
        failing -> Bool,
        reason -> Nullable<Text>,
        created_at -> Instant,
        updated_at -> Instant,
    }
}

table! {
    use diesel::sql_types::{BigInt, Binary, Bool, Nullable, Text};
    use crate::columns::sql::{Instant, Uuid};

    skill_versions (org_id, skill_id, version) {
        org_id -> Uuid,
        skill_id -> Uuid,
        version -> BigInt,
        description -> Text,
        sources -> Binary,
        drafted_by -> Text,
        drafted_at -> Instant,
        approved_by -> Nullable<Text>,
        approved_at -> Nullable<Instant>,
        is_auto -> Bool,
        evidence -> Text,
    }
}

table! {
    use crate::columns::sql::Uuid;

    skill_sources (org_id, memory_id, skill_id) {
        org_id -> Uuid,
        memory_id -> Uuid,
        skill_id -> Uuid,
    }
}

table! {
    use diesel::sql_types::Text;
    use crate::columns::sql::Uuid;

    skill_rules (org_id, workspace_id) {
        org_id -> Uuid,
        workspace_id -> Uuid,
        rule -> Text,
    }
}

table! {
    use diesel::sql_types::{BigInt, Nullable, Text};
    use crate::columns::sql::{Instant, Uuid};

    records (org_id, entity) {
        org_id -> Uuid,
        entity -> Text,
        replaced_as_of -> Nullable<Instant>,
        live_fields -> BigInt,
        updated_at -> Instant,
    }
}

table! {
    use diesel::sql_types::{Nullable, Text};
    use crate::columns::sql::{Instant, Uuid};

    record_fields (org_id, entity, field) {
        org_id -> Uuid,
        entity -> Text,
        field -> Text,
        value -> Nullable<Text>,
        unit -> Nullable<Text>,
        source -> Nullable<Text>,
        as_of -> Instant,
    }
}

table! {
    use diesel::sql_types::{Nullable, Text};
    use crate::columns::sql::{Instant, Uuid};

    grants (org_id, id) {
        org_id -> Uuid,
        id -> Uuid,
        workspace_id -> Uuid,
        subject -> Text,
        sessions -> Nullable<Text>,
        to_workspace -> Uuid,
        to_session -> Nullable<Text>,
        evidence -> Text,
        granted_by -> Text,
        created_at -> Instant,
        expires_at -> Nullable<Instant>,
        revoked_at -> Nullable<Instant>,
    }
}

table! {
    use diesel::sql_types::{BigInt, Nullable, Text};
    use crate::columns::sql::{Instant, Uuid};

    reviews (org_id, id) {
        org_id -> Uuid,
        id -> Uuid,
        workspace_id -> Uuid,
        item_kind -> Text,
        item_id -> Uuid,
        item_version -> BigInt,
        entity -> Text,
        field -> Text,
        claimed -> Text,
        recorded -> Text,
        unit -> Nullable<Text>,
        source -> Text,
        as_of -> Instant,
        status -> Text,
        created_at -> Instant,
        decided_at -> Nullable<Instant>,
        decided_by -> Nullable<Text>,
        note -> Nullable<Text>,
    }
}

table! {
    use diesel::sql_types::{BigInt, Nullable, Text};
    use crate::columns::sql::{Instant, Uuid};

    collections (org_id, workspace_id, name) {
        org_id -> Uuid,
        workspace_id -> Uuid,
        name -> Text,
        key_column -> Text,
        time_column -> Nullable<Text>,
        schema -> Nullable<Text>,
        row_count -> BigInt,
        bytes -> BigInt,
        created_at -> Instant,
        updated_at -> Instant,
    }
}

table! {
    use diesel::sql_types::{BigInt, Binary, Nullable, Text};
    use crate::columns::sql::{Instant, Uuid};

    collection_rows (org_id, workspace_id, collection, key) {
        org_id -> Uuid,
        workspace_id -> Uuid,
        collection -> Text,
        key -> Text,
        row_time -> Nullable<Instant>,
        content -> Text,
        content_hash -> Binary,
        size_bytes -> BigInt,
        seq -> BigInt,
        updated_at -> Instant,
        extracted_at -> Nullable<Instant>,
    }
}

table! {
    use diesel::sql_types::{BigInt, Nullable, Text};
    use crate::columns::sql::{Instant, Uuid};

    processors (org_id, workspace_id, name) {
        org_id -> Uuid,
        workspace_id -> Uuid,
        name -> Text,
        collection -> Text,
        definition -> Text,
        revision -> BigInt,
        read_seq -> BigInt,
        due_at -> Instant,
        claim -> Nullable<Uuid>,
        claimed_until -> Nullable<Instant>,
        last_run_at -> Nullable<Instant>,
        created_at -> Instant,
        updated_at -> Instant,
    }
}

table! {
    use diesel::sql_types::{BigInt, Nullable, Text};
    use crate::columns::sql::{Instant, Uuid};

    processor_rows (org_id, workspace_id, processor, key) {
        org_id -> Uuid,
        workspace_id -> Uuid,
        processor -> Text,
        key -> Text,
        group_id -> Text,
        severity -> BigInt,
        row_time -> Nullable<Instant>,
    }
}

table! {
    use diesel::sql_types::{BigInt, Nullable, Text};
    use crate::columns::sql::Uuid;

    processor_groups (org_id, workspace_id, processor, group_id) {
        org_id -> Uuid,
        workspace_id -> Uuid,
        processor -> Text,
        group_id -> Text,
        dimensions -> Text,
        touched -> BigInt,
        memory_id -> Nullable<Uuid>,
        fingerprint -> Nullable<Text>,
    }
}

table! {
    use diesel::sql_types::{BigInt, Nullable, Text};
    use crate::columns::sql::{Instant, Uuid};

    processor_runs (org_id, workspace_id, processor, id) {
        org_id -> Uuid,
        workspace_id -> Uuid,
        processor -> Text,
        id -> Uuid,
        cause -> Text,
        started_at -> Instant,
        ended_at -> Instant,
        rows_read -> BigInt,
        grouped -> BigInt,
        inserted -> BigInt,
        updated -> BigInt,
        rolled_back -> BigInt,
        untouched -> BigInt,
        cut_texts -> BigInt,
        capped -> Nullable<Text>,
        error -> Nullable<Text>,
    }
}

table! {
    use diesel::sql_types::{BigInt, Binary, Nullable, Text};
    use crate::columns::sql::{Instant, Uuid};

    turns (org_id, workspace_id, id) {
        org_id -> Uuid,
        workspace_id -> Uuid,
        id -> Uuid,
        episodes -> Binary,
        state -> Text,
        due_at -> Nullable<Instant>,
        attempt -> Nullable<Uuid>,
        attempts -> BigInt,
        memories -> Binary,
        unchanged -> BigInt,
        refused -> Text,
        model -> Nullable<Text>,
        error -> Nullable<Text>,
        created_at -> Instant,
        ended_at -> Nullable<Instant>,
    }
}

table! {
    use diesel::sql_types::{BigInt, Nullable, Text};
    use crate::columns::sql::{Instant, Uuid};

    provider_outbox (org_id, provider, id) {
        org_id -> Uuid,
        provider -> Text,
        id -> Uuid,
        mark -> Uuid,
        operation -> Text,
        surface -> Text,
        workspace_id -> Uuid,
        query -> Nullable<Text>,
        bytes -> BigInt,
        queued_at -> Instant,
    }
}

table! {
    use diesel::sql_types::{BigInt, Nullable, Text};
    use crate::columns::sql::{Instant, Uuid};

    provider_queues (org_id, provider) {
        org_id -> Uuid,
        provider -> Text,
        row_count -> BigInt,
        bytes -> BigInt,
        dropped -> BigInt,
        sender -> Nullable<Uuid>,
        leased_until -> Nullable<Instant>,
    }
}

table! {
    use diesel::sql_types::Text;
    use crate::columns::sql::{Instant, Uuid};

    provider_items (org_id, provider, id) {
        org_id -> Uuid,
        provider -> Text,
        id -> Uuid,
        workspace_id -> Uuid,
        surface -> Text,
        namespace -> Text,
        sent_at -> Instant,
    }
}

table! {
    use diesel::sql_types::{BigInt, Double, Text};
    use crate::columns::sql::{Instant, Uuid};

    provider_surfaces (org_id, provider, surface) {
        org_id -> Uuid,
        provider -> Text,
        surface -> Text,
        state -> Text,
        changed_at -> Instant,
        calls -> BigInt,
        errors -> BigInt,
        refusals -> BigInt,
        samples -> BigInt,
        overlap_sum -> Double,
        rank_sum -> Double,
        misses -> BigInt,
        withheld -> BigInt,
        latency_sum -> BigInt,
        latency_max -> BigInt,
    }
}

allow_tables_to_appear_in_same_query!(access_log, access_seals);
allow_tables_to_appear_in_same_query!(embeddings, orgs);
allow_tables_to_appear_in_same_query!(memories, memory_uses, skill_sources);
allow_tables_to_appear_in_same_query!(skills, skill_sources, skill_versions);
allow_tables_to_appear_in_same_query!(orgs, memories);
allow_tables_to_appear_in_same_query!(orgs, profiles);
allow_tables_to_appear_in_same_query!(orgs, segment_progress, text_progress);
allow_tables_to_appear_in_same_query!(revocations, tokens);
allow_tables_to_appear_in_same_query!(
    document_passages,
    documents,
    memories,
    memory_index,
    memory_partitions,
    pages,
    workspaces
);

#[cfg(test)]
mod tests;
