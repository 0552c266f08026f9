//! b on PostgreSQL: the same table, with one statement for all terms and partitions.

use std::collections::HashMap;
use std::io::Write;

use postgres::{Client, NoTls, Statement};

use super::{Candidate, Document, Posting, best_ten, counted, terms};
use crate::error::Outcome;
use crate::storage::{Kind, Storage};

pub(super) struct Postings {
    client: Client,
    storage: Storage,
    statements: Statements,
}

struct Statements {
    sums: Statement,
    postings: Statement,
    texts: Statement,
    add: Statement,
}

impl Postings {
    pub(super) fn new() -> Outcome<Self> {
        let storage = Storage::new(Kind::Postgres)?;
        let mut client = Client::connect(storage.database().ok_or("no database")?, NoTls)?;
        client.batch_execute(
            "CREATE TABLE texts (id BIGINT PRIMARY KEY, content TEXT NOT NULL); \
             CREATE TABLE postings (org BIGINT, partition BIGINT, term TEXT COLLATE \"C\", memory BIGINT, frequency BIGINT, \
             length BIGINT, PRIMARY KEY (org, partition, term, memory) INCLUDE (frequency, length)); \
             CREATE TABLE partitions (org BIGINT, partition BIGINT, memories BIGINT, length BIGINT, PRIMARY KEY (org, partition));",
        )?;
        let statements = Statements::new(&mut client)?;
        Ok(Self { client, storage, statements })
    }
}

impl Statements {
    fn new(client: &mut Client) -> Outcome<Self> {
        Ok(Self {
            sums: client.prepare(
                "SELECT coalesce(sum(memories), 0)::float8, coalesce(sum(length), 0)::float8 FROM partitions \
                 WHERE org = 0 AND partition = ANY($1)",
            )?,
            postings: client.prepare(
                "SELECT term, memory, frequency::float8, length::float8 FROM postings \
                 WHERE org = 0 AND partition = ANY($1) AND term = ANY($2)",
            )?,
            texts: client.prepare("SELECT content FROM texts WHERE id = ANY($1)")?,
            add: client.prepare(
                "INSERT INTO partitions VALUES ($1, $2, 1, $3) ON CONFLICT (org, partition) DO UPDATE SET \
                 memories = partitions.memories + 1, length = partitions.length + excluded.length",
            )?,
        })
    }
}

impl Candidate for Postings {
    fn add(&mut self, documents: &[Document]) -> Outcome<()> {
        let mut tx = self.client.transaction()?;
        let counts: Vec<_> = documents.iter().map(|document| counted(&document.text)).collect();
        let mut copy = tx.copy_in("COPY postings FROM STDIN")?;
        for (Document { id, org, partition, .. }, (counts, length)) in documents.iter().zip(&counts) {
            for (term, frequency) in counts {
                writeln!(copy, "{org}\t{partition}\t{term}\t{id}\t{frequency}\t{length}")?;
            }
        }
        copy.finish()?;
        let mut copy = tx.copy_in("COPY texts FROM STDIN")?;
        for Document { id, text, .. } in documents {
            writeln!(copy, "{id}\t{}", text.replace('\\', "\\\\"))?;
        }
        copy.finish()?;
        for (document, (_, length)) in documents.iter().zip(&counts) {
            tx.execute(&self.statements.add, &[&document.org, &document.partition, length])?;
        }
        Ok(tx.commit()?)
    }

    fn finish_bulk(&mut self) -> Outcome<()> {
        Ok(self.client.batch_execute("VACUUM ANALYZE")?)
    }

    fn restart(&mut self) -> Outcome<()> {
        self.client = Client::connect(self.storage.database().ok_or("no database")?, NoTls)?;
        self.statements = Statements::new(&mut self.client)?;
        Ok(())
    }

    fn search(&mut self, partitions: &[i64], question: &str) -> Outcome<usize> {
        let sums = self.client.query_one(&self.statements.sums, &[&partitions])?;
        let (readable, length): (f64, f64) = (sums.get(0), sums.get(1));
        let mut found: HashMap<String, Vec<Posting>> = HashMap::new();
        for row in self.client.query(&self.statements.postings, &[&partitions, &terms(question)])? {
            let posting = Posting { memory: row.get(1), frequency: row.get(2), length: row.get(3) };
            found.entry(row.get(0)).or_default().push(posting);
        }
        let best = best_ten(found.into_values().collect(), readable, length / readable.max(1.0));
        Ok(self.client.query(&self.statements.texts, &[&best])?.len())
    }

    fn disk(&mut self) -> Outcome<f64> {
        let size: i64 = self.client.query_one("SELECT pg_database_size(current_database())", &[])?.get(0);
        Ok(size as f64)
    }
}
