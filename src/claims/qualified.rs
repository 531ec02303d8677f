//! Of what, where and how a claim about tests or a build holds.

use super::Kind;
use super::prose::Sentence;
use super::ready::Ready;

/// Whether what is claimed holds of some matter, place or condition only.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Qualified {
    No,
    /// Of these matters only, by name: a run that was aimed at them decides.
    By(Vec<String>),
    Yes,
}

/// Whoever accuses must know all of the words: one that is not known may say which tests are meant.
pub(super) fn qualified(
    kind: Kind,
    introduced: &str,
    body: &str,
    hit: &regex::Match<'_>,
    sentence: &Sentence,
    language: &Ready,
) -> Qualified {
    // *On Node 20, all tests pass.*
    let placed = language.places.find(body).map_or("", |place| &body[..hit.start().max(place.end())]);
    if [introduced, placed].iter().any(|text| language.qualifiers.is_match(&language.unqualified.replace_all(text, " "))) {
        return Qualified::Yes;
    }
    let end = language.apart.find_at(body, hit.end()).map_or(body.len(), |apart| apart.start());
    let region = language.unqualified.replace_all(&body[hit.start()..end], " ");
    let placed = language.aimed.is_match(&region);
    if language.qualifiers.is_match(&language.aimed.replace_all(&region, " ")) {
        return Qualified::Yes;
    }
    let mut matters = Vec::new();
    // Which of several names is meant is not known.
    let only = || (sentence.names.len() == 1).then(|| sentence.names[0].clone());
    if placed {
        match only() {
            Some(name) => matters.push(name),
            None => return Qualified::Yes,
        }
    }
    let (nouns, generic) = match kind {
        Kind::BuildOk => (&language.build_nouns, &language.generic_builds),
        _ => (&language.test_nouns, &language.generic),
    };
    let noun = nouns.find_iter(&body[..hit.end()]).find(|noun| noun.end() > hit.start());
    if let Some(noun) = noun {
        // *The test passes*: one test does.
        let behind = body[noun.end()..].trim_start();
        let names_all = [
            "suite", "run", "case", "result", "command", "set", "fail", "error", "binaries", "targets", "classes", "files", "modules",
            "groups",
        ]
        .iter()
        .any(|word| behind.starts_with(word));
        if matches!(noun.as_str(), "test" | "spec")
            && !names_all
            && body[..noun.start()].ends_with(' ')
            && !language.each.is_match(&body[..noun.start()])
        {
            return Qualified::Yes;
        }
        let before = body[..noun.start()].trim_end();
        let word = before.rsplit([' ', '(', '/']).next().unwrap_or_default();
        let parted = before.ends_with([',', ':', ';', ')']);
        if matches!(word, "CODE" | "PATH") && !parted {
            // *`core` builds; `cli` is the one left.*
            match only() {
                Some(name) => matters.push(name),
                None => return Qualified::Yes,
            }
        } else if !word.is_empty() && !parted && !generic.is_match(word) {
            // An image is what Docker builds.
            let image = kind == Kind::BuildOk && matches!(word, "image" | "images" | "container");
            matters.push(if image { "docker" } else { word }.to_owned());
        }
    }
    if matters.is_empty() { Qualified::No } else { Qualified::By(matters) }
}

/// Whether a path's last name is that of a file of tests, as runners look for them.
pub(super) fn is_test_file(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path).to_ascii_lowercase();
    name.split(['.', '_', '-']).any(|part| matches!(part, "test" | "tests" | "spec" | "specs"))
        || name.split('.').next().is_some_and(|stem| stem.ends_with("test") || stem.ends_with("tests") || stem.ends_with("spec"))
}
