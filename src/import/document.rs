//! A document of one value, cut into the elements of its lists, so that never more than a few of them are held.
//!
//! The document is an object with lists in it, or a list. What stands beside elements is read as strictly as they are,
//! and dropped.

use super::batch::{Batch, Cut, What, into_text, read_block};
use crate::json::{DEPTH_LIMIT, DepthScan, FaultKind, Stop, skip_space};
use memchr::memchr2;
use std::collections::HashSet;
use std::io::{self, Read};

/// The most members of the outermost object, and the most bytes of their keys.
const MEMBERS_LIMIT: usize = 50_000;
const KEYS_LIMIT: usize = 4 << 20;

/// Cuts the elements of the lists that are named `lists`; an outermost list is named by the empty text.
pub(super) struct Document<R> {
    input: R,
    limit: usize,
    lists: &'static [&'static str],
    state: State,
    /// What was read and not yet taken: the beginning of a value.
    carry: Vec<u8>,
    /// Where that value ends is looked for by this.
    scan: Option<Scan>,
    keys: HashSet<Box<str>>,
    keys_length: usize,
    /// Elements of the open list are wanted.
    wanted: bool,
    /// The outermost value is a list.
    root_list: bool,
    /// The number of the next element.
    number: u32,
}

#[derive(Debug, Clone)]
enum State {
    /// Before the outermost value; whether all so far was filling.
    Start(bool),
    /// Before a key; the object may end where none was yet.
    Key(bool),
    Colon,
    /// Before a member's value.
    Member,
    MemberEnded,
    /// Before an element; the list may end where none was yet.
    Element(bool),
    ElementEnded,
    /// Inside of a value that is passed over.
    Passing(Scan, Box<State>),
    /// Behind the outermost value; whether filling was seen.
    End(bool),
    /// Behind a fault: only whether the rest is nested too deeply is of interest, since that outranks others.
    Broken(DepthScan),
    Done,
}

/// What a look at the text in hand came to.
enum Step {
    /// The offset to go on from.
    To(usize),
    /// The value at this offset goes on behind the text.
    Unfinished(usize),
    /// Here, inside so many containers, it does not read.
    Fault(usize, usize),
    /// More than is taken of a document: nothing behind it is read.
    TooMuch,
}

