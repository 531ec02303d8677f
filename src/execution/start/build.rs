//! A start, built once and only when nothing speaks against it.

use super::environment::allowed;
use super::{Refusal, Requested};
use crate::json::{digest_of, to_line};
use std::path::{Component, Path, PathBuf};

/// The most bytes that are read of each stream.
pub const BYTE_CAP: u64 = 5_000_000;

/// The longest argument; Linux takes no longer one, and all of them share a few of these.
const LONGEST_ARGUMENT: usize = 128 * 1024 - 1;
const LONGEST_ARGUMENTS: usize = 1024 * 1024;

/// What the process itself contributes to a start: values from the edge, never from a record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Host {
    /// Landfall's own executable, absolute.
    pub program: PathBuf,
    /// The environment of the process; only allowed keys reach a child.
    pub environment: Vec<(String, String)>,
}

/// What is asked for.
#[derive(Debug, Clone)]
pub struct Asked<'a> {
    /// Program and environment.
    pub host: &'a Host,
    /// The configured workspace root.
    pub folder: &'a Path,
    /// The arguments after the program, fixed by the runner.
    pub arguments: Vec<String>,
    /// `--timeout-seconds`, if given; it may only lower the cap.
    pub timeout: Option<f64>,
    /// The runner's hard cap in seconds.
    pub cap: f64,
    /// The text that a good run prints on standard output.
    pub marker: Option<&'a str>,
    /// What the child is asked to take from itself.
    pub requested: Requested,
}

/// One start that may be made. There is no way to one but [`Start::build`].
#[derive(Debug, Clone, PartialEq)]
pub struct Start {
    program: PathBuf,
    arguments: Vec<String>,
    folder: PathBuf,
    environment: Vec<(String, String)>,
    deadline: f64,
    marker: Option<String>,
    requested: Requested,
}

impl Start {
    /// The start that `asked` describes.
    ///
    /// # Errors
    /// Every refusal that holds, sorted by reason, once each. Whether the folder exists is asked by the [`super::Starter`].
    pub fn build(asked: Asked<'_>) -> Result<Self, Vec<Refusal>> {
        let mut refusals: Vec<Refusal> = [
            argument_refusal(&asked.arguments),
            folder_refusal(asked.folder),
            program_refusal(&asked.host.program),
            timeout_refusal(asked.timeout, asked.cap),
        ]
        .into_iter()
        .flatten()
        .collect();
        refusals.sort_by_key(|refusal| refusal.reason());
        let (Some(folder), []) = (asked.folder.to_str(), refusals.as_slice()) else { return Err(refusals) };
        Ok(Self {
            program: asked.host.program.clone(),
            environment: allowed(&asked.host.environment, folder),
            arguments: asked.arguments,
            folder: asked.folder.to_owned(),
            deadline: asked.timeout.unwrap_or(asked.cap),
            marker: asked.marker.map(str::to_owned),
            requested: asked.requested,
        })
    }

    /// The program, absolute.
    pub fn program(&self) -> &Path {
        &self.program
    }

    /// The arguments after the program.
    pub fn arguments(&self) -> &[String] {
        &self.arguments
    }

    /// The child's working directory, absolute.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The child's whole environment.
    pub fn environment(&self) -> &[(String, String)] {
        &self.environment
    }

    /// Seconds until everything is killed.
    pub fn deadline(&self) -> f64 {
        self.deadline
    }

    /// The text that a good run prints on standard output.
    pub fn marker(&self) -> Option<&str> {
        self.marker.as_deref()
    }

    /// What the child is asked to take from itself.
    pub fn requested(&self) -> &Requested {
        &self.requested
    }

    /// The argument list as a record holds it: the program's base name, then the arguments.
    pub fn recorded_argv(&self) -> Vec<String> {
        let name = self.program.file_name().unwrap_or_default().to_string_lossy().into_owned();
        std::iter::once(name).chain(self.arguments.iter().cloned()).collect()
    }

    /// `sha256:` and the digest of the recorded argument list as one line of JSON.
    pub fn argv_digest(&self) -> String {
        digest_of(to_line(&self.recorded_argv()).as_bytes())
    }
}

fn argument_refusal(arguments: &[String]) -> Option<Refusal> {
    let all: usize = arguments.iter().map(|argument| argument.len() + 1).sum();
    let bad = all > LONGEST_ARGUMENTS || arguments.iter().any(|argument| argument.contains('\0') || argument.len() > LONGEST_ARGUMENT);
    bad.then_some(Refusal::ArgumentNotAllowed)
}

