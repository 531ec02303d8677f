//! Execution risk tiers: what a capability may reach, by a policy that names its tier.
//!
//! A capability without a tier, or with one that nobody knows, reaches nothing. Only
//! `safe_local_execution` reaches a process at all; the other tiers are names of what is not built.

use std::collections::BTreeMap;

/// A tier.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Tier {
    /// Local commands of a sandbox: no secret, no production path, no network write.
    SafeLocalExecution,
    /// Real effects on test networks.
    TestnetExternalWrite,
    /// Reads from the network.
    NetworkRead,
    /// Other effects outside: a stub.
    ExternalWriteStub,
    /// Anything with money that is real: blocked.
    ProductionFinancialWrite,
    /// What could harm the host: a stub.
    SystemDangerousStub,
}

impl Tier {
    /// Every tier.
    pub const ALL: [Self; 6] = [
        Self::SafeLocalExecution,
        Self::TestnetExternalWrite,
        Self::NetworkRead,
        Self::ExternalWriteStub,
        Self::ProductionFinancialWrite,
        Self::SystemDangerousStub,
    ];

    /// Its name.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::SafeLocalExecution => "safe_local_execution",
            Self::TestnetExternalWrite => "testnet_external_write",
            Self::NetworkRead => "network_read",
            Self::ExternalWriteStub => "external_write_stub",
            Self::ProductionFinancialWrite => "production_financial_write",
            Self::SystemDangerousStub => "system_dangerous_stub",
        }
    }

    /// The tier of a name, exactly.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|tier| tier.as_str() == name)
    }
}

/// Which tier each capability names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Policy(BTreeMap<String, String>);

impl Policy {
    /// A policy of capabilities and the tiers they name, as texts: whoever wrote them may have erred.
    pub fn of(rows: &[(&str, &str)]) -> Self {
        Self(rows.iter().map(|(capability, tier)| ((*capability).to_owned(), (*tier).to_owned())).collect())
    }

    /// The policy landfall ships: the capabilities of its five runners.
    pub fn shipped() -> Self {
        let safe = Tier::SafeLocalExecution.as_str();
        Self::of(&[
            ("capability.noop.marker_check", safe),
            ("capability.guarded_read_only.evidence_check", safe),
            ("capability.guarded_repair.harness", safe),
        ])
    }

    /// Whether a capability may reach a process.
    ///
    /// # Errors
    /// The reason why not.
    pub fn may_start(&self, capability: &str) -> Result<(), String> {
        let named = self.0.get(capability).ok_or_else(|| "risk_tier_missing".to_owned())?;
        match Tier::named(named) {
            Some(Tier::SafeLocalExecution) => Ok(()),
            Some(tier) => Err(format!("risk_tier_not_allowed:{}", tier.as_str())),
            None => Err("risk_tier_unknown".to_owned()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_safe_local_capability_reaches_a_process() {
        let shipped = Policy::shipped();
        assert_eq!(shipped.may_start("capability.noop.marker_check"), Ok(()));
        assert_eq!(shipped.may_start("capability.sandbox_real.repair_workspace"), Err("risk_tier_missing".to_owned()));
        for tier in Tier::ALL {
            let policy = Policy::of(&[("c", tier.as_str())]);
            assert_eq!(policy.may_start("c").is_ok(), tier == Tier::SafeLocalExecution, "{tier:?}");
        }
        for tier in ["", "SAFE_LOCAL_EXECUTION", "safe_local_execution ", "none"] {
            assert_eq!(Policy::of(&[("c", tier)]).may_start("c"), Err("risk_tier_unknown".to_owned()), "{tier:?}");
        }
    }
}
