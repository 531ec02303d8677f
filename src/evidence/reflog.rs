//! Reflogs: every movement of a ref, as Git writes it down.

/// One movement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Movement {
    /// Where the ref pointed; zeros for nowhere.
    pub old: String,
    /// Where it points now.
    pub new: String,
    /// Seconds since 1970 of the committer's clock.
    pub at: i64,
    /// What moved it.
    pub by: By,
}

/// What moved a ref.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum By {
    /// A commit; `true` for an amended one.
    Commit(bool),
    /// Merge, cherry-pick, revert, the end of a rebase, pull.
    Other,
    /// A reset.
    Reset,
    /// A checkout, a clone, a new branch, anything else: no new commit.
    Elsewhere,
}

impl Movement {
    /// Whether it may be a landing: a new commit on the ref.
    pub fn lands(&self) -> bool {
        matches!(self.by, By::Commit(_) | By::Other) && self.old != self.new
    }
}

/// The most movements that are kept; older ones go first.
const LIMIT: usize = 100_000;

/// Reads a reflog. `None` where a line is none; an empty one is a reflog that shows nothing.
pub fn read(text: &str) -> Option<Vec<Movement>> {
    let mut movements = Vec::new();
    for line in text.lines().filter(|line| !line.is_empty()) {
        let movement = line_of(line)?;
        if movements.len() < LIMIT {
            movements.push(movement);
        }
    }
    Some(movements)
}

fn line_of(line: &str) -> Option<Movement> {
    let (before, message) = line.split_once('\t').unwrap_or((line, ""));
    let (old, rest) = before.split_once(' ')?;
    let (new, rest) = rest.split_once(' ').unwrap_or((rest, ""));
    let whole = |hash: &str| matches!(hash.len(), 40 | 64) && hash.bytes().all(|byte| byte.is_ascii_hexdigit());
    if !whole(old) || !whole(new) || old.len() != new.len() {
        return None;
    }
    // The name may hold spaces and angle brackets: the time stands behind the last one.
    let (_, time) = rest.rsplit_once('>')?;
    let at = time.split_whitespace().next()?.parse().ok()?;
    Some(Movement { old: old.to_ascii_lowercase(), new: new.to_ascii_lowercase(), at, by: by(message) })
}

fn by(message: &str) -> By {
    let head = message.split(": ").next().unwrap_or_default();
    match head {
        "commit (amend)" => By::Commit(true),
        _ if head == "commit" || head.starts_with("commit (") => By::Commit(false),
        _ if head.starts_with("reset") => By::Reset,
        _ if head.starts_with("merge") || head.starts_with("cherry-pick") || head.starts_with("revert") || head.starts_with("pull") => {
            By::Other
        }
        _ if head.starts_with("rebase (finish)") || head.starts_with("rebase -i (finish)") || head.starts_with("rebase finished") => {
            By::Other
        }
        _ => By::Elsewhere,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_may_be_anything_and_messages_absent() {
        let (one, two) = ("1".repeat(40), "2".repeat(40));
        let text = format!(
            "{one} {two} A <B> C <a@b> 1790000000 +0000\tcommit (amend): x: y\n{two} {two}  <> 1790000001 -0500\n{two} {one} A <a> 1790000002 +0000\treset: moving to HEAD~1\n"
        );
        let movements = read(&text).expect("it reads");
        assert_eq!(movements.iter().map(|movement| movement.by).collect::<Vec<_>>(), [By::Commit(true), By::Elsewhere, By::Reset]);
        assert!(movements[0].lands() && !movements[1].lands() && !movements[2].lands());
        assert_eq!(read("hello"), None);
        assert_eq!(read(""), Some(Vec::new()));
    }
}
