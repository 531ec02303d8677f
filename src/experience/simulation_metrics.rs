//! What a simulation node reports: counts of replay scenarios and executions.

use super::counts::Counts;
use crate::ledger::{Ledger, LedgerError, Record, Select};
use serde::Serialize;

/// The simulation heartbeat.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct SimulationMetrics {
    /// Scenarios.
    pub simulation_replay_scenarios: u64,
    /// Of these, pending.
    pub simulation_replay_pending: u64,
    /// Of these, completed.
    pub simulation_replay_completed: u64,
    /// Of these, failed.
    pub simulation_replay_failed: u64,
    /// Scenarios by status.
    pub simulation_replay_status_counts: Counts,
    /// Scenarios by kind.
    pub simulation_replay_kind_counts: Counts,
    /// Scenarios by action.
    pub simulation_replay_action_counts: Counts,
    /// Executions.
    pub simulation_replay_executions: u64,
    /// Of these, completed.
    pub simulation_replay_execution_completed: u64,
    /// Of these, failed.
    pub simulation_replay_execution_failed: u64,
    /// Executions by status.
    pub simulation_replay_execution_status_counts: Counts,
}

impl SimulationMetrics {
    /// Counts the scenarios and executions of a ledger.
    ///
    /// # Errors
    /// The ledger failed.
    pub fn of(ledger: &dyn Ledger) -> Result<Self, LedgerError> {
        let mut metrics = Self::default();
        ledger.each(Select { types: &["simulation_replay_scenario", "simulation_replay_execution"] }, &mut |entry| {
            if let Ok(record) = Record::parse(&entry.payload) {
                metrics.add(&record);
            }
            Ok(())
        })?;
        Ok(metrics)
    }

    fn add(&mut self, record: &Record) {
        let status = record.text("status").to_lowercase();
        if record.record_type() == "simulation_replay_execution" {
            self.simulation_replay_executions += 1;
            self.simulation_replay_execution_completed += u64::from(status == "completed");
            self.simulation_replay_execution_failed += u64::from(status == "failed");
            self.simulation_replay_execution_status_counts.add(&status);
            return;
        }
        self.simulation_replay_scenarios += 1;
        self.simulation_replay_pending += u64::from(status == "pending");
        self.simulation_replay_completed += u64::from(status == "completed");
        self.simulation_replay_failed += u64::from(status == "failed");
        self.simulation_replay_status_counts.add(&status);
        self.simulation_replay_kind_counts.add_exactly(&record.text("replay_kind"));
        let action = record.text("action").to_uppercase();
        self.simulation_replay_action_counts.add_exactly(&action);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ledger::MemoryLedger;
    use crate::ledger::surroundings::Scripted;

    #[test]
    fn scenarios_and_executions_are_counted_apart() {
        let (mut ledger, mut around) = (MemoryLedger::new("n"), Scripted::new(1.0, 1.0));
        for (record_type, status) in [
            ("simulation_replay_scenario", "Pending"),
            ("simulation_replay_scenario", "failed"),
            ("simulation_replay_scenario", ""),
            ("simulation_replay_execution", "completed"),
            ("simulation_replay_execution", "failed"),
        ] {
            let record = Record::new(record_type).with("status", status).with("action", "observe").with("replay_kind", "manual_seed");
            ledger.publish(record, &mut around).expect("memory takes it");
        }
        let metrics = SimulationMetrics::of(&ledger).expect("memory answers");
        assert_eq!(
            (
                metrics.simulation_replay_scenarios,
                metrics.simulation_replay_pending,
                metrics.simulation_replay_completed,
                metrics.simulation_replay_failed
            ),
            (3, 1, 0, 1)
        );
        assert_eq!(
            (
                metrics.simulation_replay_executions,
                metrics.simulation_replay_execution_completed,
                metrics.simulation_replay_execution_failed
            ),
            (2, 1, 1)
        );
        assert_eq!(metrics.simulation_replay_status_counts.of("unknown"), 1);
        assert_eq!(metrics.simulation_replay_action_counts.of("OBSERVE"), 3);
        assert_eq!(metrics.simulation_replay_kind_counts.of("manual_seed"), 3);
        assert_eq!(metrics.simulation_replay_execution_status_counts.of("completed"), 1);
    }
}
