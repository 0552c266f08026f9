//! The chain of the access log: sealing it, checking it, reclaiming its oldest rows.

use std::collections::BTreeSet;

use chrono::{DateTime, Utc};
use diesel::prelude::*;
use orgmem_hierarchy::OrgId;
use orgmem_policies::access::Verb;
use orgmem_policies::chain::{self, Fault, GENESIS, RowHash, Seal, SealKey};
use orgmem_policies::{AuditPass, VerifyPass};
use uuid::Uuid;

use super::access::tails;
use super::tx::Tx;
use crate::StoreError;
use crate::columns::{Id, Time, row_limit};
use crate::contract::{
    AccessFilter, AccessPage, CheckedPart, Deed, MemoryReads, ReadAccess, Told, Unsealed, WriteAccess, WriteDeeds,
};
use crate::engine::InRow;
use crate::schema::{access_log, access_seals, orgs};

/// Rows that are checked in one go.
const CHECKED: usize = 20_000;

/// Stretches that are reclaimed in one go.
const TRIMMED: i64 = 50;

/// A seal as it is kept.
#[derive(Clone, Debug, Queryable, Selectable, Insertable)]
#[diesel(table_name = access_seals)]
struct SealRow {
    org_id: Id,
    first_seq: i64,
    last_seq: i64,
    named: Vec<u8>,
    hashes: Vec<u8>,
    previous: Vec<u8>,
    link: Vec<u8>,
    key_id: Vec<u8>,
    mac: Vec<u8>,
    sealed_at: Time,
}

/// A row as text and bytes: it is hashed as it is kept, whatever it means.
#[derive(Queryable, Selectable)]
#[diesel(table_name = access_log)]
struct RawRow {
    org_id: Id,
    seq: i64,
    at: Time,
    verb: String,
    subject: String,
    role: String,
    token_id: Option<Id>,
    workspace_id: Id,
    run_id: Option<Id>,
    content_hash: Option<Vec<u8>>,
    memories: Vec<u8>,
    context: String,
}

impl RawRow {
    fn hash(&self) -> RowHash {
        chain::Row {
            org: self.org_id.0,
            at: self.at.0,
            verb: &self.verb,
            subject: &self.subject,
            role: &self.role,
            token: self.token_id.map(|Id(id)| id),
            workspace: self.workspace_id.0,
            run: self.run_id.map(|Id(id)| id),
            content_hash: self.content_hash.as_deref(),
            memories: &self.memories,
            context: &self.context,
        }
        .hash()
    }
}

/// Whose rows these are.
fn workspaces_of(rows: &[RawRow]) -> BTreeSet<Uuid> {
    rows.iter().map(|row| row.workspace_id.0).collect()
}

impl SealRow {
    fn new(org: Id, seal: &Seal, named: &[u8], sealed_at: Time) -> Self {
        Self {
            org_id: org,
            first_seq: seal.first,
            last_seq: seal.last,
            named: named.to_vec(),
            hashes: seal.hashes.concat(),
            previous: seal.previous.to_vec(),
            link: seal.link.to_vec(),
            key_id: seal.key.to_vec(),
            mac: seal.mac.to_vec(),
            sealed_at,
        }
    }

    /// The seal; one that has lost its form is one that was changed.
    fn seal(&self) -> Result<Seal, Fault> {
        let changed = |_| Fault::Seal(self.first_seq);
        let (hashes, rest) = self.hashes.as_chunks::<32>();
        if !rest.is_empty() {
            return Err(Fault::Seal(self.first_seq));
        }
        Ok(Seal {
            first: self.first_seq,
            last: self.last_seq,
            hashes: hashes.to_vec(),
            previous: self.previous.as_slice().try_into().map_err(changed)?,
            link: self.link.as_slice().try_into().map_err(changed)?,
            key: self.key_id.as_slice().try_into().map_err(changed)?,
            mac: self.mac.as_slice().try_into().map_err(changed)?,
        })
    }
}

