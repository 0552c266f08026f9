//! Where writes wait for their writer.

use std::collections::VecDeque;

use parking_lot::{Condvar, Mutex};

use super::WriteJob;
use crate::StoreError;

/// A bounded queue with one taker, which takes all that waits at once.
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
    /// How many jobs may wait: some seconds of writing on a slow disk.
    const ROOM: usize = 4096;

    /// # Errors
    /// [`StoreError::Busy`] when the queue is full, [`StoreError::Closed`] when it takes no more.
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

    /// Waits for jobs and takes up to `most` of them; none once the queue is closed and empty.
    pub(crate) fn take(&self, most: usize) -> Vec<Box<dyn WriteJob>> {
        let mut waiting = self.waiting.lock();
        while waiting.jobs.is_empty() && !waiting.closed {
            self.arrived.wait(&mut waiting);
        }
        let count = waiting.jobs.len().min(most);
        waiting.jobs.drain(..count).collect()
    }

    /// How many jobs wait.
    pub(crate) fn len(&self) -> usize {
        self.waiting.lock().jobs.len()
    }

    /// Takes no more jobs on; those that wait are still taken.
    pub(crate) fn close(&self) {
        self.waiting.lock().closed = true;
        self.arrived.notify_all();
    }
}
