//! Where the value of an expression comes from. It must not know which clause the expression stands in.

use sqlparser::ast::{
    BinaryOperator, CaseWhen, Expr, Function, FunctionArg, FunctionArgExpr, FunctionArguments,
    Ident, UnaryOperator, Value as Constant,
};

use super::function::class;
use super::name::{Names, dotted, is_hole};
use super::statement::{FunctionClass, Placeholder, Value};
use super::token::MISSING;

/// How deep an expression is followed; what lies deeper is [`Value::Other`].
const DEEPEST: usize = 16;

/// Where the value of an expression comes from.
pub(super) fn value(expr: &Expr, names: &Names) -> Value {
    at_depth(expr, names, DEEPEST)
}

fn at_depth(expr: &Expr, names: &Names, depth: usize) -> Value {
    let Some(depth) = depth.checked_sub(1) else {
        return Value::Other;
    };
    let inner = |expr: &Expr| at_depth(expr, names, depth);
    let all = |exprs: &[Expr]| exprs.iter().map(inner).collect::<Vec<_>>();
    match expr {
        Expr::Nested(inside)
        | Expr::Collate { expr: inside, .. }
        | Expr::AtTimeZone {
            timestamp: inside, ..
        }
        | Expr::Convert { expr: inside, .. }
        | Expr::Prefixed { value: inside, .. }
        | Expr::Named { expr: inside, .. } => inner(inside),
        Expr::Cast {
            expr: inside,
            data_type,
            ..
        } => match inner(inside) {
            Value::Literal(text) if is_now(&text, &data_type.to_string()) => Value::Clock,
            value => value,
        },
        Expr::Identifier(ident) => identifier(ident),
        Expr::CompoundIdentifier(parts) => compound(parts, names),
        Expr::Value(constant) => literal(&constant.value),
        Expr::TypedString(typed) => match literal(&typed.value.value) {
            Value::Literal(text) if is_now(&text, &typed.data_type.to_string()) => Value::Clock,
            value => value,
        },
        Expr::Function(function) => call(function, names, depth),
        Expr::BinaryOp { left, op, right } => computed(op, &inner(left), &inner(right), names),
        Expr::UnaryOp { op, expr } => unary(*op, inner(expr), names),
        Expr::Case {
            operand: _,
            conditions,
            else_result,
            ..
        } => {
            let results = conditions
                .iter()
                .map(|CaseWhen { result, .. }| result)
                .chain(else_result.as_deref());
            Value::Function("case".to_owned(), results.map(inner).collect())
        }
        Expr::Array(array) => Value::List(all(&array.elem)),
        Expr::Tuple(parts) => Value::List(all(parts)),
        Expr::Subquery(_) | Expr::Exists { .. } => Value::Subquery,
        Expr::Interval(interval) => {
            Value::Function("interval".to_owned(), vec![inner(&interval.value)])
        }
        Expr::Extract { expr, .. } => Value::Function("extract".to_owned(), vec![inner(expr)]),
        Expr::Ceil { expr, .. } => Value::Function("ceil".to_owned(), vec![inner(expr)]),
        Expr::Floor { expr, .. } => Value::Function("floor".to_owned(), vec![inner(expr)]),
        Expr::Substring { expr, .. } => Value::Function("substring".to_owned(), vec![inner(expr)]),
        Expr::Trim { expr, .. } => Value::Function("trim".to_owned(), vec![inner(expr)]),
        Expr::CompoundFieldAccess { root, .. } | Expr::JsonAccess { value: root, .. } => {
            Value::Function("access".to_owned(), vec![inner(root)])
        }
        _ => Value::Other,
    }
}

fn is_now(text: &str, data_type: &str) -> bool {
    let kind = data_type.to_ascii_lowercase();
    text.eq_ignore_ascii_case("now")
        && (kind.starts_with("timestamp") || kind.starts_with("date") || kind.starts_with("time"))
}

/// A column, a keyword that parsers take for one, or spliced-in text.
fn identifier(ident: &Ident) -> Value {
    if ident.value == MISSING {
        return Value::Other;
    }
    if is_hole(&ident.value) && ident.quote_style.is_none() {
        return Value::Placeholder(Placeholder::Named(ident.value.clone()));
    }
    if ident.quote_style.is_none() {
        let lower = ident.value.to_ascii_lowercase();
        match lower.as_str() {
            "default" => return Value::Default,
            "current_timestamp" | "current_date" | "current_time" | "localtimestamp"
            | "sysdate" => return Value::Clock,
            _ => {}
        }
    }
    Value::Column(ident.value.clone())
}

fn compound(parts: &[Ident], names: &Names) -> Value {
    let Some((column, qualifier)) = parts.split_last() else {
        return Value::Other;
    };
    let qualifier = qualifier
        .iter()
        .map(|part| part.value.as_str())
        .collect::<Vec<_>>()
        .join(".");
    if names.is_proposed(&qualifier) {
        Value::Excluded(column.value.clone())
    } else if names.is_own(&qualifier) {
        Value::Column(column.value.clone())
    } else {
        Value::Column(format!("{qualifier}.{}", column.value))
    }
}

fn literal(constant: &Constant) -> Value {
    match constant {
        Constant::Null => Value::Null,
        Constant::Boolean(value) => Value::Literal(value.to_string()),
        Constant::Placeholder(mark) => Value::Placeholder(placeholder(mark)),
        Constant::Number(number, _) => Value::Literal(number.to_string()),
        Constant::DollarQuotedString(text) => Value::Literal(text.value.clone()),
        other => match other.clone().into_string() {
            Some(text) => Value::Literal(text),
            None => Value::Literal(other.to_string()),
        },
    }
}