impl ReadAccess for Tx<'_> {
    fn access_rows(
        &mut self,
        pass: &AuditPass,
        filter: &AccessFilter,
        before: Option<i64>,
        limit: usize,
    ) -> Result<AccessPage, StoreError> {
        self.access_page(pass, filter, before, limit)
    }

    fn memory_reads(&mut self, pass: &AuditPass, memories: &[Uuid]) -> Result<MemoryReads, StoreError> {
        self.reads_of(pass, memories)
    }

    fn orgs_to_seal(&mut self) -> Result<Vec<OrgId>, StoreError> {
        let due = orgs::table.filter(orgs::access_seq.gt(orgs::sealed_seq)).select(orgs::org_id);
        let due: Vec<Id> = due.load(self.settled()?).in_row("orgs", "to seal")?;
        Ok(due.into_iter().map(Id::org).collect())
    }

    fn unsealed(&mut self, org: OrgId, most: usize) -> Result<Unsealed, StoreError> {
        let after = match self.last_seal(org)? {
            None => None,
            Some(row) => Some(row.seal().map_err(|fault| StoreError::unreadable("access_seals", org, fault))?),
        };
        let sealed = after.as_ref().map_or(0, |seal| seal.last);
        // where seals are gone it is for the check to tell: what was sealed once is not sealed anew
        if sealed != self.view(org)?.row.sealed_seq {
            return Ok(Unsealed { after, ..Unsealed::default() });
        }
        let first = sealed + 1;
        let mut rows = self.raw_rows(org, first, i64::MAX, most)?;
        // what does not follow is for the check to tell, and is not sealed
        let follow = rows.iter().zip(first..).take_while(|(row, seq)| row.seq == *seq).count();
        rows.truncate(follow);
        let named = tails(rows.iter().map(|row| row.memories.as_slice()));
        let workspaces = workspaces_of(&rows);
        let used = self.tokens_used(org, rows.iter().filter_map(|row| Some((row.token_id?, row.at))))?;
        Ok(Unsealed { after, rows: rows.iter().map(|row| (row.seq, row.hash())).collect(), named, workspaces, used })
    }

    fn check_chain(
        &mut self,
        pass: &VerifyPass,
        after: Option<&Seal>,
        keys: &[SealKey],
        anchor: Option<(i64, [u8; 32])>,
    ) -> Result<CheckedPart, StoreError> {
        let mut part = CheckedPart { sealed: 0, unsealed: 0, last: 0, more: None, fault: None };
        let checked = self.check_stretches(pass.org(), after, keys, anchor, &mut part)?;
        part.fault = checked.err();
        Ok(part)
    }

    fn trimmable(&mut self, org: OrgId, before: DateTime<Utc>) -> Result<Option<Seal>, StoreError> {
        let seals: Vec<SealRow> = access_seals::table
            .filter(access_seals::org_id.eq(Id::from(org)))
            .order(access_seals::first_seq)
            .limit(TRIMMED)
            .select(SealRow::as_select())
            .load(self.settled()?)
            .in_row("access_seals", org)?;
        let old = seals.iter().take_while(|seal| seal.sealed_at.0 < before).last();
        let old = old.filter(|seal| !seal.hashes.is_empty());
        old.map(|row| row.seal().map_err(|fault| StoreError::unreadable("access_seals", org, fault))).transpose()
    }

    fn orgs_to_trim(&mut self, before: DateTime<Utc>) -> Result<Vec<OrgId>, StoreError> {
        let old: Vec<Id> = access_log::table
            .inner_join(
                access_seals::table
                    .on(access_seals::org_id.eq(access_log::org_id).and(access_seals::first_seq.eq(access_log::seq))),
            )
            .filter(access_seals::sealed_at.lt(Time(before)))
            .select(access_log::org_id)
            .distinct()
            .load(self.settled()?)
            .in_row("access_seals", "old")?;
        Ok(old.into_iter().map(Id::org).collect())
    }
}