impl<R: Read> Document<R> {
    pub(super) fn new(input: R, lists: &'static [&'static str], limit: usize) -> Self {
        Self {
            input,
            limit,
            lists,
            state: State::Start(true),
            carry: Vec::new(),
            scan: None,
            keys: HashSet::new(),
            keys_length: 0,
            wanted: false,
            root_list: false,
            number: 1,
        }
    }

    fn opens(&mut self, list: &str) -> State {
        self.wanted = self.lists.contains(&list);
        self.number = 1;
        State::Element(true)
    }

    /// The state behind a list or a value inside of the outermost one.
    fn closes(&self) -> State {
        if self.root_list { State::End(false) } else { State::MemberEnded }
    }

    fn step(&mut self, at: usize, ended: bool, batch: &mut Batch) -> Step {
        let space = if matches!(self.state, State::End(true)) { at } else { skip_space(batch.text.as_bytes(), at) };
        let Some(&byte) = batch.text.as_bytes().get(space) else { return Step::Unfinished(space) };
        let outer = match self.state {
            State::Start(_) | State::End(_) => 0,
            State::Element(_) | State::ElementEnded if !self.root_list => 2,
            _ => 1,
        };
        let fault = Step::Fault(space, outer);
        let (state, next) = match (self.state.clone(), byte) {
            (State::Start(true), 0) => (State::Start(true), space + 1),
            (State::Start(_), b'{') => (State::Key(true), space + 1),
            (State::Start(_), b'[') => {
                self.root_list = true;
                (self.opens(""), space + 1)
            }
            (State::Key(true), b'}') | (State::MemberEnded, b'}') => (State::End(false), space + 1),
            (State::MemberEnded, b',') => (State::Key(false), space + 1),
            (State::Key(_), b'"') => return self.key(space, ended, batch),
            (State::Colon, b':') => (State::Member, space + 1),
            (State::Member, b'[') => (State::Element(true), space + 1),
            (State::Member, _) => return self.value(space, 1, ended, false, State::MemberEnded, batch),
            (State::Element(true), b']') | (State::ElementEnded, b']') => (self.closes(), space + 1),
            (State::ElementEnded, b',') => (State::Element(false), space + 1),
            (State::Element(_), _) => return self.value(space, outer, ended, self.wanted, State::ElementEnded, batch),
            (State::End(_), 0) => (State::End(true), space + 1),
            _ => return fault,
        };
        self.state = state;
        Step::To(next)
    }

    fn key(&mut self, at: usize, ended: bool, batch: &mut Batch) -> Step {
        let (place, end) = match batch.tape.read_at(&batch.text, at, 1, ended) {
            Ok(read) => read,
            Err(Stop::Incomplete) if !ended => return Step::Unfinished(at),
            Err(_) => return Step::Fault(at, 1),
        };
        let key = batch.tape.record(&batch.text, place).as_str().unwrap_or_default().to_owned();
        batch.tape.truncate(place);
        self.keys_length += key.len();
        if self.keys.len() >= MEMBERS_LIMIT || self.keys_length > KEYS_LIMIT {
            return Step::TooMuch;
        }
        self.opens(&key);
        if !self.keys.insert(key.into_boxed_str()) {
            return Step::Fault(at, 1);
        }
        self.state = State::Colon;
        Step::To(end)
    }

    fn value(&mut self, at: usize, outer: usize, ended: bool, wanted: bool, behind: State, batch: &mut Batch) -> Step {
        match batch.tape.read_at(&batch.text, at, outer, ended) {
            Ok((place, end)) => {
                if wanted {
                    batch.push(self.number, What::Record(place));
                } else {
                    batch.tape.truncate(place);
                }
                self.number = self.number.saturating_add(1);
                self.state = behind;
                Step::To(end)
            }
            Err(Stop::Incomplete) if !ended => Step::Unfinished(at),
            Err(Stop::Fault(fault)) if matches!(fault.kind, FaultKind::TooMany(_)) => {
                self.pass_over(wanted, behind, batch);
                Step::To(at)
            }
            Err(_) => Step::Fault(at, outer),
        }
    }

    fn pass_over(&mut self, wanted: bool, behind: State, batch: &mut Batch) {
        if wanted {
            batch.push(self.number, What::OverLimits);
        }
        self.number = self.number.saturating_add(1);
        self.state = State::Passing(Scan::default(), Box::new(behind));
    }

    /// Goes over what is read so far; whether more is of interest.
    fn walk(&mut self, ended: bool, batch: &mut Batch) -> bool {
        let mut at = 0;
        loop {
            match &mut self.state {
                State::Done => return false,
                State::Passing(scan, behind) => match scan.feed(&batch.text.as_bytes()[at..]) {
                    Some(end) => {
                        self.state = (**behind).clone();
                        at += end;
                        continue;
                    }
                    None if ended => return self.broken(batch, false),
                    None => return true,
                },
                State::Broken(scan) => {
                    let deep = scan.feed(&batch.text.as_bytes()[at..]).is_some();
                    if deep || ended {
                        return self.broken(batch, deep);
                    }
                    return true;
                }
                _ => {}
            }
            match self.step(at, ended, batch) {
                Step::To(next) => at = next,
                Step::Fault(place, outer) => {
                    self.state = State::Broken(DepthScan::new(outer));
                    at = place;
                }
                Step::TooMuch => return self.broken(batch, true),
                Step::Unfinished(_) if ended => {
                    if matches!(self.state, State::End(_)) {
                        self.state = State::Done;
                        return false;
                    }
                    let outer = match self.state {
                        State::Start(_) => 0,
                        State::Element(_) | State::ElementEnded if !self.root_list => 2,
                        _ => 1,
                    };
                    self.state = State::Broken(DepthScan::new(outer));
                }
                Step::Unfinished(start) => {
                    let rest = &batch.text.as_bytes()[start..];
                    self.carry.splice(0..0, rest.iter().copied());
                    if matches!(self.state, State::Key(_) | State::Member | State::Element(_)) && !rest.is_empty() {
                        let mut scan = Scan::default();
                        scan.feed(rest);
                        self.scan = Some(scan);
                    }
                    return true;
                }
            }
        }
    }

    fn broken(&mut self, batch: &mut Batch, over: bool) -> bool {
        batch.push(0, What::Broken(over));
        self.state = State::Done;
        false
    }
}

