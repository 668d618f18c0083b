//! Times that are cut to a day or longer: they name a period, not a moment.

use std::sync::Arc;

use crate::ir::{BinaryOp, Literal};
use crate::timeline::{Apply, Bound, Unfolding, Value};

use super::text::{fixed, render};

/// The seconds of a day.
const DAY: i128 = 86_400;

/// Whether a method cuts a time to a day or longer.
pub(super) fn cuts_to_day(unfolding: &Unfolding<'_>, apply: &Apply, head: &Bound) -> bool {
    match apply.name.as_str() {
        "date_naive" | "date" | "iso_week" | "year" | "ordinal" | "num_days_from_ce"
        | "year_ce" | "to_julian_day" => apply.receiver.is_some(),
        "format" | "strftime" => apply.args.first().is_some_and(|format| {
            let format = Bound {
                value: Arc::clone(format),
                env: head.env,
            };
            fixed(unfolding, &format).is_some_and(|format| is_day_format(&format))
        }),
        _ => false,
    }
}

/// Whether a number of seconds is divided by those of a day or longer.
pub(super) fn divides_by_days(unfolding: &Unfolding<'_>, op: BinaryOp, right: &Bound) -> bool {
    op == BinaryOp::Arithmetic
        && match &*unfolding.head(right).value {
            Value::Literal(Literal::Int(value)) => *value >= DAY,
            _ => render(unfolding, right)
                .replace('_', "")
                .parse::<i128>()
                .is_ok_and(|value| value >= DAY),
        }
}

/// Whether a template of a date holds nothing finer than a day.
fn is_day_format(format: &str) -> bool {
    let mut specifiers = format
        .split('%')
        .skip(1)
        .filter_map(|rest| rest.trim_start_matches(['-', '_', '0']).chars().next())
        .peekable();
    specifiers.peek().is_some()
        && specifiers.all(|specifier| "YCyqmbBhdeaAwuUWGgVjDxFv".contains(specifier))
}

#[cfg(test)]
mod tests {
    use super::is_day_format;

    #[test]
    fn a_template_of_a_day_holds_nothing_finer() {
        assert!(is_day_format("%Y-%m-%d"));
        assert!(is_day_format("%G-W%V"));
        assert!(!is_day_format("%Y-%m-%dT%H"));
        assert!(!is_day_format("day"));
    }
}