impl Tx<'_> {
    fn last_seal(&mut self, org: OrgId) -> Result<Option<SealRow>, StoreError> {
        access_seals::table
            .filter(access_seals::org_id.eq(Id::from(org)))
            .order(access_seals::first_seq.desc())
            .select(SealRow::as_select())
            .first(self.settled()?)
            .optional()
            .in_row("access_seals", org)
    }

    fn raw_rows(&mut self, org: OrgId, from: i64, to: i64, most: usize) -> Result<Vec<RawRow>, StoreError> {
        access_log::table
            .filter(access_log::org_id.eq(Id::from(org)))
            .filter(access_log::seq.ge(from).and(access_log::seq.le(to)))
            .order(access_log::seq)
            .limit(row_limit(most))
            .select(RawRow::as_select())
            .load(self.settled()?)
            .in_row("access_log", org)
    }

    /// Checks stretch after stretch; what was found out so far is in `part`.
    fn check_stretches(
        &mut self,
        org: OrgId,
        after: Option<&Seal>,
        keys: &[SealKey],
        anchor: Option<(i64, [u8; 32])>,
        part: &mut CheckedPart,
    ) -> Result<Result<(), Fault>, StoreError> {
        let mut at = after.cloned();
        part.last = at.as_ref().map_or(0, |seal| seal.last);
        if at.is_none()
            && let Some(stray) = self.raw_rows(org, i64::MIN, 0, 1)?.first()
        {
            return Ok(Err(Fault::Inserted(stray.seq)));
        }
        while let Some(mut row) = self.next_seal(org, at.as_ref())? {
            if part.sealed >= CHECKED {
                part.more = at;
                return Ok(Ok(()));
            }
            let named = std::mem::take(&mut row.named);
            let seal = match row.seal() {
                Ok(seal) => seal,
                Err(fault) => return Ok(Err(fault)),
            };
            let previous = match &at {
                Some(before) if seal.first == before.last.saturating_add(1) => before.link,
                None if seal.first == 1 => GENESIS,
                // a chain may begin with a checkpoint, which the reclaiming left; a row of it tells so
                None if seal.is_checkpoint() => {
                    if !self.tells_of(org, &seal)? {
                        return Ok(Err(Fault::Beheaded(seal.last)));
                    }
                    seal.previous
                }
                None => return Ok(Err(Fault::SealMissing(1))),
                Some(before) => return Ok(Err(Fault::SealMissing(before.last.saturating_add(1)))),
            };
            let rows = match self.rows_to_check(org, seal.first, seal.last)? {
                Ok(rows) => rows,
                Err(fault) => return Ok(Err(fault)),
            };
            let hashes: Vec<(i64, RowHash)> = rows.iter().map(|row| (row.seq, row.hash())).collect();
            match chain::check(org.uuid(), &previous, &seal, &hashes, keys) {
                Ok(checked) => part.sealed += checked.rows,
                Err(fault) => return Ok(Err(fault)),
            }
            if tails(rows.iter().map(|row| row.memories.as_slice())) != named
                || !self.is_noted(org, seal.first, seal.last, &workspaces_of(&rows))?
            {
                return Ok(Err(Fault::Seal(seal.first)));
            }
            part.last = seal.last;
            let is_other = |(last, link): (i64, [u8; 32])| {
                (seal.first..=seal.last).contains(&last) && (last != seal.last || link != seal.link)
            };
            if anchor.is_some_and(is_other) {
                return Ok(Err(Fault::Replaced(seal.last)));
            }
            at = Some(seal);
        }
        self.check_tail(org, at.as_ref(), anchor, part)
    }

    /// Checks what is behind the last seal: rows that wait for theirs, as many as the org counts.
    fn check_tail(
        &mut self,
        org: OrgId,
        last: Option<&Seal>,
        anchor: Option<(i64, [u8; 32])>,
        part: &mut CheckedPart,
    ) -> Result<Result<(), Fault>, StoreError> {
        let sealed = last.map_or(0, |seal| seal.last);
        let counted = self.view(org)?.row.access_seq;
        if counted < sealed {
            return Ok(Err(Fault::CutOff { last: counted, anchored: sealed }));
        }
        let waiting = access_log::table
            .filter(access_log::org_id.eq(Id::from(org)))
            .filter(access_log::seq.gt(sealed))
            .order(access_log::seq)
            .select(access_log::seq);
        let waiting: Vec<i64> = waiting.load(self.settled()?).in_row("access_log", org)?;
        if let Err(fault) = chain::check_order(sealed, counted, waiting.iter().copied()) {
            return Ok(Err(fault));
        }
        part.unsealed = waiting.len();
        part.last = sealed.max(counted);
        match anchor {
            Some((anchored, _)) if anchored > sealed => Ok(Err(Fault::CutOff { last: sealed, anchored })),
            _ => Ok(Ok(())),
        }
    }

    /// The rows of one stretch; one that cannot even be read was changed.
    fn rows_to_check(&mut self, org: OrgId, from: i64, to: i64) -> Result<Result<Vec<RawRow>, Fault>, StoreError> {
        match self.raw_rows(org, from, to, CHECKED) {
            Err(StoreError::Unreadable { .. }) => {}
            rows => return Ok(Ok(rows?)),
        }
        for seq in from..=to {
            match self.raw_rows(org, seq, seq, 1) {
                Err(StoreError::Unreadable { .. }) => return Ok(Err(Fault::Changed(seq))),
                row => drop(row?),
            }
        }
        Ok(Err(Fault::Changed(from)))
    }

    fn next_seal(&mut self, org: OrgId, after: Option<&Seal>) -> Result<Option<SealRow>, StoreError> {
        access_seals::table
            .filter(access_seals::org_id.eq(Id::from(org)))
            .filter(access_seals::first_seq.gt(after.map_or(i64::MIN, |seal| seal.first)))
            .order(access_seals::first_seq)
            .select(SealRow::as_select())
            .first(self.settled()?)
            .optional()
            .in_row("access_seals", org)
    }

    /// Whether a row of the log tells that it was reclaimed up to the end of `checkpoint`.
    fn tells_of(&mut self, org: OrgId, checkpoint: &Seal) -> Result<bool, StoreError> {
        let told: Vec<String> = access_log::table
            .filter(access_log::org_id.eq(Id::from(org)))
            .filter(access_log::verb.eq(Verb::TrimAccessLog.as_str()))
            .select(access_log::context)
            .load(self.settled()?)
            .in_row("access_log", org)?;
        let link = hex::encode(checkpoint.link);
        Ok(told.iter().any(|context| {
            let context: serde_json::Value = serde_json::from_str(context).unwrap_or_default();
            context["until"] == checkpoint.last && context["link"] == link.as_str()
        }))
    }
}