impl<R: Read> Cut for Document<R> {
    fn fill(&mut self, batch: &mut Batch) -> io::Result<bool> {
        let mut bytes = std::mem::take(&mut batch.text).into_bytes();
        bytes.append(&mut self.carry);
        let mut ended;
        loop {
            let fresh = bytes.len();
            ended = read_block(&mut self.input, &mut bytes)?;
            if let State::Start(true) = self.state
                && fresh == 0
                && bytes.starts_with(b"\xEF\xBB\xBF")
            {
                bytes.drain(..3);
            }
            // The end of a value that is known to go on is looked for in what is new only: it is read once.
            let Some(scan) = &mut self.scan else { break };
            if scan.feed(&bytes[fresh.min(bytes.len())..]).is_some() || ended {
                self.scan = None;
                break;
            }
            if bytes.len() > self.limit {
                let scan = self.scan.take().expect("it was there");
                match self.state.clone() {
                    State::Element(_) => self.pass_over(self.wanted, State::ElementEnded, batch),
                    State::Member => self.pass_over(false, State::MemberEnded, batch),
                    _ => {
                        self.broken(batch, true);
                        return Ok(false);
                    }
                }
                if let State::Passing(passing, _) = &mut self.state {
                    *passing = scan;
                }
                return Ok(true);
            }
        }
        if !ended {
            let whole = bytes.len() - unfinished(&bytes);
            self.carry.extend_from_slice(&bytes[whole..]);
            bytes.truncate(whole);
        }
        batch.text = into_text(bytes);
        Ok(self.walk(ended, batch) && !ended)
    }
}

/// The bytes at the end of `bytes` that may be the beginning of a character.
fn unfinished(bytes: &[u8]) -> usize {
    for back in 1..=bytes.len().min(3) {
        match bytes[bytes.len() - back] {
            0x80..=0xBF => {}
            0xC2..=0xDF => return if back < 2 { back } else { 0 },
            0xE0..=0xEF => return if back < 3 { back } else { 0 },
            0xF0..=0xF4 => return back,
            _ => return 0,
        }
    }
    0
}

/// Looks for the end of a value, piece by piece, without reading it.
#[derive(Debug, Clone, Default)]
struct Scan {
    depth: usize,
    in_string: bool,
    after_backslash: bool,
    /// The value is a number or a word, which ends where something else begins.
    bare: bool,
}

impl Scan {
    /// The offset in `piece` behind the value, if it ends there.
    fn feed(&mut self, piece: &[u8]) -> Option<usize> {
        let mut at = 0;
        while let Some(&byte) = piece.get(at) {
            if self.after_backslash {
                self.after_backslash = false;
                at += 1;
                continue;
            }
            if self.in_string {
                at += memchr2(b'"', b'\\', &piece[at..])? + 1;
                self.after_backslash = piece[at - 1] == b'\\';
                self.in_string = self.after_backslash;
                if !self.in_string && self.depth == 0 {
                    return Some(at);
                }
                continue;
            }
            if self.bare && matches!(byte, b',' | b']' | b'}' | b' ' | b'\n' | b'\r' | b'\t') {
                return Some(at);
            }
            at += 1;
            match byte {
                b'"' if !self.bare => self.in_string = true,
                b'{' | b'[' if !self.bare => self.depth += 1,
                b'}' | b']' => {
                    self.depth = self.depth.saturating_sub(1);
                    if self.depth == 0 {
                        return Some(at);
                    }
                }
                _ => self.bare |= self.depth == 0,
            }
        }
        None
    }
}

const _: () = assert!(DEPTH_LIMIT > 2, "elements stand inside of two containers");

#[cfg(test)]
mod tests;
