//! Where the reader's events go.

use super::{FaultKind, Number, Text};

/// Receives a value as it is read, in document order. `'a` is the text's lifetime.
pub trait Sink<'a> {
    /// `{`
    fn begin_object(&mut self);
    /// A key; its value follows.
    fn key(&mut self, key: Text<'a>);
    /// `}`
    fn end_object(&mut self);
    /// `[`
    fn begin_array(&mut self);
    /// `]`
    fn end_array(&mut self);
    /// A string value.
    fn string(&mut self, text: Text<'a>);
    /// A number.
    fn number(&mut self, number: Number<'a>);
    /// `true` or `false`.
    fn boolean(&mut self, value: bool);
    /// `null`
    fn null(&mut self);
    /// Why it takes no more, when it does not: reading stops there. Asked behind each value.
    fn full(&self) -> Option<FaultKind> {
        None
    }
}

/// Takes everything and keeps nothing: strict reading only.
#[derive(Debug, Default, Clone, Copy)]
pub struct Nothing;

impl<'a> Sink<'a> for Nothing {
    fn begin_object(&mut self) {}
    fn key(&mut self, _: Text<'a>) {}
    fn end_object(&mut self) {}
    fn begin_array(&mut self) {}
    fn end_array(&mut self) {}
    fn string(&mut self, _: Text<'a>) {}
    fn number(&mut self, _: Number<'a>) {}
    fn boolean(&mut self, _: bool) {}
    fn null(&mut self) {}
}