impl WriteAccess for Tx<'_> {
    fn seal(&mut self, seal: &Seal, sealed: &Unsealed) -> Result<bool, StoreError> {
        let org = self.org;
        let last = self.last_seal(org)?;
        let follows = match &last {
            None => seal.first == 1,
            Some(last) => seal.first == last.last_seq.saturating_add(1) && last.link == seal.previous,
        };
        if !follows {
            return Ok(false);
        }
        let row = SealRow::new(org.into(), seal, &sealed.named, Time(self.now));
        diesel::insert_into(access_seals::table).values(&row).execute(self.writing()?)?;
        self.add_stretch(org, seal.first, seal.last, &sealed.workspaces)?;
        self.note_use(org, &sealed.used)?;
        self.view(org)?.changes.tally.sealed = Some(seal.last);
        Ok(true)
    }

    fn tell(&mut self, told: &[Told]) -> Result<(), StoreError> {
        for Told { by, at, deed } in told {
            if deed.announced.is_some() {
                // who watches is woken by a change of the org alone
                self.touch(self.org)?;
            }
            let at = Time(crate::columns::whole_micros(*at));
            // in what was removed since, and perhaps purged, nothing is left any more
            if deed.noted.is_some() && self.tree_now(self.org)?.contains(deed.workspace) {
                self.note(at, deed);
            }
            self.record_by(by, at, deed)?;
        }
        Ok(())
    }

    fn trim_access_log(&mut self, checkpoint: &Seal) -> Result<usize, StoreError> {
        let org = self.org;
        let until = checkpoint.last;
        let org_id = Id::from(org);
        let mine = access_seals::table.filter(access_seals::org_id.eq(org_id));
        let there = mine.filter(access_seals::first_seq.eq(checkpoint.first)).count();
        if there.get_result::<i64>(self.writing()?)? == 0 {
            return Ok(0);
        }
        self.forget_with_rows(org, until)?;
        let conn = self.writing()?;
        let rows = access_log::table.filter(access_log::org_id.eq(org_id)).filter(access_log::seq.le(until));
        let gone = diesel::delete(rows).execute(conn)?;
        diesel::delete(mine.filter(access_seals::first_seq.lt(checkpoint.first))).execute(conn)?;
        let emptied = (
            access_seals::named.eq(Vec::<u8>::new()),
            access_seals::hashes.eq(Vec::<u8>::new()),
            access_seals::key_id.eq(checkpoint.key.to_vec()),
            access_seals::mac.eq(checkpoint.mac.to_vec()),
        );
        diesel::update(mine.filter(access_seals::first_seq.eq(checkpoint.first))).set(emptied).execute(conn)?;
        let deed = Deed::new(Verb::TrimAccessLog, org.root());
        self.record(deed.with("until", until).with("rows", gone).with("link", hex::encode(checkpoint.link)))?;
        Ok(gone)
    }
}
