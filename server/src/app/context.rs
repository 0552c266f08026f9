//! The block that an agent puts before its prompt.

use orgmem_policies::access::Verb;
use orgmem_policies::profiles::{Block, Strategy};
use orgmem_policies::{ActPass, Action, ReadPass, quote};
use orgmem_recall::{Cut, Filter, Order, Query};
use orgmem_store::{Cost, Deed, FoundMemory, Search};
use orgmem_types as wire;
use uuid::Uuid;

use super::call::ReadCall;
use super::profiles::strategy;
use super::search_memories::told_memories;
use super::{App, AppError};
use crate::auth::VerifiedClaims;
use crate::telemetry::Operation;

/// Memories that are looked at in one go.
const PAGE: usize = 50;

/// So many are looked at altogether: who wants one scope of very many gets those that come first.
const MOST: usize = 500;

/// How a block is made where the workspace has no profile.
const DEFAULT_LIMIT: i64 = 5;

impl App {
    /// The memories that a prompt begins with, chosen as the profile says, and the block made of them. What goes into it was
    /// read, and is announced.
    ///
    /// # Errors
    /// [`AppError`] as the caller's role and place give it; [`AppError::NotFound`] where there is no such profile.
    ///
    /// # Source
    /// product.md, section 4.6.
    pub async fn make_context(
        &self,
        who: &VerifiedClaims,
        workspace: Uuid,
        request: wire::AskContext,
    ) -> Result<wire::ContextBlock, AppError> {
        let making = self.read_as(who, workspace, Cost::Scan, move |call| {
            let at = call.workspace;
            // it is announced, so it is for those who act as the workspace
            call.pass(|caller, tree| ActPass::grant(caller, Action::WriteMemories, tree, at))?;
            let profile = match request.profile_id {
                Some(id) => Some(call.profile(id)?),
                None => call.all_profiles()?.into_iter().find(|profile| profile.is_default),
            };
            let named = profile.as_ref().map(|profile| profile.rules.clone()).unwrap_or_default();
            let rules = call.tx.read_rules(call.org, at)?.and(&named);
            let pass = call.pass(|caller, tree| ReadPass::grant(caller, tree, at, &rules))?;
            let query = Query::parse(request.query.as_deref().unwrap_or_default());
            let chosen = profile.as_ref().map(|profile| profile.strategy).unwrap_or_default();
            let order = match chosen {
                Strategy::Off => None,
                Strategy::Recent => Some(Order::Recent),
                Strategy::Relevance if !query.is_blank() => Some(Order::Relevance),
                Strategy::Relevance | Strategy::Confidence => Some(Order::Confidence),
            };
            let wanted = Wanted {
                query: if order == Some(Order::Relevance) { query } else { Query::default() },
                session_id: request.session_id.clone(),
                min_confidence: profile.as_ref().and_then(|profile| profile.min_confidence),
                scopes: profile.as_ref().map(|profile| profile.scopes.clone()).unwrap_or_default(),
                limit: profile.as_ref().map_or(DEFAULT_LIMIT, |profile| profile.limit),
            };
            let found = match order {
                Some(order) => call.choose(&pass, &wanted, order)?,
                None => Vec::new(),
            };
            let budget = profile.as_ref().and_then(|profile| profile.token_budget);
            let mut block = Block::new(budget.and_then(|budget| usize::try_from(budget).ok()));
            let names = call.names(&found.iter().map(|hit| hit.memory.author).collect::<Vec<_>>())?;
            let mut fitting = Vec::with_capacity(found.len());
            for hit in found {
                let memory = &hit.memory;
                let content = if pass.quotes(memory.scope, memory.author) {
                    quote::quote(memory.id, memory.scope, &names.of(memory.author), &memory.content)
                } else {
                    memory.content.clone()
                };
                if block.push(memory.confidence, &content) {
                    fitting.push((hit.memory, hit.via, None));
                }
            }
            Ok(wire::ContextBlock {
                block: block.text().to_owned(),
                tokens: block.tokens(),
                strategy: strategy(chosen),
                profile_id: profile.map(|profile| profile.id),
                entries: told_memories(call, &pass, fitting)?,
            })
        });
        let made: wire::ContextBlock = self.measured(Operation::Search, making).await?;
        if made.entries.is_empty() {
            return Ok(made);
        }
        // choosing took a look at many memories: only what came of it is written, so that no writer waits for the choice
        let seen: Vec<(Uuid, i64)> = made.entries.iter().map(|memory| (memory.id, memory.version)).collect();
        self.write_as(who, workspace, None, move |call| {
            let deed = Deed::new(Verb::InjectMemories, call.workspace).about(seen.iter().copied());
            let deed = deed.with("entry_count", seen.len()).telling("entry_count", seen.len());
            call.tx.record(deed)?;
            Ok(())
        })
        .await?;
        Ok(made)
    }
}

/// Which memories are chosen.
struct Wanted {
    query: Query,
    session_id: Option<String>,
    min_confidence: Option<f64>,
    scopes: Vec<orgmem_hierarchy::Scope>,
    limit: i64,
}

impl ReadCall<'_> {
    /// The first memories of these scopes, in this order.
    fn choose(&mut self, pass: &ReadPass, wanted: &Wanted, order: Order) -> Result<Vec<FoundMemory>, AppError> {
        let limit = usize::try_from(wanted.limit).unwrap_or(PAGE);
        let filter = Filter {
            session_id: wanted.session_id.clone(),
            min_confidence: wanted.min_confidence,
            ..Filter::default()
        };
        let mut search = Search { query: wanted.query.clone(), filter, ..Search::default() };
        let (mut after, mut looked, mut chosen) = (None, 0, Vec::new());
        loop {
            search.cut = Cut { order, after, limit: PAGE };
            let found = self.tx.search(pass, &search)?;
            let is_last = found.hits.len() < PAGE;
            looked += found.hits.len();
            after = found.hits.last().map(|hit| hit.key);
            search.as_of = Some(found.as_of);
            chosen.extend(
                found.hits.into_iter().filter(|hit| wanted.scopes.is_empty() || wanted.scopes.contains(&hit.memory.scope)),
            );
            if is_last || looked >= MOST || chosen.len() >= limit {
                chosen.truncate(limit);
                return Ok(chosen);
            }
        }
    }
}
