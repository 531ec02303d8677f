//! Connecting: what the connection string asks for is held to what is built, and the session is set up.

use super::super::location::Location;
use super::fault::{foreign, of_server, storage};
use crate::ledger::LedgerError;
use postgres::config::SslMode;
use postgres::{Client, Config, NoTls, Statement};
use std::collections::HashMap;
use std::time::Duration;

/// The longest that a connection takes.
const CONNECT: Duration = Duration::from_secs(10);

/// A connection, with the statements that were prepared on it.
pub(super) struct Session {
    pub(super) client: Client,
    statements: HashMap<&'static str, Statement>,
    shown: String,
}

impl std::fmt::Debug for Session {
    fn fmt(&self, to: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(to, "Session({})", self.shown)
    }
}

impl Session {
    /// Connects.
    ///
    /// # Errors
    /// The string does not read or asks for TLS, or the server cannot be reached.
    pub(super) fn connect(said: &str) -> Result<Self, LedgerError> {
        let shown = Location::Server(said.to_owned()).to_string();
        // No default of the server's side lowers what an acknowledgement means.
        let ready = "SET synchronous_commit = on; SET client_encoding = 'UTF8'; SET client_min_messages = warning; SET statement_timeout = 0;
                     SELECT pg_catalog.set_config('search_path', pg_catalog.quote_ident(pg_catalog.current_schema()) || ', pg_catalog', false)";
        let mut client = config(said, &shown)?.connect(NoTls).map_err(|error| of_server(&shown, &error))?;
        client.batch_execute(ready).map_err(|error| of_server(&shown, &error))?;
        let mut session = Self { client, statements: HashMap::new(), shown };
        let encoding: String = session.row("SHOW server_encoding", &[])?.get(0);
        if encoding != "UTF8" {
            return Err(session.foreign("LEDGER_SCHEMA", "keeps its texts in another encoding than UTF-8"));
        }
        Ok(session)
    }

    fn prepared(&mut self, sql: &'static str) -> Result<Statement, LedgerError> {
        if let Some(statement) = self.statements.get(sql) {
            return Ok(statement.clone());
        }
        let statement = self.client.prepare(sql).map_err(|error| of_server(&self.shown, &error))?;
        self.statements.insert(sql, statement.clone());
        Ok(statement)
    }

    pub(super) fn rows(
        &mut self,
        sql: &'static str,
        values: &[&(dyn postgres::types::ToSql + Sync)],
    ) -> Result<Vec<postgres::Row>, LedgerError> {
        let statement = self.prepared(sql)?;
        self.client.query(&statement, values).map_err(|error| of_server(&self.shown, &error))
    }

    pub(super) fn row(&mut self, sql: &'static str, values: &[&(dyn postgres::types::ToSql + Sync)]) -> Result<postgres::Row, LedgerError> {
        let rows = self.rows(sql, values)?;
        rows.into_iter().next().ok_or_else(|| self.foreign("LEDGER_SCHEMA", "answers nothing where every ledger answers"))
    }

    pub(super) fn execute(&mut self, sql: &'static str, values: &[&(dyn postgres::types::ToSql + Sync)]) -> Result<u64, LedgerError> {
        let statement = self.prepared(sql)?;
        self.client.execute(&statement, values).map_err(|error| of_server(&self.shown, &error))
    }

    pub(super) fn script(&mut self, sql: &str) -> Result<(), LedgerError> {
        self.client.batch_execute(sql).map_err(|error| of_server(&self.shown, &error))
    }

    pub(super) fn failed(&self, error: &postgres::Error) -> LedgerError {
        of_server(&self.shown, error)
    }

    pub(super) fn foreign(&self, name: &str, what: &str) -> LedgerError {
        foreign(&self.shown, name, what)
    }

    pub(super) fn storage(&self, name: &str, what: &str) -> LedgerError {
        storage(&self.shown, name, what)
    }
}

fn config(said: &str, shown: &str) -> Result<Config, LedgerError> {
    let no_tls = || {
        let what = "asks for TLS, which is not built; say sslmode=disable where the way to the server is safe without";
        storage(shown, "LEDGER_TLS_NOT_BUILT", what)
    };
    // The library knows fewer modes than there are.
    if ["verify-ca", "verify-full"].iter().any(|mode| said.contains(&format!("sslmode={mode}"))) {
        return Err(no_tls());
    }
    // Its message may quote the string.
    let mut config: Config = said.parse().map_err(|_| storage(shown, "LEDGER_LOCATION", "is no connection string that reads"))?;
    if config.get_ssl_mode() == SslMode::Require || config.get_ssl_negotiation() == postgres::config::SslNegotiation::Direct {
        return Err(no_tls());
    }
    if config.get_connect_timeout().is_none() {
        config.connect_timeout(CONNECT);
    }
    if config.get_application_name().is_none() {
        config.application_name("landfall");
    }
    Ok(config)
}

/// The turn of a runner with a ledger on a server; it ends with the connection.
#[derive(Debug)]
pub(in crate::edge::ledger) struct Turn(#[expect(dead_code, reason = "holds the lock until it is dropped")] Session);

impl Turn {
    /// Waits for it.
    pub(in crate::edge::ledger) fn wait(said: &str) -> Result<Self, LedgerError> {
        let mut session = Session::connect(said)?;
        // A little more than the longest run takes.
        session.script("SET lock_timeout = '150s'")?;
        session.row("SELECT pg_catalog.pg_advisory_lock(1818324582, 'ops'::pg_catalog.regclass::oid::int4)::text", &[])?;
        Ok(Self(session))
    }
}
