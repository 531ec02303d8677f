//! What Linux lets a process give up.

use crate::execution::start::{Enforced, Files, Network, Requested, Strength};
use landlock::{
    ABI, Access, AccessFs, AccessNet, BitFlags, PathBeneath, PathFd, Ruleset, RulesetAttr, RulesetCreatedAttr, RulesetError, RulesetStatus,
    Scope,
};
use rustix::process::{Signal, set_parent_process_death_signal};
use rustix::thread::{CapabilitySet, CapabilitySets, UnshareFlags, capabilities, no_new_privs, set_capabilities, set_no_new_privs};

/// The rights that are taken: those of this version of the kernel's interface. An older kernel knows fewer.
const RIGHTS: ABI = ABI::V6;

pub(super) fn confine(requested: &Requested) -> Enforced {
    let mut enforced = Enforced::nothing();
    // First what needs privileges that are given up below.
    if requested.no_network {
        enforced.network = network();
    }
    if requested.no_new_privileges {
        enforced.no_new_privileges = set_no_new_privs(true).is_ok() && no_new_privs().unwrap_or(false);
    }
    enforced.files = match requested.files {
        Files::Any => Strength::NotEnforced,
        Files::WorkingFolder => strength(files(true)),
        Files::None => strength(files(false)),
    };
    if requested.no_capabilities {
        enforced.no_capabilities = give_up_capabilities();
    }
    // Whoever watches over this process ends it, or ends with it.
    let _ = set_parent_process_death_signal(Some(Signal::KILL));
    enforced
}

/// An empty namespace where that is allowed, to a user within a namespace of users; otherwise no TCP.
fn network() -> Network {
    let isolated = enter(UnshareFlags::NEWNET) || enter(UnshareFlags::NEWUSER | UnshareFlags::NEWNET);
    let tcp = Ruleset::default()
        .handle_access(AccessNet::from_all(RIGHTS))
        .and_then(Ruleset::create)
        .and_then(|ruleset| Ok(ruleset.restrict_self()?.ruleset));
    match (isolated, strength(tcp)) {
        (true, _) => Network::EmptyNamespace,
        (false, Strength::FullyEnforced) => Network::TcpRefused,
        (false, _) => Network::Open,
    }
}

#[expect(deprecated, reason = "its only unsafe flag is FILES, which is never passed; the replacement needs an unsafe block")]
fn enter(namespaces: UnshareFlags) -> bool {
    rustix::thread::unshare(namespaces).is_ok()
}

/// No file, or those below the working directory; and no signal or abstract socket to anybody outside.
fn files(in_folder: bool) -> Result<RulesetStatus, RulesetError> {
    let ruleset = Ruleset::default().handle_access(AccessFs::from_all(RIGHTS))?.scope(Scope::from_all(RIGHTS))?.create()?;
    let ruleset = if in_folder { with_folder(ruleset)? } else { ruleset };
    Ok(ruleset.restrict_self()?.ruleset)
}

fn with_folder(ruleset: landlock::RulesetCreated) -> Result<landlock::RulesetCreated, RulesetError> {
    let never = AccessFs::Execute | AccessFs::MakeChar | AccessFs::MakeBlock | AccessFs::IoctlDev;
    let within: BitFlags<AccessFs> = AccessFs::from_all(RIGHTS) & !never;
    // A folder that is gone leaves no file at all, which is what it is worth.
    let folder = PathFd::new(".").ok().map(|folder| PathBeneath::new(folder, within));
    // SQLite seeds its generator from it.
    let random = PathFd::new("/dev/urandom").ok().map(|device| PathBeneath::new(device, AccessFs::ReadFile));
    ruleset.add_rules(folder.into_iter().chain(random).map(Ok::<_, RulesetError>))
}

fn strength(status: Result<RulesetStatus, RulesetError>) -> Strength {
    match status {
        Ok(RulesetStatus::FullyEnforced) => Strength::FullyEnforced,
        Ok(RulesetStatus::PartiallyEnforced) => Strength::PartiallyEnforced,
        Ok(RulesetStatus::NotEnforced) | Err(_) => Strength::NotEnforced,
    }
}

fn give_up_capabilities() -> bool {
    let none = CapabilitySets { effective: CapabilitySet::empty(), permitted: CapabilitySet::empty(), inheritable: CapabilitySet::empty() };
    set_capabilities(None, none).is_ok() && capabilities(None).is_ok_and(|now| now == none)
}
