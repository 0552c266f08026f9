//! The queue of a writer.

use std::collections::VecDeque;

use parking_lot::{Condvar, Mutex};

use super::WriteJob;
use crate::StoreError;

/// A bounded queue with one consumer, which takes jobs in batches.
#[derive(Default)]
pub(crate) struct WriteQueue {
    waiting: Mutex<QueueState>,
    arrived: Condvar,
}

#[derive(Default)]
struct QueueState {
    jobs: VecDeque<Box<dyn WriteJob>>,
    closed: bool,
}

impl WriteQueue {
    /// Maximum number of queued jobs: some seconds of writes on a slow disk.
    const ROOM: usize = 4096;

    /// # Errors
    /// [`StoreError::Busy`] when the queue is full, [`StoreError::Closed`] after it is closed.
    pub(crate) fn push(&self, job: Box<dyn WriteJob>) -> Result<(), StoreError> {
        let mut waiting = self.waiting.lock();
        if waiting.closed {
            return Err(StoreError::Closed);
        }
        if waiting.jobs.len() >= Self::ROOM {
            return Err(StoreError::Busy);
        }
        waiting.jobs.push_back(job);
        self.arrived.notify_one();
        Ok(())
    }

    /// Waits for jobs and takes up to `most` of them. Returns none when the queue is closed and empty.
    pub(crate) fn take(&self, most: usize) -> Vec<Box<dyn WriteJob>> {
        let mut waiting = self.waiting.lock();
        while waiting.jobs.is_empty() && !waiting.closed {
            self.arrived.wait(&mut waiting);
        }
        let count = waiting.jobs.len().min(most);
        waiting.jobs.drain(..count).collect()
    }

    pub(crate) fn len(&self) -> usize {
        self.waiting.lock().jobs.len()
    }

    /// Rejects new jobs. Queued jobs remain available to the writer.
    pub(crate) fn close(&self) {
        self.waiting.lock().closed = true;
        self.arrived.notify_all();
    }
}
