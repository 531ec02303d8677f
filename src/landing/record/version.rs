//! Versions of record formats, with typed answers for those we do not read.

use serde::{Deserialize, Serialize};

/// `landfall/<record>/v<number>`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct SchemaVersion(String);

/// The one version of each record that this release reads and writes.
const CURRENT: u32 = 1;

/// Why a record of another version is not read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum VersionError {
    /// An older format.
    #[error("record format v{found} is too old; this landfall reads v{CURRENT}")]
    TooOld {
        /// The version found.
        found: u32,
    },
    /// A newer format.
    #[error("record format v{found} is too new; this landfall reads v{CURRENT}")]
    TooNew {
        /// The version found.
        found: u32,
    },
    /// No version of this record at all.
    #[error("no record format of this name")]
    Unknown,
}

impl SchemaVersion {
    /// The current version of a record.
    pub fn current(record: &str) -> Self {
        Self(format!("landfall/{record}/v{CURRENT}"))
    }

    /// A version as a stored record gives it.
    pub fn of(text: &str) -> Self {
        Self(text.to_owned())
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether this release reads the version of `record`.
    ///
    /// # Errors
    /// Too old, too new, or none of this record.
    pub fn check(&self, record: &str) -> Result<(), VersionError> {
        let number = self.0.strip_prefix(&format!("landfall/{record}/v")).and_then(|number| number.parse().ok());
        match number.ok_or(VersionError::Unknown)? {
            found if found < CURRENT => Err(VersionError::TooOld { found }),
            found if found > CURRENT => Err(VersionError::TooNew { found }),
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_typed() {
        let check = |text: &str| SchemaVersion(text.to_owned()).check("result");
        assert_eq!(SchemaVersion::current("result").check("result"), Ok(()));
        assert_eq!(check("landfall/result/v0"), Err(VersionError::TooOld { found: 0 }));
        assert_eq!(check("landfall/result/v2"), Err(VersionError::TooNew { found: 2 }));
        assert_eq!(check("landfall/board/v1"), Err(VersionError::Unknown));
    }
}
