//! Turns: the messages of a conversation, and what became of their extraction.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use orgmem_hierarchy::{OrgId, WorkspaceId};
use orgmem_policies::turns::TurnState;
use orgmem_policies::{ActPass, ViewPass};
use uuid::Uuid;

use super::Episode;
use crate::StoreError;

/// A turn of a workspace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredTurn {
    /// Unique in the workspace.
    pub id: Uuid,
    /// The episodes of its messages, in their order.
    pub episodes: Vec<Uuid>,
    /// What became of it.
    pub state: TurnState,
    /// The next attempt of the extraction; `None` after the last one.
    pub due_at: Option<DateTime<Utc>>,
    /// Attempts that began.
    pub attempts: i64,
    /// The result of the extraction.
    pub result: TurnResult,
    /// Time of the write.
    pub created_at: DateTime<Utc>,
    /// End of the extraction.
    pub ended_at: Option<DateTime<Utc>>,
}

/// The result of an extraction.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TurnResult {
    /// The memories that have the facts.
    pub memories: Vec<Uuid>,
    /// Facts that said nothing new.
    pub unchanged: i64,
    /// Refused facts by reason.
    pub refused: BTreeMap<String, i64>,
    /// The model.
    pub model: Option<String>,
    /// The failure of the last attempt.
    pub error: Option<String>,
}

/// The begin of an attempt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AttemptStart {
    /// This attempt has the turn; with the number of earlier attempts.
    Begun(i64),
    /// Another attempt has the turn, or the turn does not wait any more.
    Busy,
    /// All attempts have begun, and none has ended the turn. It is reserved for the caller, who ends it.
    Exhausted,
}

transaction! {
    forward_turn_reads

    /// The part of a snapshot that reads turns.
    pub trait TurnReads {
        /// A turn whose end user and session the caller may read.
        fn turn(&mut self, pass: &ViewPass, id: Uuid) -> Result<Option<StoredTurn>, StoreError>;

        /// The live messages of a turn, with their positions.
        fn turn_messages(
            &mut self,
            org: OrgId,
            workspace: WorkspaceId,
            turn: &StoredTurn,
        ) -> Result<Vec<(usize, Episode)>, StoreError>;

        /// The orgs with a due turn.
        fn orgs_with_due_turns(&mut self, now: DateTime<Utc>) -> Result<Vec<OrgId>, StoreError>;

        /// The first due turns of an org, the oldest first.
        fn due_turns(
            &mut self,
            org: OrgId,
            now: DateTime<Utc>,
            limit: usize,
        ) -> Result<Vec<(WorkspaceId, StoredTurn)>, StoreError>;

        /// The extractions of an org that ended at `since` or later.
        fn extracted_since(&mut self, org: OrgId, since: DateTime<Utc>) -> Result<i64, StoreError>;
    }
}

transaction! {
    forward_turn_writes

    /// The part of a job that writes turns.
    pub trait TurnWrites {
        /// Stores a turn whose messages are these episodes.
        fn add_turn(
            &mut self,
            pass: &ActPass,
            id: Uuid,
            episodes: &[Uuid],
            state: TurnState,
        ) -> Result<StoredTurn, StoreError>;

        /// Begins an attempt and counts it, unless another server has begun one that may still run, or `most` have begun.
        /// An attempt that ends with its server counts, too.
        ///
        /// # Arguments
        /// `until` returns the time of the next attempt, if nobody ends this one, for the number of earlier ones.
        fn begin_attempt(
            &mut self,
            place: (OrgId, WorkspaceId, Uuid),
            attempt: Uuid,
            until: &dyn Fn(i64) -> DateTime<Utc>,
            most: i64,
        ) -> Result<AttemptStart, StoreError>;

        /// Whether the attempt is still the one.
        fn owns_attempt(&mut self, place: (OrgId, WorkspaceId, Uuid), attempt: Uuid) -> Result<bool, StoreError>;

        /// Ends an attempt. With `due_at` the turn waits for the next one.
        ///
        /// # Returns
        /// Whether the attempt was still the one.
        fn end_attempt(
            &mut self,
            place: (OrgId, WorkspaceId, Uuid),
            attempt: Uuid,
            state: TurnState,
            result: &TurnResult,
            due_at: Option<DateTime<Utc>>,
        ) -> Result<bool, StoreError>;

        /// Moves the due turns of an org to a later time, without an attempt.
        fn postpone_turns(&mut self, org: OrgId, to: DateTime<Utc>) -> Result<(), StoreError>;
    }
}
