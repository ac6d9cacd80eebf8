//! Positional arguments and a body under the names that the tool's schema gives them.
//!
//! The tokens go to the properties in the order of the schema; a last property that takes an array and no string
//! takes all that are left. A body goes to the property that the schema names for it, which no token fills; or else,
//! if it is not blank, to the last property that takes a string.

use super::Header;
use crate::body::json;
use crate::diagnostic::{Code, Finding};
use crate::offer::{Offer, Positions, Types};
use crate::shown::shown;
use crate::span::Span;
use crate::syntax::coercion::coerce;
use crate::text::{is_space, trim};

/// A piece of a call, at its place.
#[derive(Clone, Copy, Debug)]
pub(super) struct Piece<'t> {
    pub(super) text: &'t str,
    pub(super) span: Span,
}

/// What the properties of a tool get.
pub(super) struct Assigned<'t, 'o> {
    tool: &'t str,
    offer: &'o dyn Offer,
    /// In the order of the schema; the tokens of an array, or one of them.
    tokens: Vec<(&'o str, Vec<Piece<'t>>, bool)>,
    body: Option<(&'o str, Piece<'t>)>,
    /// What there is no property for.
    surplus: Vec<Piece<'t>>,
}

impl<'t, 'o> Assigned<'t, 'o> {
    /// Tells the arguments in a header, and the body behind it, apart; `None` where the schema names no properties.
    pub(super) fn new(header: &Header<'t>, body: Option<Piece<'t>>, offer: &'o dyn Offer) -> Option<Self> {
        let positions = offer.positions(header.name)?;
        let taken = body_property(positions, body);
        let mut assigned = Self {
            tool: header.name,
            offer,
            tokens: Vec::new(),
            body: taken.and_then(|place| Some((positions.names[place].as_str(), body?))),
            surplus: Vec::new(),
        };
        let mut tokens = tokens(header);
        let names = positions.names.iter().enumerate();
        let mut names = names.filter(|&(place, _)| Some(place) != taken).peekable();
        while let Some((_, name)) = names.next() {
            let types = offer.types(header.name, &[name]).unwrap_or_default();
            let collects = names.peek().is_none() && types.allow(Types::ARRAY) && !types.allow(Types::STRING);
            let most = if collects { usize::MAX } else { 1 };
            let own: Vec<_> = tokens.by_ref().take(most).collect();
            if !own.is_empty() {
                assigned.tokens.push((name, own, collects));
            }
        }
        assigned.surplus.extend(tokens);
        if taken.is_none() {
            assigned
                .surplus
                .extend(body.filter(|body| !trim(body.text).is_empty()));
        }
        Some(assigned)
    }

    /// The arguments as a JSON object, and what there is to say about them.
    pub(super) fn read(&self) -> (String, Vec<Finding>) {
        let mut findings = Vec::new();
        let mut object = String::from("{");
        for (name, tokens, collects) in &self.tokens {
            write_key(name, &mut object);
            if *collects {
                object.push('[');
            }
            for (place, token) in tokens.iter().enumerate() {
                if place > 0 {
                    object.push(',');
                }
                let index = place.to_string();
                let path: &[&str] = if *collects { &[name, &index] } else { &[name] };
                let coerced = coerce(token.text, self.offer.types(self.tool, path));
                findings.extend(coerced.loss.map(|loss| loss.finding(token.text, token.span)));
                match coerced.json {
                    Some(json) => object.push_str(&json),
                    None => json::write_string(token.text, &mut object),
                }
            }
            if *collects {
                object.push(']');
            }
        }
        if let Some((name, body)) = self.body {
            write_key(name, &mut object);
            json::write_string(body.text, &mut object);
        }
        object.push('}');
        findings.extend(self.surplus.iter().map(|piece| {
            let message = format!(
                "the schema of `{}` has no property left for `{}`; leave it out",
                shown(self.tool),
                shown(trim(piece.text)),
            );
            Finding::new(Code::UnexpectedArgument, piece.span, message)
        }));
        (object, findings)
    }

    /// Where the value at the end of `path` stands.
    pub(super) fn locate(&self, path: &[&str]) -> Option<Span> {
        let (name, rest) = path.split_first()?;
        if let Some((body_name, body)) = self.body
            && body_name == *name
        {
            return Some(body.span);
        }
        let (_, tokens, _) = self.tokens.iter().find(|(known, ..)| known == name)?;
        let item = rest
            .first()
            .and_then(|index| tokens.get(index.parse::<usize>().ok()?));
        let (first, last) = (tokens.first()?, tokens.last()?);
        Some(item.map_or(Span::new(first.span.start, last.span.end), |item| item.span))
    }
}

/// Which property the body goes to.
fn body_property(positions: &Positions, body: Option<Piece<'_>>) -> Option<usize> {
    let is_there = body.is_some_and(|body| !trim(body.text).is_empty());
    positions.body.filter(|_| positions.names_body || is_there)
}

fn write_key(name: &str, object: &mut String) {
    if object.len() > 1 {
        object.push(',');
    }
    json::write_string(name, object);
    object.push(':');
}

/// The positional arguments of a header.
pub(super) fn tokens<'t>(header: &Header<'t>) -> impl Iterator<Item = Piece<'t>> + use<'t> {
    let (raw, start) = (header.raw_args, header.raw_start);
    let mut at = 0;
    std::iter::from_fn(move || {
        at += raw[at..].len() - raw[at..].trim_start_matches(is_space).len();
        let length = raw[at..].find(is_space).unwrap_or(raw.len() - at);
        let span = Span::new(start + at, start + at + length);
        let text = &raw[at..at + length];
        at += length;
        (!text.is_empty()).then_some(Piece { text, span })
    })
}