fn folder_refusal(folder: &Path) -> Option<Refusal> {
    let plain = folder.to_str().is_some_and(|text| !text.contains('\0'));
    let climbs = folder.components().any(|part| matches!(part, Component::ParentDir));
    (!plain || climbs || !folder.is_absolute()).then_some(Refusal::CwdNotAllowed)
}

fn program_refusal(program: &Path) -> Option<Refusal> {
    let named = program.is_absolute() && program.file_name().is_some() && !program.as_os_str().as_encoded_bytes().contains(&0);
    (!named).then_some(Refusal::ProgramNotAllowed)
}

fn timeout_refusal(asked: Option<f64>, cap: f64) -> Option<Refusal> {
    match asked {
        Some(seconds) if !seconds.is_finite() || seconds <= 0.0 => Some(Refusal::TimeoutNotPositive),
        Some(seconds) if seconds > cap => Some(Refusal::TimeoutAboveCap),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn host() -> Host {
        Host { program: "/opt/landfall".into(), environment: vec![("PATH".into(), "/bin".into()), ("HOME".into(), "/h".into())] }
    }

    fn build(host: &Host, folder: &str, arguments: &[&str], timeout: Option<f64>) -> Result<Start, Vec<Refusal>> {
        let arguments = arguments.iter().map(|&argument| argument.to_owned()).collect();
        let folder = Path::new(folder);
        Start::build(Asked { host, folder, arguments, timeout, cap: 5.0, marker: None, requested: Requested::nothing() })
    }

    #[test]
    fn a_timeout_may_only_lower_the_cap() {
        let host = host();
        assert_eq!(build(&host, "/w", &[], None).unwrap().deadline(), 5.0);
        assert_eq!(build(&host, "/w", &[], Some(0.5)).unwrap().deadline(), 0.5);
        assert_eq!(build(&host, "/w", &[], Some(5.0)).unwrap().deadline(), 5.0);
        for (asked, refusal) in [
            (0.0, Refusal::TimeoutNotPositive),
            (-0.0, Refusal::TimeoutNotPositive),
            (-1.0, Refusal::TimeoutNotPositive),
            (f64::NAN, Refusal::TimeoutNotPositive),
            (f64::INFINITY, Refusal::TimeoutNotPositive),
            (f64::NEG_INFINITY, Refusal::TimeoutNotPositive),
            (5.000_001, Refusal::TimeoutAboveCap),
            (1e9, Refusal::TimeoutAboveCap),
        ] {
            assert_eq!(build(&host, "/w", &[], Some(asked)), Err(vec![refusal]), "{asked}");
            assert_eq!(refusal.is_usage(), refusal == Refusal::TimeoutNotPositive);
        }
    }

    #[test]
    fn a_folder_is_absolute_and_does_not_climb() {
        for folder in ["", ".", "ws", "/ws/..", "/ws/../etc", "/a\0b"] {
            assert_eq!(build(&host(), folder, &[], None), Err(vec![Refusal::CwdNotAllowed]), "{folder:?}");
        }
    }

    #[test]
    fn all_refusals_are_named_sorted_and_once() {
        let host = Host { program: "landfall".into(), environment: Vec::new() };
        let refusals = build(&host, "ws", &["a\0b", "c\0d"], Some(9.0)).unwrap_err();
        let reasons: Vec<String> = refusals.into_iter().map(Refusal::reason).collect();
        assert_eq!(reasons, ["argument_not_allowed", "cwd_not_allowed", "program_not_allowed", "timeout_above_cap"]);
    }

    #[test]
    fn arguments_are_bounded() {
        let long = "x".repeat(LONGEST_ARGUMENT);
        assert!(build(&host(), "/w", &[&long], None).is_ok());
        assert!(build(&host(), "/w", &[&format!("{long}x")], None).is_err());
        assert!(build(&host(), "/w", &[long.as_str(); 9], None).is_err());
    }

    #[test]
    fn a_record_holds_the_base_name_and_the_digest_says_which_words_these_were() {
        let start = build(&host(), "/w", &["noop", "controlled-noop-ok"], None).unwrap();
        assert_eq!(start.recorded_argv(), ["landfall", "noop", "controlled-noop-ok"]);
        let other = build(&host(), "/w", &["noop controlled-noop-ok"], None).unwrap();
        assert_ne!(start.argv_digest(), other.argv_digest());
        assert_eq!(start.environment(), [("PATH".to_owned(), "/bin".to_owned()), ("PWD".to_owned(), "/w".to_owned())]);
    }
}
