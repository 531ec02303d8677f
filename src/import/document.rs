//! A document of one value, read so that never more than one element of its lists is a tree.

use crate::json::{Fault, Number, Sink, Text, Tree, Value, read};

/// What a document hands on.
pub(super) trait Take<'a> {
    /// An element of the list `key` of the outermost object, or of the outermost list (then `key` is empty).
    fn element(&mut self, key: &str, index: u32, value: &Value<'a>);
    /// Another member of the outermost object.
    fn member(&mut self, key: &str, value: &Value<'a>);
    /// Whether a member is worth a tree.
    fn wants(&self, key: &str) -> bool;
}

/// Reads `bytes` and hands on its elements.
///
/// # Errors
/// The first fault; elements before it were handed on.
pub(super) fn read_document<'a>(bytes: &'a [u8], take: &mut impl Take<'a>) -> Result<(), Fault> {
    let mut elements =
        Elements { take, depth: 0, key: String::new(), root_list: false, list: false, index: 0, tree: None, base: 0, passing: false };
    read(bytes, &mut elements)
}

struct Elements<'a, 't, T> {
    take: &'t mut T,
    /// Containers that are open.
    depth: usize,
    key: String,
    root_list: bool,
    /// Inside a list whose elements are handed on.
    list: bool,
    index: u32,
    tree: Option<Tree<'a>>,
    /// The depth at which the tree's value stands.
    base: usize,
    /// A member that nobody wants.
    passing: bool,
}

impl<'a, T: Take<'a>> Elements<'a, '_, T> {
    /// The depth of elements, where a list is open.
    fn element_depth(&self) -> usize {
        if self.root_list { 1 } else { 2 }
    }

    /// Before a value: decides whether it starts a tree.
    fn starts(&mut self) {
        if self.tree.is_some() || self.passing {
            return;
        }
        let element = self.list && self.depth == self.element_depth();
        let member = !self.root_list && self.depth == 1;
        if element || member && self.take.wants(&self.key) {
            self.tree = Some(Tree::default());
            self.base = self.depth;
        }
    }

    /// Behind a value: hands a whole tree on.
    fn ends(&mut self) {
        if self.depth != self.base || !self.tree.as_ref().is_some_and(Tree::is_whole) {
            return;
        }
        let Some(tree) = self.tree.take() else { return };
        let value = tree.finish();
        if self.list && self.depth == self.element_depth() {
            self.take.element(&self.key, self.index, &value);
            self.index = self.index.saturating_add(1);
        } else {
            self.take.member(&self.key, &value);
        }
    }

    fn opens(&mut self, list: bool) {
        if self.tree.is_none() && !self.passing {
            if self.depth == 0 {
                self.root_list = list;
                self.list = list;
            } else if self.depth == 1 && !self.root_list {
                if list && !self.take.wants(&self.key) {
                    self.list = true;
                    self.index = 0;
                    self.depth += 1;
                    return;
                }
                if !list && !self.take.wants(&self.key) {
                    self.passing = true;
                }
            }
        }
        self.starts();
        if let Some(tree) = &mut self.tree {
            if list { tree.begin_array() } else { tree.begin_object() }
        }
        self.depth += 1;
    }

    fn closes(&mut self, list: bool) {
        self.depth -= 1;
        if let Some(tree) = &mut self.tree {
            if list {
                tree.end_array()
            } else {
                tree.end_object()
            }
            self.ends();
        } else if self.depth == 1 && !self.root_list {
            self.list = false;
            self.passing = false;
        }
    }

    fn single(&mut self, send: impl FnOnce(&mut Tree<'a>)) {
        self.starts();
        if let Some(tree) = &mut self.tree {
            send(tree);
            self.ends();
        }
    }
}

impl<'a, T: Take<'a>> Sink<'a> for Elements<'a, '_, T> {
    fn begin_object(&mut self) {
        self.opens(false);
    }
    fn key(&mut self, key: Text<'a>) {
        match &mut self.tree {
            Some(tree) => tree.key(key),
            None if self.depth == 1 && !self.root_list => self.key = key.decode().into_owned(),
            None => {}
        }
    }
    fn end_object(&mut self) {
        self.closes(false);
    }
    fn begin_array(&mut self) {
        self.opens(true);
    }
    fn end_array(&mut self) {
        self.closes(true);
    }
    fn string(&mut self, text: Text<'a>) {
        self.single(|tree| tree.string(text));
    }
    fn number(&mut self, number: Number<'a>) {
        self.single(|tree| tree.number(number));
    }
    fn boolean(&mut self, value: bool) {
        self.single(|tree| tree.boolean(value));
    }
    fn null(&mut self) {
        self.single(Tree::null);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Default)]
    struct Seen(Vec<String>);

    impl<'a> Take<'a> for Seen {
        fn element(&mut self, key: &str, index: u32, value: &Value<'a>) {
            self.0.push(format!("{key}[{index}]={}", value.to_text()));
        }
        fn member(&mut self, key: &str, value: &Value<'a>) {
            self.0.push(format!("{key}={}", value.to_text()));
        }
        fn wants(&self, key: &str) -> bool {
            key == "info"
        }
    }

    fn seen(text: &str) -> Vec<String> {
        let mut seen = Seen::default();
        read_document(text.as_bytes(), &mut seen).expect("it reads");
        seen.0
    }

    #[test]
    fn elements_come_one_by_one() {
        assert_eq!(
            seen(r#"{"x":{"a":[1,{"info":2}]},"messages":[{"b":[1]},"c",3],"n":null,"info":{"d":[{}]},"e":[]}"#),
            [r#"messages[0]={"b":[1]}"#, r#"messages[1]="c""#, "messages[2]=3", r#"info={"d":[{}]}"#]
        );
        assert_eq!(seen(r#"[{"a":1},[2]]"#), [r#"[0]={"a":1}"#, "[1]=[2]"]);
        assert_eq!(seen("{}"), Vec::<String>::new());
    }
}
