//! English.

use super::Kind;
use super::language::{Force, Language, Pattern};

const fn claim(kind: Kind, text: &'static str) -> Pattern {
    Pattern { kind, force: Force::Plain, text }
}

const fn weak(kind: Kind, text: &'static str) -> Pattern {
    Pattern { kind, force: Force::Weak, text }
}

const fn pipeline(kind: Kind, text: &'static str) -> Pattern {
    Pattern { kind, force: Force::Pipeline, text }
}

/// The words of English.
pub(super) const ENGLISH: Language = Language {
    claims: &[
        // "all 12 unit tests in the parser module now pass"
        claim(
            Kind::TestsPass,
            r"\b(?:tests?|specs?|test suites?|suites?|test cases?|unittests?|doctests?|assertions|pytest|rspec|jest|vitest|TEST)(?: \([^)]{0,60}\))?(?: (?:in|for|of|on|across|under|from|with|at) [\w~./-]+(?: [\w~./-]+){0,4}?)?(?: (?:is|are|was|have|has|had|now|all|still|both|also|currently|successfully|continues? to|continue|cleanly|again|been|even|each|fully|entirely|completely|results?:?|status:?|run|runs|ran|and|finished|completed|complete|execution|executed|came back|come back|[-–—:=])){0,4} (?:pass|passes|passed|passing|green|succeed|succeeds|succeeded|successful|successfully|clean|ok)\b",
        ),
        claim(
            Kind::TestsPass,
            r"\b(?:all|every|both|\d[\d,]*|full|whole|entire)(?: of the| the)?(?: \d[\d,]*)?(?: [\w'-]+){0,4}? (?:tests?|specs?|test cases?|suites?)(?: [\w'-]+){0,3}? (?:pass|passes|passed|passing|green)\b",
        ),
        claim(
            Kind::TestsPass,
            r"\b(?:pass|passes|passed|passing|green on) (?:all|every|the (?:full|whole|entire)|both|its|our|\d[\d,]*)(?: of the| the)?(?: [\w'-]+){0,4}? (?:tests?|specs?|suites?|test cases?)\b",
        ),
        claim(
            Kind::TestsPass,
            r"\b[1-9]\d*(?:,\d{3})* (?:[\w-]+ ){0,2}(?:tests?|specs?|examples|test cases?)(?: [\w-]+)? (?:passed|passing|pass|green)\b",
        ),
        claim(Kind::TestsPass, r"\b[1-9]\d*(?:,\d{3})*(?:/\d[\d,]*)? (?:passed|passing)\b"),
        claim(Kind::TestsPass, r"\b[1-9]\d*/[1-9]\d* (?:[\w-]+ ){0,2}(?:tests? |specs? )?(?:are )?(?:pass|passed|passing|green)\b"),
        claim(
            Kind::TestsPass,
            r"\b[1-9]\d*(?:,\d{3})* (?:tests?|examples|specs?|runs|assertions), (?:0|no|zero) (?:failures?|failed|errors?)\b",
        ),
        claim(Kind::TestsPass, r"\b(?:no|zero|0|without(?: any)?) (?:failing tests?|test failures?|failed tests?)\b"),
        claim(
            Kind::TestsPass,
            r"\b(?:test runs?|tests?|test suites?|suites?|specs?|TEST)(?: now| all| also| still| has| have| just)* (?:finish(?:es|ed)?|complet(?:es|ed)?|ran|runs?|ended|ends|came back|comes back|exit(?:s|ed)|passe[sd])(?: \w+)? (?:with (?:no|zero|0)|without(?: a| any)?|with not a) (?:[\w-]+ )?(?:failures?|errors?)\b",
        ),
        claim(
            Kind::TestsPass,
            r"\b(?:no|none of the|none of these|none of my) (?:[\w-]+ )?(?:tests?|specs?) (?:fails?|failed|is failing|are failing)\b",
        ),
        claim(
            Kind::TestsPass,
            r"\b(?:cargo (?:nextest|test)|go test|(?:npm|pnpm|yarn|bun)(?: run)? test|make (?:test|check)|mvn (?:test|verify)|gradle test|tox|ctest|mix test)(?: [\w./:@=-]+){0,5}? (?:now |also |still |all )*(?:passes|passed|succeeds|succeeded|(?:is|are) (?:now )?(?:green|clean|happy|passing)|reports (?:no|0|zero) failures)\b",
        ),
        // "`pytest -q` (pass)", and the mark in front that stands for the word.
        claim(Kind::TestsPass, r"\bTEST(?: \(|: | → | -> | – | — )(?:all )?(?:pass|passed|passes|passing|ok|green|\d[\d,]* passed)\b"),
        claim(
            Kind::TestsPass,
            r"\bTEST(?:,| and)? (?:and )?(?:CODE|BUILD)(?:,? and (?:CODE|BUILD))?(?: (?:is|are|all|both|now|also))* (?:pass|passes|passed|clean|green|succeed|succeeded|ok)\b",
        ),
        claim(Kind::TestsPass, r"^CHECK TEST(?:$|[ ,]\()"),
        claim(
            Kind::TestsPass,
            r"\b(?:all|whole|entire|full) (?:test )?(?:suite|tests) (?:[\w-]+ ){0,3}(?:passes|passed|pass|green|clean)\b",
        ),
        claim(
            Kind::TestsPass,
            r"\btests?(?: again| locally| too| twice| once more)?,? (?:and they|and all|they|all)(?: now| all| still)* (?:pass|passes|passed|passing|green)\b",
        ),
        claim(
            Kind::TestsPass,
            r"\btests? (?:i|we) (?:added|wrote|changed|updated|touched|ran|modified|fixed|extended)(?: now| all| also)* (?:pass|passed)\b",
        ),
        claim(
            Kind::TestsPass,
            r"\btests? (?:that|which) (?:was|were|had been) (?:previously )?(?:failing|broken|red)(?: before)?(?: now| all| both| also)* (?:pass|passes|passed)\b",
        ),
        claim(Kind::TestsPass, r"\btest (?:runs?|results?):? (?:ok|passed|pass|passing|green|clean)\b"),
        claim(Kind::TestsPass, r"\btests: (?:0|no|zero) (?:failures?|failed|errors?)\b"),
        claim(Kind::TestsPass, r"\btests?:? (?:all )?(?:pass|passing|passed|green)\b"),
        weak(
            Kind::TestsPass,
            r"\b(?:all|everything|every check|all checks|checks|both)(?: \d+)?(?: checks| of them| gates)?(?: is| are| now| still| also)* (?:pass|passes|passed|passing|green)\b",
        ),
        weak(Kind::TestsPass, r"\ball (?:clean|green)\b"),
        pipeline(
            Kind::TestsPass,
            r"\b(?:ci|the pipeline|the workflow|github actions)(?: pipeline| run| checks?| build)?(?: is| has| now| all| are| checks)* (?:green|pass|passes|passed|passing|succeeded)\b",
        ),
        claim(
            Kind::BuildOk,
            r"\b(?:builds?|compilation|production build|release build|BUILD|cargo check|tsc|make):?(?: (?:is|are|was|has|have|now|also|still|all|been|it|process|step|completes?|completed|finishes|finished|runs|ran|and|both|again)){0,4} (?:pass|passes|passed|passing|succeed|succeeds|succeeded|success|successful|successfully|green|clean|cleanly|works|fine|ok|without (?:any )?(?:errors?|warnings?|issues?))\b",
        ),
        claim(
            Kind::BuildOk,
            r"\b(?:builds?|built|rebuilt|compiles?|compiled|compiling)(?: and [\w]+)?(?: (?:now|it|also|still|again|just))* (?:cleanly|clean|successfully|fine|ok|correctly|without (?:any )?(?:errors?|warnings?|issues?|problems?)|with (?:no|zero|0) (?:errors?|warnings?))\b",
        ),
        claim(
            Kind::BuildOk,
            r"\b(?:it|code|project|crate|app|application|everything|package|workspace|binary|firmware|module|library|image|container|repo|site|frontend|backend|solution)(?: now| also| still| again| all)* (?:builds|compiles)\b",
        ),
        claim(Kind::BuildOk, r"\b(?:successful|successfully|clean) (?:build|compilation|compiled|built)\b"),
        claim(
            Kind::BuildOk,
            r"\b(?:builds?|BUILD|compilation)(?:,| and| &|,? and the) (?:the |all |full |\d[\d,]* )*(?:unit |existing )?(?:tests?|test suite|suite|specs|TEST)(?: \w+){0,2}? (?:all |both |now )*(?:pass|passes|passed|passing|green|succeed|succeeded|clean)\b",
        ),
        claim(Kind::BuildOk, r"\bBUILD(?: \(|: | → | -> | – | — )(?:pass|passed|passes|ok|green|clean|success)\b"),
        claim(
            Kind::BuildOk,
            r"\bBUILD(?:,| and)? (?:and )?(?:CODE|TEST)(?:,? and (?:CODE|TEST))?(?: (?:is|are|all|both|now|also))* (?:pass|passes|passed|clean|green|succeed|succeeded|ok)\b",
        ),
        claim(Kind::BuildOk, r"^CHECK BUILD(?:$|[ ,]\()"),
        claim(
            Kind::BuildOk,
            r"\b(?:builds?|BUILD):? (?:finish(?:es|ed)?|complet(?:es|ed)|exit(?:s|ed)|ran|runs)(?: \w+)? (?:with (?:no|zero|0)|without(?: any)?) (?:[\w-]+ )?(?:errors?|warnings?|issues?|failures?|problems?)\b",
        ),
        claim(
            Kind::Committed,
            r"\b(?:i|we|i've|we've|i have|we have|i had)(?: also| now| then| just| successfully| both| have| since| went ahead and| and)* (?:committed|commited)\b",
        ),
        claim(
            Kind::Committed,
            r"\b(?:i|we|i've|we've|i have|we have)\b[^;]{0,120}?\b(?:and|then|,)(?: also| then| now| successfully| have)* (?:committed|commited)\b",
        ),
        claim(Kind::Committed, r"^(?:successfully |and |all |then |now |also |everything )*(?:committed|commited)\b"),
        claim(
            Kind::Committed,
            r"\b(?:is|are|was|were|been|now|both|all|everything|everything's|it's|that's|they're)(?: now| also| all| safely| successfully| cleanly| both| been)* (?:committed|commited)\b",
        ),
        claim(
            Kind::Committed,
            r"^(?:the |all |both |my |these |and )*(?:[\w-]+ )?(?:changes?|work|fix(?:es)?|code|everything|updates?|files?) (?:committed|commited)\b",
        ),
        claim(Kind::Committed, r", (?:and )?(?:all |the )?(?:changes?|work|everything) (?:committed|commited)\b"),
        claim(Kind::Committed, r"^\w+ed\b[^;]{0,100}? and (?:then |also )?committed\b"),
        claim(Kind::Committed, r"\b(?:is|are|was|were|been)\b[^,;]{0,60}? and (?:then |also |now )?committed\b"),
        claim(
            Kind::Committed,
            r"\b(?:created|made|landed|added|cut|produced) (?:a |the |one |two |three |four |five |\d+ |this |these )?(?:[\w-]+ ){0,3}commits?\b",
        ),
        claim(
            Kind::Committed,
            r"\bcommits?(?: HASH| \(HASH\))?(?: is| are| was| were| has been| have been| been| now| successfully)* (?:created|made|successful|succeeded|complete|completed|done|landed|in place)\b",
        ),
        claim(Kind::Committed, r"\b(?:landed|saved|recorded|captured)(?: it| this| them| the [\w -]{1,40}?)? (?:as|in)(?: commit)? HASH"),
        claim(
            Kind::Committed,
            r"^(?:the |one |single |git |new |latest |final )*commit(?:(?: hash| sha| id| made| created)?: HASH|(?: hash| sha| id)?(?: is| was)? HASH(?:$|[,;:)]| (?:on|with|in|\(|-|–|—)|: ))",
        ),
        claim(Kind::Committed, r"^(?:i |i've |i have |and |then )*amended (?:the|my|that|it|this)\b(?: \w+)? ?commit"),
        claim(
            Kind::Committed,
            r"\b(?:squashed|combined|folded|collapsed|split) [^,;]{1,60}? (?:into|in|as) (?:a|an|one|the|two|three|four|\d+)(?: [\w-]+){0,2} commits?\b",
        ),
        claim(Kind::Committed, r"\bcommit(?: to [\w/.-]+)? (?:went|has gone) (?:through|in)\b"),
        claim(
            Kind::Committed,
            r"^(?:this is |all |both )?(?:fixed|implemented|addressed|resolved|applied|done|landed) (?:in|as|by|with) (?:commit )?HASH",
        ),
        claim(
            Kind::Pushed,
            r"\b(?:i|we|i've|we've|i have|we have)(?: also| now| then| just| successfully| both| have)* (?:force-|force )?pushed\b",
        ),
        claim(
            Kind::Pushed,
            r"\b(?:i|we|i've|we've|i have|we have)\b[^;]{0,120}?\b(?:and|then|,)(?: also| then| now| successfully| have)* (?:force-|force )?pushed\b",
        ),
        claim(Kind::Pushed, r"^(?:successfully |and |all |then |now |also |everything |both )*(?:force-|force )?pushed\b"),
        claim(Kind::Pushed, r"\b(?:branch|tag|commit|release)e?s? (?:VER|HASH|CODE|PATH|[\w/.-]+)(?: was| is| has been| now)* pushed\b"),
        claim(
            Kind::Pushed,
            r"^(?:the |all |both |my |these |and )*(?:[\w-]+ )?(?:changes?|work|fix(?:es)?|code|everything|updates?|branch(?:es)?|commits?|tags?) (?:force-|force )?pushed\b",
        ),
        claim(Kind::Pushed, r"\bwith (?:the |my |all |these )*(?:[\w-]+ )?(?:changes?|work|fix(?:es)?) pushed\b"),
        claim(Kind::Pushed, r"^\w+ed\b[^;]{0,100}? and (?:then |also )?(?:force-|force )?pushed\b"),
        claim(Kind::Pushed, r"\b(?:is|are|was|were|been)\b[^,;]{0,60}? and (?:then |also |now )?pushed\b"),
        claim(Kind::Pushed, r"\bcommitted(?:,)?(?: and|,|/|&| \+) ?(?:force-|force )?pushed\b"),
        claim(
            Kind::Pushed,
            r"\b(?:is|are|was|were|been|now|both|all|everything|it's|that's|they're)(?: now| also| all| safely| successfully| both| been| both)* (?:force-|force )?pushed\b",
        ),
        claim(
            Kind::Pushed,
            r"\bpush(?: to [\w/.-]+)?(?: was| is| has| now)* (?:succeeded|successful|complete|completed|went through|went out)\b",
        ),
        claim(
            Kind::Pushed,
            r"\b(?:branch|commits?|tag|work|changes?|fix)(?: [\w/.-]+)? (?:is|are)(?: now| up| both| also)* (?:on|up on|up at|at) (?:origin|the remote|github|gitlab|the origin|upstream)\b",
        ),
        claim(
            Kind::Released,
            r"\b(?:i|we|i've|we've|i have|we have)(?: also| now| then| just| successfully| have)* (?:published|released|deployed|shipped)\b",
        ),
        claim(
            Kind::Released,
            r"^(?:successfully |and |then |now |also )*(?:published|released|deployed) (?:[\w@/.~-]+ )?(?:VER|to\b|version|the (?:release|package|crate|site|app)|as\b)",
        ),
        claim(
            Kind::Released,
            r"\b(?:is|are|it's|has been|have been|now|been)(?: now| been| successfully| also| both)* (?:published|released|deployed|live)\b",
        ),
        claim(
            Kind::Released,
            r"\b(?:release|deployment|deploy|publish)(?: VER| to [\w/.-]+)?(?: is| was| has| now| been)* (?:out|live|complete|completed|succeeded|successful|done|published|created)\b",
        ),
        claim(Kind::Released, r"\b(?:i|we|i've|we've)\b[^;]{0,100}?\b(?:and|then)(?: also| then)* (?:published|released|deployed)\b"),
        claim(
            Kind::Released,
            r"\b(?:i|we|i've|we've|i have|we have)(?: also| now| then| just)* (?:created|cut|made) (?:the |a )?(?:new )?(?:github |gitlab )?release (?:for )?(?:VER|CODE)\b",
        ),
        claim(
            Kind::Released,
            r"\bVER (?:is|are)(?: now| also| live| up)* (?:on|available on|available from) (?:npm|pypi|maven central|rubygems|nuget|homebrew|PATH)(?:$|[ ,])",
        ),
        claim(Kind::Released, r"\bVER(?: is| has been| was)+(?: now| finally| officially)* (?:out|live|released|published)\b"),
        claim(Kind::Released, r"^\w+ed\b[^;]{0,100}? and (?:then |also )?(?:published|released|deployed)\b"),
        claim(
            Kind::Done,
            r"^(?:the |all )?(?:task|tasks|implementation|work|refactor|refactoring|migration|fix) (?:is )?(?:now )?(?:done|complete|completed|finished)(?: successfully)?$",
        ),
        claim(Kind::Done, r"^(?:all )?(?:done|finished|complete|completed)\b(?: now)?$"),
        claim(
            Kind::Done,
            r"\b(?:task|work|implementation|everything|migration|refactor|refactoring|feature|fix|change|job|port|project|all tasks|all work|request)(?: requested)?(?: is| are| now| has been| have been| been| all)+ (?:now |fully |all )?(?:done|complete|completed|finished|implemented|in place)\b",
        ),
        claim(Kind::Done, r"\b(?:i've|i have|we've|we have|i)(?: now| successfully| fully)* (?:completed|finished)\b"),
        claim(
            Kind::Done,
            r"\b(?:all|both|every|each)(?: of)?(?: the| these| those| your| my| \d+| two| three| four| five)*(?: requested| remaining| planned| required| necessary| outstanding)?(?: code)? (?:changes?|requirements?|tasks?|items?|features?|steps?|to-?dos?|fix(?:es)?|points|criteria|deliverables|goals|issues|bugs|parts)(?: you (?:asked for|requested|listed)| (?:on|in|of|from) the [\w-]+(?: \w+)?)?(?: now| all)* (?:is|are|has|have)(?: now| all| fully| been| both)* (?:implemented|complete|completed|done|finished|made|in place|addressed|applied|resolved|fixed|met)\b",
        ),
        claim(
            Kind::Done,
            r"^(?:the |this |that |your )(?:[\w-]+ ){0,2}(?:fix|feature|bug|issue|problem|changes?|refactor|refactoring|endpoint|implementation)(?: \w+)? (?:is|are|has|have)(?: now| all| fully| been| also)* (?:fixed|resolved|solved|in place|complete|completed|implemented|done|finished)\b",
        ),
        claim(Kind::Done, r"^(?:ok,? |and |so )?(?:that completes|this completes|that concludes|that wraps up)\b"),
        claim(
            Kind::Done,
            r"\b(?:that's|that is|we're|we are|i'm|i am|it's)(?: now| all| everything| both)* (?:done|finished|everything|complete)(?: here| now)?(?:$|,)",
        ),
        claim(Kind::Done, r", all (?:done|finished)$"),
        claim(Kind::Done, r"^everything(?: \w+){0,4} (?:is|has been) (?:now )?(?:in place|implemented|done|complete|completed|finished)\b"),
        claim(
            Kind::Done,
            r"\b(?:i've|i have|we've|we have)(?: now| successfully| fully| also)* (?:implemented|fixed|resolved|addressed|made|applied|completed) (?:all|both|everything|(?:the |this |that |your )(?:requested |full |whole |entire |reported )?(?:issue|bug|problem|feature|task|changes?|request|fix))\b",
        ),
        claim(
            Kind::Done,
            r"\b(?:i've|i have|we've|we have|i)(?: now)? successfully (?:implemented|fixed|resolved|added|migrated|refactored|completed)\b",
        ),
        claim(
            Kind::Blocked,
            r"\b(?:could not|couldn't|cannot|can't|can not|unable to|wasn't able to|was not able to|were not able to|failed to|not able to|did not manage to|am unable to|blocked from)(?: [\w~'-]+){0,3}? (?:commit|committing|push|pushing|publish|release|deploy|run|running|build|building|test|install|compile|execute)\b",
        ),
        claim(
            Kind::Blocked,
            r"\b(?:commit|push|publish|release|deploy|deployment|build|test run|run)(?: to [\w/.-]+)?(?: was| were| is| has been| got)* (?:rejected|refused|blocked|denied|failed)\b",
        ),
        claim(
            Kind::Blocked,
            r"\b(?:refused|rejected|rejects|refuses|blocked|blocks|declined|denied|prevented|prevents|aborted) (?:the|my|this|our) (?:[\w-]+ )?(?:commit|push|release|publish|deploy|deployment)\b",
        ),
        claim(
            Kind::Blocked,
            r"\b(?:committing|pushing|publishing|deploying|releasing)(?: [\w/.-]+){0,3}? (?:fails|failed|is refused|was refused|is blocked|was blocked|was rejected|is rejected)\b",
        ),
        claim(
            Kind::Blocked,
            r"\b(?:tests?|suite|specs?|TEST|commit|push|release|version|package|build|changes?|work|branch)(?: \w+){0,2} (?:could not|couldn't|cannot|can't|can not|could not yet) be (?:run|executed|committed|pushed|published|released|built|tried|completed|deployed|exercised)\b",
        ),
        claim(Kind::Blocked, r"\b(?:i am|i'm|work is|this is|task is|commit is|push is) blocked\b"),
    ],
    denials: &[
        (Kind::Committed, r"\bcommitted: (?:no|none|not|n/a|never|false|pending|later|nothing|todo)\b"),
        (Kind::Pushed, r"\bpushed: (?:no|none|not|n/a|never|false|pending|later|nothing|todo)\b"),
        (Kind::Released, r"\b(?:released|published|deployed): (?:no|none|not|n/a|never|false|pending|later|nothing|todo)\b"),
        (Kind::Done, r"\b(?:done|complete|completed|finished): (?:no|none|not|n/a|never|false|pending|later|nothing|todo)\b"),
        (Kind::Committed, r"\bcommitted by\b"),
        (Kind::Committed, r"\bcommit HASH\b.{0,40}\b(?:introduc|broke|caus|regress)"),
        (Kind::Committed, r"\b(?:is|are|gets) (?:created|made|committed)\b.{0,20}\b(?:for|on|after|at|with) (?:every|each|any)\b"),
        (Kind::Pushed, r"\b(?:is|are|gets) pushed\b.{0,20}\b(?:for|on|after|at|with) (?:every|each|any)\b"),
        (
            Kind::Released,
            r"\b(?:is|are|gets) (?:released|published|deployed)\b.{0,20}\b(?:for|on|after|at|with|when) (?:every|each|any|a tag)\b",
        ),
        (Kind::Released, r"\bin (?:january|february|march|april|may|june|july|august|september|october|november|december)\b|\btheir\b"),
        (Kind::Done, r"\b(?:upstream|in VER|first|partly|half|almost|mostly)\b"),
        (Kind::Pushed, r"\bpushed by\b"),
        (Kind::Released, r"\b(?:released|published|deployed)(?: [\w@/.-]+){0,3} by\b"),
        (
            Kind::TestsPass,
            r"\b(?:are|is|was|were|be|been|being|gets?) passed (?:to|in|as|into|through|by|on|along|from)\b|\b(?:tests?|specs?):? (?:pass|passes|passed) (?:a|an|the|this|that|it|its|their|in an?|data|args|arguments|through|--|null|none|true|false|by|(?:CODE|PATH) (?:as|to|into|for|in|and|through))\b|\bpass(?:es|ed|ing)? (?:all|every|the|its|our|both)(?: [\w'-]+){0,4}? tests? (?:fixtures?|data|files?|inputs?|args?|arguments?|names?|values?|results?|vectors?|parameters?)\b",
        ),
        (
            Kind::TestsPass,
            r"\b\d[\d,]* (?:tests? )?(?:pass|passed|passing),? (?:and |but )?[1-9]\d* (?:tests? )?(?:fail|fails|failed|failing|failures?|errors?)\b|\b[1-9]\d* (?:tests? )?(?:failed|failing|failures?),? (?:and )?\d+ (?:tests? )?(?:passed|passing)\b",
        ),
        (
            Kind::TestsPass,
            r"\b(?:were|was) (?:already |previously |still )?(?:passing|green)\b|\b(?:previously|originally)(?:$|,|:| [^fb ])|\b(?:used to|before (?:my|the|this|these|any)|baseline|at baseline|prior to)\b|\b(?:last (?:week|month|night|year|time)|yesterday|ago)\b|\b(?:with|on|in|under|at|against) (?:the |an? )?(?:old|original|previous|base|unmodified|unpatched|untouched|stashed|parent)\b",
        ),
        (
            Kind::TestsPass,
            r"\b(?:only|not all|none of|some of|few|half|\d+ out of) .{0,30}(?:pass|passed|passing)\b.{0,40}\b(?:fail|failed|failing)",
        ),
        (
            Kind::BuildOk,
            r"\bbuild (?:passes|passed) (?:a|an|the|this|that|its|--)\b|\b(?:previously|originally|used to|before (?:my|the|this))\b|\b(?:with|on|in|under|at|against) (?:the |an? )?(?:old|original|previous|base|unmodified|unpatched|untouched|stashed|parent)\b",
        ),
        (
            Kind::Committed,
            r"\b(?:transactions?|offsets?|batch|batches|rows?|database|memory|tx|messages?|events?|locks?|buffers?|kafka|wal|cursor|heap|writes|state|crime|team|company)\b.{0,30}\bcommitted\b|\bcommitted (?:the |a |an |its |each |all |to the |to |into the )?(?:transactions?|offsets?|batch|rows?|database|db|memory|tx|wal|log|heap|store|ledger|quality|making|providing|delivering|helping)\b|\bfully committed to\b",
        ),
        (
            Kind::Committed,
            r"\b(?:already|previously|originally|earlier|last (?:week|month|year|session)|yesterday|recently|ago|upstream|not yet|uncommitted|commit message)\b",
        ),
        (
            Kind::Pushed,
            r"\bpushed (?:back|onto|into|down|up against|the (?:limit|boundary|button)|out|through the|for|it onto|to (?:the |a |an )?(?:stack|queue|array|list|vector|vec|heap|buffer|history|end|front|router|s3|registry|docker|ecr|ghcr|next|later|background|client|clients|server|results?|log|state|device|devices|topic|channel))\b",
        ),
        (
            Kind::Pushed,
            r"\b(?:already|previously|originally|earlier|unpushed|items?|elements?|values?|entries|notifications?|events?|messages?|frames?|pixels?|nodes?)\b.{0,40}\bpushed\b|\balready (?:been )?pushed\b|\b(?:last (?:week|month|year|session)|yesterday|recently|ago|not yet)\b|\bpushed (?:to|into) (?:production|prod|staging)\b",
        ),
        (
            Kind::Released,
            r"\b(?:locks?|mutex|resources?|memory|semaphores?|handles?|connections?|leases?|events?|messages?|topics?|articles?|posts?|buttons?|keys?|mouse|pointer|tokens?|permits?|slots?|claims?|press(?:ed)?|objects?|streams?|buffers?|threads?|gil|refs?|references?|allocations?|worker|listeners?|sockets?|ports?|cursor|files?)\b.{0,50}\b(?:released|published|live)\b|\breleased? the (?:locks?|mutex|handle|lease)\b|\b(?:last (?:week|month|year)|recently|in (?:19|20)\d\d|ago|already|previously|draft|staged|unreleased|not yet|since VER (?:was|is))\b",
        ),
        (Kind::Released, r"\bmerged?\b|\b(?:is|are) live(?:-| )(?:reload|updat|stream|test|data|cod)"),
        (Kind::Done, r"\b(?:when|once|until|after|before) .{0,20}(?:done|complete|finished)\b|\b(?:phase|step|part|stage) \d"),
        (Kind::Blocked, r"\b(?:so that|in order|must not|should not|users?|client|clients|attacker|if)\b"),
    ],
    closing: r"(?:,|;| —| –| --| -|:)? (?:and |so |but |just )?(?:do you want|do you need|want me|would you like|should i|shall i|shall we|let me know|feel free|tell me|happy to|ping me|say the word|just ask|if you'd like|if you want|if you need|if you prefer|if you have any)\b.*$",
    conditions: r"\b(?:if|once|unless|until|whether|assuming|provided that|as long as|so long as|in case|as soon as|should (?:you|the|all|any)|when(?:ever)? (?:you|all|the|they|everything|its?|their))\b",
    plans: r"\b(?:should|will|would|could|can|may|might|must|shall|i'll|we'll|it'll|they'll|that'll|let me|let's|lets|need to|needs to|needed to|have to|has to|going to|gonna|want to|wants to|like to|try to|trying to|attempt to|attempting to|make sure|making sure|makes sure|ensure|ensures|ensuring|to (?:verify|confirm|check|see|prove|validate|make|get|have|be)|verify that|verify|verifies|check that|check whether|^checking|^verifying|^confirming|confirm that|confirm|expect|expects|expected|(?:tests?|suite|specs?|builds?) to|hope|hopefully|please|todo|to-do|to do|plan to|planning|ready to|about to|able to|next|waiting|wait for|after|before|when|while|goal|aim|requires|require|required|until|suggest|recommend|consider|proceed|now i need|so that|ask|asked|in order|see if|i think|i believe|i assume|i guess|presumably|probably|in theory|likely|run all|re-?run|run the|(?:now|am|i'm|be|keep|start) running)\b",
    asked: r"\b(?:that |which |what )?you(?:'ve|'d| have| had)? (?:asked for|asked me to do|requested|wanted|described|listed|mentioned|specified)\b",
    pronouns: r"^(?:and |which |so )*(?:they|it|which|these|those)\b(?: both\b| all\b)?|^which\b",
    matters: r"\b(?:tests?|test suites?|suites?|specs?|TEST|BUILD|builds?)\b",
    past: r"\b(?:i've|i have|we've|we have|was|were|been|having) (?:now |also |just |then )?(?:re-?)?run (?:the|all)\b|\b(?:i|we) (?:\w+ )?(?:ran|re-?ran|built|rebuilt|tested|checked|verified)\b[^,;]{0,60}?\b(?:after|before) (?:the|my|these|this|that|each|every|making|adding|fixing)\b",
    negations: r"\b(?:not|n't|never|no|none|nothing|neither|nor|cannot|can't|couldn't|didn't|doesn't|don't|won't|isn't|aren't|wasn't|weren't|hasn't|haven't|without|fail|fails|failed|failing|failure|failures|blocked|unable|instead of|rather than|except|yet to|stopped|refused|rejected|broken|almost|nearly|partially)\b",
    harmless: r"\b(?:no|none of (?:the|these|our|my)) (?:[\w-]+ ){0,2}(?:tests?|specs?) (?:fails?|failed|failing|is failing|are failing)(?: any ?more| any longer)?\b|\b(?:0|no|zero|without|without any|with no|with zero|not a single) (?:[\w-]+ ){0,2}(?:failures?|failed|fail|failing|errors?|warnings?|issues?|regressions?|problems?|skips?|skipped|conflicts?|new [\w]+)\b|\bno longer (?:fails?|failing|broken|blocked|errors?)\b|\bno problem\b|\bnot only\b|\b(?:previously|formerly|once)[- ](?:failing|failed|broken)\b|\bfixed (?:the |a |all |both |\d+ |that |this )?(?:[\w-]+ ){0,3}(?:fail(?:ing|ed|ures?)|broken)(?: tests?)?\b|\bno (?:further |code |other )?changes (?:\w+ )?(?:needed|required|necessary)\b|\bno further\b|\b(?:failing|failed|broken) (?:[\w'-]+ ){0,3}?tests?(?: now| also| all| finally| both)* (?:pass|passes|passed|passing)\b|\b(?:that|which) (?:were|was|had been) (?:previously )?(?:failing|broken)\b|\bas failing\b|\bnon-?failing\b|\bfailed_\w+\b|\bno-op\b|\bnot just\b|\bnothing (?:else|left)\b|\bno functional change\b",
    others: r"\b(?:you|you've|your (?:commits?|last|previous|earlier|own|team|ci|scripts?|hooks?|pipeline|colleagues?|workflow)|user|users|they|they've|he|she|someone|somebody|colleague|teammate|maintainers?|helper|subagents?|sub-agents?|agents?|reviewer|bot|copilot|dependabot|other session|another session|previous session|earlier session|author|upstream|script|tool|hook|command|action|program|function|method|library|server|service|who)\b",
    test_others: r"\b(?:helpers?|sub-?agents?|agents?|reviewers?|users?|they|someone|somebody|colleague|teammate|he|she)\b",
    intro: r"^(?:after|with|now that|since|following|by|because|given|as|on|in|for|during|while|when|having|also|additionally|finally|overall|great|good|perfect|excellent|yes|ok|okay|nice|awesome|at this point|so|and|thus|therefore)(?: [^,]*)?, ",
    scoped: r"\b(?:new|added|these|those|relevant|affected|related|targeted|specific|its|my|three|two|both|this)\b",
    pipeline: r"\b(?:ci|the pipeline|remote pipeline|github actions|checks on the pr)\b",
    hints: &[
        "pass",
        "green",
        "commit",
        "push",
        "publish",
        "releas",
        "deploy",
        "live",
        "ship",
        "build",
        "built",
        "compil",
        "done",
        "fixed",
        "resolv",
        "in place",
        "been made",
        "address",
        "went through",
        " ok",
        "CHECK ",
        "is up on",
        "are on the remote",
        "on the remote",
        "on origin",
        "conclude",
        "wraps up",
        "complete",
        "finish",
        "implement",
        "block",
        "could",
        "unable",
        "able to",
        "is out",
        "cannot",
        "can't",
        "fail",
        "reject",
        "refus",
        "clean",
        "succe",
        "landed",
        "record",
        "captur",
        "saved",
        "skip",
        "broken",
        "flaky",
        "exception",
        "\u{274c}",
        "\u{2717}",
    ],
    needs: &[
        (Kind::TestsPass, &["pass", "green", "fail", "error", "succe", "clean", "happy", "ok", "TEST"]),
        (Kind::BuildOk, &["build", "built", "compil", "BUILD", "tsc", "make", "cargo check"]),
        (Kind::Committed, &["commit", "HASH"]),
        (Kind::Pushed, &["push", "origin", "remote", "github", "gitlab", "upstream"]),
        (Kind::Released, &["publish", "release", "deploy", "ship", "live", "VER"]),
        (
            Kind::Done,
            &[
                "done",
                "complete",
                "finish",
                "implement",
                "in place",
                "fixed",
                "resolv",
                "solved",
                "address",
                "made",
                "success",
                "appli",
                "met",
                "conclude",
                "wraps up",
                "everything",
            ],
        ),
        (
            Kind::Blocked,
            &[
                "commit", "push", "publish", "releas", "deploy", "run", "build", "built", "test", "install", "compile", "complete",
                "execut", "block", "tried", "exercis",
            ],
        ),
    ],
    selves: r"\b(?:i|we|i've|we've|my|our|i'm)\b",
    reported: r"\b(?:says?|said|claims?|claimed|states?|stated|reads?|according to|reports? that|reported|told|template|example)\b",
    whole: r"\b(?:all|every|whole|entire|full|everything|complete suite|suite|both)\b",
    partial: r"\bnon-[\w-]+ (?:tests?|specs?)\b|\b(?:other|others|remaining|rest of|else|offline)\b|\bthat (?:can|could|do|don't|are|aren't|run|need)\b|\b(?:most|some|few|nearly all|almost all|almost every|except|apart from|aside from|besides|other than|majority|half|only (?:\d+|some|the|one|two|three|half|a)|remaining failures?|but one|but two|partially|mostly)\b",
    exceptions: r"\b(?:except|excepting|excluding|exclud(?:es|ed)|apart from|aside from|other than|minus|save for|save the|bar|barring|but for|but (?:one|two|three|\d+|the)|not counting|ignoring|with the exception|the (?:only |one |sole )?exceptions?)\b",
    named: r"\b(?:unit|integration|e2e|end-to-end|smoke|back-?end|front-?end|api|core|library|doc|ui|component|server|client|python|rust|go|javascript|typescript|local|fast) (?:[\w-]+ )?(?:tests?|specs?|suites?)\b",
    failures: r"\b(?:do|does|did|do|can)(?:n't| not) (?:build|compile|pass|start)\b|\bcannot (?:build|compile|start)\b|\bthe (?:only |one |sole )?exception (?:is|was|being)\b|\b(?:fails?|failed|failing|failures?|flaky|timed out|times out|errors? out|broken)\b|❌|✗",
    failure_matter: r"\bexception\b|\b(?:compil\w*|crate|package|nightly|stable|platform|windows|macos|linux)\b|\b(?:tests?|suites?|specs?|cases?|e2e|integration|unit|ci|checks?|builds?|compilation|commits?|push|hooks?|assertions?|pre-?existing|unrelated|known|one|two|three|others?|rest|still|CODE|PATH|TEST|BUILD|\d+)\b|❌|✗",
    no_failures: r"\b(?:0|no|zero|without|without any|not a single|none) (?:[\w-]+ ){0,3}(?:failures?|failed|fails?|failing|regressions?|errors?)\b|\bno longer (?:fails?|failing|broken|flaky)\b|\b(?:fix(?:ed|es|ing)?|resolv(?:ed|es)|repair(?:ed|s)|correct(?:ed|s)|address(?:ed|es)|handles?|handled|solved) (?:[\w'~-]+ ){0,6}?(?:fail(?:s|ing|ed|ures?)|broken|regressions?|crash(?:es|ed)?|flaky)\b|\b(?:previously|formerly|originally|earlier|initially|used to|was|were|had been|had) (?:[\w-]+ ){0,2}(?:fail(?:s|ing|ed)?|broken|flaky|red)\b|\b(?:failed|failing|broken) (?:before|earlier|previously|because)\b|\bfail(?:ing|ed) (?:login|request|attempt|job|upload|download|payment|write|read|lookup|call)s?\b|\b(?:on|upon|for|after|of|in case of|when|if|any) (?:a |an |the )?(?:[\w-]+ )?fail(?:s|ed|ing|ures?)\b|\bfailures? (?:mode|case|path|handling|message|reason)s?\b|\b(?:failing|failed|broken) (?:[\w-]+ )?(?:tests?|specs?|builds?|cases?)(?: [\w-]+){0,2} (?:now )?(?:pass|passes|passed|passing|is fixed|are fixed|green)\b",
    skips: r"\b(?:skip|skips|skipped|skipping|ignored|xfail|deselected|disabled|quarantined|deleted|removed)\b",
    recovery: r"\b(?:initial(?:ly)?|at first|first|then|after|later|eventually|finally|retr(?:y|ied|ying)|instead|now|again|once|earlier|originally|went through|worked|resolved|fixed|succeeded|second|directly|however|but)\b",
    empty: r"\b(?:empty|no changes|trigger|retrigger|re-trigger|no-op)\b",
    clauses: r"; |, (?:and|but|so|then|while|although|though|yet|which|where|whereas|because|since)\b|\bbut\b|\bhowever\b| — | – | -- |: ",
    plan_headings: r"\b(?:next|plan|planned|todo|to-do|to do|remaining|should|will|would|criteria|goals?|checklist|requirements?|verify|verification steps|test plan|acceptance|suggest\w*|recommend\w*|options?|follow-?ups?|want|example|expected|if you|you can|how to|commands?|usage|template|before|previously)\b",
    acts: &[
        (Kind::Committed, r"\bcommit"),
        (Kind::Pushed, r"\bpush"),
        (Kind::Released, r"\b(?:publish|release|deploy)"),
        (Kind::BuildOk, r"\b(?:build|compil)"),
        (Kind::TestsPass, r"\b(?:test|suite|spec|run|execut)"),
    ],
};
