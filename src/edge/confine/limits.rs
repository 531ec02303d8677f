//! Resource limits.

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use std::collections::BTreeMap;

fn resource(name: &str) -> Option<Resource> {
    Some(match name {
        "address_space" => Resource::As,
        "core" => Resource::Core,
        "cpu_seconds" => Resource::Cpu,
        "file_size" => Resource::Fsize,
        "open_files" => Resource::Nofile,
        "processes" => Resource::Nproc,
        _ => return None,
    })
}

/// Sets the limits, hard and soft, never higher than they are. Those that hold, as the system has them.
/// `superuser` says whether the process began as one: no number of processes binds it.
pub(super) fn set(limits: &BTreeMap<String, u64>, superuser: bool) -> BTreeMap<String, u64> {
    limits.iter().filter_map(|(name, &most)| Some((name.clone(), set_one(resource(name)?, most, superuser)?))).collect()
}

fn set_one(resource: Resource, most: u64, superuser: bool) -> Option<u64> {
    let most = getrlimit(resource).maximum.map_or(most, |maximum| maximum.min(most));
    setrlimit(resource, Rlimit { current: Some(most), maximum: Some(most) }).ok()?;
    let exempt = resource == Resource::Nproc && superuser;
    getrlimit(resource).current.filter(|_| !exempt)
}
