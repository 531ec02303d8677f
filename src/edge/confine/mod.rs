//! A child that confines itself: files, network, privileges and resources that it does not need are given up before
//! it does anything else, and cannot be had back.
//!
//! To be called in a process that was started for one program and has one thread. What the system does not grant is
//! not enforced, is no error, and is said in the answer.

mod limits;
#[cfg(target_os = "linux")]
mod linux;

use crate::execution::start::{Enforced, Requested};

/// Takes from this process what is `requested`; what of it holds.
pub fn confine(requested: &Requested) -> Enforced {
    // Asked first: within a namespace of users the answer would be another.
    let superuser = rustix::process::getuid().is_root();
    #[cfg(target_os = "linux")]
    let mut enforced = linux::confine(requested);
    #[cfg(not(target_os = "linux"))]
    let mut enforced = Enforced::nothing();
    enforced.reported = true;
    enforced.limits = limits::set(&requested.limits, superuser);
    enforced
}