fn placeholder(mark: &str) -> Placeholder {
    let number = mark
        .strip_prefix(['$', '?'])
        .and_then(|number| number.parse().ok());
    number.map_or_else(
        || Placeholder::Named(mark.to_owned()),
        Placeholder::Position,
    )
}

fn call(function: &Function, names: &Names, depth: usize) -> Value {
    let name = dotted(&function.name).to_ascii_lowercase();
    let args = args(function, names, depth);
    match class(&name, is_of_now(&args)) {
        Some(FunctionClass::Clock) => return Value::Clock,
        Some(FunctionClass::Random) => return Value::Random,
        _ => {}
    }
    match (name.as_str(), args.as_slice()) {
        ("coalesce" | "ifnull" | "nvl" | "isnull", _) => Value::Coalesce(args),
        // MySQL's name for the proposed row's column.
        ("values", [Value::Column(column)]) => Value::Excluded(column.clone()),
        _ => Value::Function(name, args),
    }
}

/// Whether arguments are none, or name the present.
pub(super) fn is_of_now(args: &[Value]) -> bool {
    let now = |arg: &Value| match arg {
        Value::Literal(text) => text.eq_ignore_ascii_case("now"),
        Value::Clock => true,
        _ => false,
    };
    args.is_empty() || args.iter().any(now)
}

/// The arguments of a call.
pub(super) fn arguments(function: &Function, names: &Names) -> Vec<Value> {
    args(function, names, DEEPEST)
}

fn args(function: &Function, names: &Names, depth: usize) -> Vec<Value> {
    match &function.args {
        FunctionArguments::None => Vec::new(),
        FunctionArguments::Subquery(_) => vec![Value::Subquery],
        FunctionArguments::List(list) => list
            .args
            .iter()
            .map(|arg| argument(arg, names, depth))
            .collect(),
    }
}

/// The value of one argument.
fn argument(arg: &FunctionArg, names: &Names, depth: usize) -> Value {
    let (FunctionArg::Named { arg, .. }
    | FunctionArg::ExprNamed { arg, .. }
    | FunctionArg::Unnamed(arg)) = arg;
    match arg {
        FunctionArgExpr::Expr(expr) => at_depth(expr, names, depth),
        _ => Value::Other,
    }
}

fn unary(op: UnaryOperator, inner: Value, names: &Names) -> Value {
    match (op, inner) {
        (UnaryOperator::Plus, inner) => inner,
        (UnaryOperator::Minus, Value::Literal(number)) => Value::Literal(format!("-{number}")),
        (UnaryOperator::Minus, inner) => match column(&inner, names) {
            Some(column) => Value::Arithmetic { column },
            None => Value::Function("-".to_owned(), vec![inner]),
        },
        (UnaryOperator::Not | UnaryOperator::BangNot, inner) => {
            Value::Function("not".to_owned(), vec![inner])
        }
        (op, inner) => Value::Function(op.to_string(), vec![inner]),
    }
}

fn computed(op: &BinaryOperator, left: &Value, right: &Value, names: &Names) -> Value {
    use BinaryOperator as B;
    let both = || vec![left.clone(), right.clone()];
    let arithmetic = matches!(
        op,
        B::Plus
            | B::Minus
            | B::Multiply
            | B::Divide
            | B::Modulo
            | B::BitwiseOr
            | B::BitwiseAnd
            | B::BitwiseXor
            | B::PGBitwiseXor
            | B::PGBitwiseShiftLeft
            | B::PGBitwiseShiftRight
            | B::PGExp
            | B::MyIntegerDivide
            | B::DuckIntegerDivide
    );
    if !arithmetic {
        return Value::Function(op.to_string().to_ascii_lowercase(), both());
    }
    // `data - 'key'` and `data - $1::text[]` take a key out of a document: no arithmetic.
    if *op == B::Minus && matches!(right, Value::Literal(text) if text.parse::<f64>().is_err()) {
        return Value::Function("-".to_owned(), both());
    }
    // A bit that is set or masked stays so.
    let column = column(left, names).into_iter().chain(column(right, names));
    let preferred = column.reduce(|one, other| if is_target(&other, names) { other } else { one });
    if let Some(column) = preferred {
        return match op {
            B::BitwiseOr | B::BitwiseAnd => Value::Function(op.to_string(), both()),
            _ => Value::Arithmetic { column },
        };
    }
    let mentions = |wanted: &Value| {
        let test = |value: &Value| value == wanted;
        left.any(&test) || right.any(&test)
    };
    if mentions(&Value::Random) {
        Value::Random
    } else if mentions(&Value::Clock) {
        Value::Clock
    } else {
        Value::Function(op.to_string(), both())
    }
}

fn is_target(column: &str, names: &Names) -> bool {
    names
        .target
        .as_deref()
        .is_some_and(|target| target.eq_ignore_ascii_case(column))
}

/// The column that a value is computed from; the one being set, if it takes part.
fn column(value: &Value, names: &Names) -> Option<String> {
    match value {
        Value::Column(column) | Value::Arithmetic { column } => Some(column.clone()),
        Value::Coalesce(parts) | Value::Function(_, parts) => {
            let columns = parts.iter().filter_map(|part| column(part, names));
            columns.reduce(|one, other| if is_target(&other, names) { other } else { one })
        }
        _ => None,
    }
}
