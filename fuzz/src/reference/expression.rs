//! Expressions of the condition language, read from text.

/// An expression.
#[derive(Debug, Clone, PartialEq)]
pub enum Expression {
    Or(Box<Expression>, Box<Expression>),
    And(Box<Expression>, Box<Expression>),
    Not(Box<Expression>),
    Compare(Box<Expression>, String, Box<Expression>),
    Call(String, Vec<Expression>),
    Text(String),
    Number(i128),
    List(Vec<Expression>),
}

#[derive(Debug, Clone, PartialEq)]
enum Token {
    Word(String),
    Text(String),
    Number(i128),
    Sign(String),
}

/// Reads an expression; a bare word that `given` names stands for a text.
///
/// # Errors
/// What was found where something else was due.
pub fn read(text: &str, given: &[(&str, &str)]) -> Result<Expression, String> {
    let mut tokens = tokens(text)?;
    for at in 0..tokens.len() {
        let is_call = tokens.get(at + 1) == Some(&Token::Sign("(".to_owned()));
        if let Token::Word(word) = &tokens[at]
            && !is_call
            && let Some((_, said)) = given.iter().find(|(name, _)| name == word)
        {
            tokens[at] = Token::Text((*said).to_owned());
        }
    }
    let mut reader = Reader { tokens, at: 0 };
    let expression = reader.any()?;
    if reader.at < reader.tokens.len() {
        return Err(format!("{:?} is left over in {text}", reader.tokens[reader.at]));
    }
    Ok(expression)
}

fn tokens(text: &str) -> Result<Vec<Token>, String> {
    let letters: Vec<char> = text.chars().collect();
    let mut tokens = Vec::new();
    let mut at = 0;
    while let Some(&letter) = letters.get(at) {
        let run = |allowed: fn(char) -> bool| letters[at..].iter().take_while(|letter| allowed(**letter)).collect::<String>();
        if letter == ' ' {
            at += 1;
        } else if letter == '\'' {
            let said: String = letters[at + 1..].iter().take_while(|letter| **letter != '\'').collect();
            at += said.chars().count() + 2;
            tokens.push(Token::Text(said));
        } else if letter.is_ascii_digit() {
            let digits = run(|letter| letter.is_ascii_digit());
            at += digits.len();
            tokens.push(Token::Number(digits.parse().map_err(|_| format!("{digits} is no number"))?));
        } else if letter.is_ascii_alphabetic() {
            let word = run(|letter| letter.is_ascii_alphanumeric() || letter == '_');
            at += word.len();
            tokens.push(Token::Word(word));
        } else {
            let sign = match run(|letter| "=!<>".contains(letter)) {
                none if none.is_empty() => String::from(letter),
                sign => sign,
            };
            at += sign.chars().count();
            tokens.push(Token::Sign(sign));
        }
    }
    Ok(tokens)
}

struct Reader {
    tokens: Vec<Token>,
    at: usize,
}

impl Reader {
    fn takes(&mut self, token: &Token) -> bool {
        let there = self.tokens.get(self.at) == Some(token);
        self.at += usize::from(there);
        there
    }

    fn takes_word(&mut self, word: &str) -> bool {
        self.takes(&Token::Word(word.to_owned()))
    }

    fn takes_sign(&mut self, sign: &str) -> bool {
        self.takes(&Token::Sign(sign.to_owned()))
    }

    fn any(&mut self) -> Result<Expression, String> {
        let mut left = self.all()?;
        while self.takes_word("or") {
            left = Expression::Or(Box::new(left), Box::new(self.all()?));
        }
        Ok(left)
    }

    fn all(&mut self) -> Result<Expression, String> {
        let mut left = self.not()?;
        while self.takes_word("and") {
            left = Expression::And(Box::new(left), Box::new(self.not()?));
        }
        Ok(left)
    }

    fn not(&mut self) -> Result<Expression, String> {
        if self.takes_word("not") {
            return Ok(Expression::Not(Box::new(self.not()?)));
        }
        let left = self.one()?;
        for sign in ["==", "!=", "<=", ">=", "<", ">"] {
            if self.takes_sign(sign) {
                return Ok(Expression::Compare(Box::new(left), sign.to_owned(), Box::new(self.one()?)));
            }
        }
        if self.takes_word("in") {
            return Ok(Expression::Compare(Box::new(left), "in".to_owned(), Box::new(self.one()?)));
        }
        if self.takes_word("not") {
            if !self.takes_word("in") {
                return Err("a value is followed by not without in".to_owned());
            }
            let within = Expression::Compare(Box::new(left), "in".to_owned(), Box::new(self.one()?));
            return Ok(Expression::Not(Box::new(within)));
        }
        Ok(left)
    }

    fn one(&mut self) -> Result<Expression, String> {
        let Some(token) = self.tokens.get(self.at).cloned() else { return Err("an expression ends too early".to_owned()) };
        self.at += 1;
        match token {
            Token::Text(said) => Ok(Expression::Text(said)),
            Token::Number(number) => Ok(Expression::Number(number)),
            Token::Sign(sign) if sign == "(" => {
                let inner = self.any()?;
                if self.takes_sign(")") { Ok(inner) } else { Err("a parenthesis stays open".to_owned()) }
            }
            Token::Sign(sign) if sign == "[" => Ok(Expression::List(self.many("]")?)),
            Token::Word(name) if self.takes_sign("(") => Ok(Expression::Call(name, self.many(")")?)),
            other => Err(format!("{other:?} is no value")),
        }
    }

    fn many(&mut self, end: &str) -> Result<Vec<Expression>, String> {
        let mut found = Vec::new();
        while !self.takes_sign(end) {
            if !found.is_empty() && !self.takes_sign(",") {
                return Err(format!("{:?} stands where a comma or {end} is due", self.tokens.get(self.at)));
            }
            found.push(self.any()?);
        }
        Ok(found)
    }
}
