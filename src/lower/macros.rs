//! Macros that carry code: read again as what they hold.
//!
//! Known families are read exactly. Any other macro is tried as expressions, then as arms,
//! then as statements; what stays unread is a gap.

use proc_macro2::TokenStream;
use syn::parse::{ParseStream, Parser};
use syn::punctuated::Punctuated;
use syn::{Expr as Syn, Lit, Token};

use crate::ir::{Arm, Expr, ExprId, GapKind, Literal, Name, Pat, Piece, Place, SelectArm};

use super::body::Lowerer;
use super::expand::Expansion;
use super::macro_syntax::{
    Argument, TemplatePart, parse_arguments, parse_arms, parse_expansion, parse_exprs,
    parse_format_args, parse_select, parse_statements, skip_biased, split_template,
    without_for_await,
};
use super::spans;
use super::types::lower_path;

/// Macros that only log or count, whose arguments never matter.
const SILENT: &[&str] = &[
    "trace",
    "debug",
    "info",
    "warn",
    "error",
    "event",
    "span",
    "trace_span",
    "debug_span",
    "info_span",
    "warn_span",
    "error_span",
    "println",
    "eprintln",
    "print",
    "eprint",
    "dbg",
    "log",
    "counter",
    "gauge",
    "histogram",
    "describe_counter",
    "describe_gauge",
    "describe_histogram",
    "increment_counter",
    "compile_error",
    "cfg",
    "line",
    "file",
    "column",
    "module_path",
    "thread_local",
    "log_enabled",
    "enabled",
    "event_enabled",
    "debug_assert",
    "debug_assert_eq",
    "debug_assert_ne",
    "static_assert",
    "const_assert",
];

impl Lowerer<'_> {
    pub(super) fn lower_macro(&mut self, mac: &syn::Macro) -> ExprId {
        let place = spans::macro_place(mac);
        let Some(last) = mac
            .path
            .segments
            .last()
            .map(|segment| segment.ident.to_string())
        else {
            return self.push(Expr::Unread, place);
        };
        self.body.mentions.push(Name::from(&last));
        let tokens = || mac.tokens.clone();
        match last.as_str() {
            name if SILENT.contains(&name) => self.unit(place),
            "format" | "format_args" | "anyhow" | "eyre" | "concat" | "format_err" | "formatcp" => {
                self.lower_format(tokens(), place, false)
            }
            "panic" | "unreachable" | "todo" | "unimplemented" => {
                self.lower_format(tokens(), place, true)
            }
            "bail" => {
                let value = self.lower_format(tokens(), place, false);
                self.push(
                    Expr::Return {
                        value: Some(value),
                        failure: true,
                    },
                    place,
                )
            }
            "ensure" => self.lower_ensure(tokens(), place),
            "write" | "writeln" => self.lower_write(mac, place),
            "vec" | "smallvec" | "array" => self.lower_list(tokens(), place),
            "json" | "doc" | "bson" => self.lower_json(tokens(), place),
            "select" | "select_biased" => self.lower_select(mac, place),
            "join" => self.lower_join(tokens(), place, false),
            "try_join" => self.lower_join(tokens(), place, true),
            "matches" | "assert_matches" => self.lower_matches(mac, place),
            "stream" | "try_stream" | "gen" => {
                match parse_statements(without_for_await(tokens())) {
                    Some(stmts) => {
                        let block = self.scoped(|this| this.lower_stmts(&stmts));
                        let inner = self.push(Expr::Block(block), place);
                        self.push(Expr::Async(inner), place)
                    }
                    None => self.unread(mac, place),
                }
            }
            "assert" | "assert_eq" | "assert_ne" => {
                let args = parse_exprs(tokens()).unwrap_or_default();
                let args: Vec<ExprId> = args
                    .iter()
                    .take(2)
                    .map(|arg| self.lower_expr(arg))
                    .collect();
                self.push(Expr::Range(args), place)
            }
            "include" => {
                self.file
                    .gap(GapKind::Include, place, "the included file is not read");
                self.push(Expr::Unread, place)
            }
            _ => self.lower_unknown(mac, place),
        }
    }

    fn lower_unknown(&mut self, mac: &syn::Macro, place: Place) -> ExprId {
        match self.file.expansion(mac) {
            Expansion::Tokens(tokens) => {
                if let Some(stmts) = parse_expansion(tokens) {
                    self.file.expansions += 1;
                    let block = self.scoped(|this| this.lower_stmts(&stmts));
                    self.file.expansions -= 1;
                    return self.push(Expr::Block(block), place);
                }
                self.file.unexpanded(mac);
            }
            Expansion::Failed => self.file.unexpanded(mac),
            Expansion::NoRules => {}
        }
        if let Some(args) = parse_arguments(mac.tokens.clone()) {
            let args = args
                .iter()
                .map(|arg| match arg {
                    Argument::Expr(expr) => self.lower_expr(expr),
                    Argument::Type(ty) => {
                        let path = match super::types::lower_type(ty) {
                            crate::ir::TypeRef::Path(path) => Expr::Path(path),
                            _ => Expr::Unread,
                        };
                        self.push(path, place)
                    }
                })
                .collect();
            return self.push(
                Expr::Macro {
                    path: lower_path(&mac.path),
                    args,
                },
                place,
            );
        }
        if let Ok(arms) = mac.parse_body_with(parse_arms) {
            let value = self.unit(place);
            let arms = arms.iter().map(|arm| self.lower_plain_arm(arm)).collect();
            return self.push(Expr::Match { value, arms }, place);
        }
        if let Some(stmts) = parse_statements(mac.tokens.clone()) {
            let block = self.scoped(|this| this.lower_stmts(&stmts));
            return self.push(Expr::Block(block), place);
        }
        self.unread(mac, place)
    }

    fn unread(&mut self, mac: &syn::Macro, place: Place) -> ExprId {
        let name = lower_path(&mac.path).text();
        self.file.gap(
            GapKind::UnreadMacro,
            place,
            format!("the content of `{name}!` is not read"),
        );
        self.push(Expr::Unread, place)
    }

    fn lower_plain_arm(&mut self, arm: &syn::Arm) -> Arm {
        self.scoped(|this| {
            let pat = this.lower_pat(&arm.pat);
            let body = this.lower_expr(&arm.body);
            this.attach_attributes(body, &arm.attrs);
            Arm {
                pat,
                guard: None,
                body,
            }
        })
    }

    /// `format!`-like text: the template's pieces with the arguments in their places.
    fn lower_format(&mut self, tokens: TokenStream, place: Place, diverges: bool) -> ExprId {
        let Some(args) = parse_format_args(tokens) else {
            return self.push(
                Expr::Format {
                    pieces: Vec::new(),
                    diverges,
                },
                place,
            );
        };
        let pieces = self.format_pieces(&args, place);
        self.push(Expr::Format { pieces, diverges }, place)
    }

    fn format_pieces(&mut self, args: &[(Option<String>, Syn)], place: Place) -> Vec<Piece> {
        let Some(((None, first), rest)) = args.split_first() else {
            return Vec::new();
        };
        let template = match first {
            Syn::Lit(syn::ExprLit {
                lit: Lit::Str(text),
                ..
            }) => text.value(),
            other => {
                // `anyhow!(error)` and `concat!` with non-texts: all values in order.
                let mut pieces = vec![Piece::Value(self.lower_expr(other))];
                pieces.extend(
                    rest.iter()
                        .map(|(_, expr)| Piece::Value(self.lower_expr(expr))),
                );
                return pieces;
            }
        };
        let values: Vec<(Option<&str>, ExprId)> = rest
            .iter()
            .map(|(name, expr)| (name.as_deref(), self.lower_expr(expr)))
            .collect();
        let mut pieces = Vec::new();
        let mut next = 0;
        for part in split_template(&template) {
            match part {
                TemplatePart::Text(text) => self.text_piece(&text, &mut pieces),
                TemplatePart::Hole(name) => {
                    let position = if name.is_empty() {
                        next += 1;
                        Some(next - 1)
                    } else {
                        name.parse::<usize>().ok()
                    };
                    let value = match position {
                        Some(index) => values.get(index).map(|(_, id)| *id),
                        None => values
                            .iter()
                            .find(|(given, _)| *given == Some(name.as_str()))
                            .map(|(_, id)| *id)
                            .or_else(|| Some(self.named(&name, place))),
                    };
                    pieces.extend(value.map(Piece::Value));
                }
            }
        }
        // `concat!("a", "b")` and over-long argument lists: what has no hole follows in order.
        let without_holes = !pieces.iter().any(|piece| matches!(piece, Piece::Value(_)));
        if without_holes {
            pieces.extend(values.iter().map(|(_, id)| Piece::Value(*id)));
        }
        pieces
    }

    fn lower_ensure(&mut self, tokens: TokenStream, place: Place) -> ExprId {
        let Some(args) = parse_format_args(tokens) else {
            return self.push(Expr::Unread, place);
        };
        let Some((condition, message)) = args.split_first() else {
            return self.unit(place);
        };
        let condition = self.lower_expr(&condition.1);
        let negated = self.push(Expr::Not(condition), place);
        let pieces = self.format_pieces(message, place);
        let text = self.push(
            Expr::Format {
                pieces,
                diverges: false,
            },
            place,
        );
        let then = self.push(
            Expr::Return {
                value: Some(text),
                failure: true,
            },
            place,
        );
        self.push(
            Expr::If {
                condition: negated,
                then,
                otherwise: None,
            },
            place,
        )
    }

    /// `write!(target, …)`: a macro call with the target and the text.
    fn lower_write(&mut self, mac: &syn::Macro, place: Place) -> ExprId {
        let Some(args) = parse_format_args(mac.tokens.clone()) else {
            return self.unread(mac, place);
        };
        let Some((target, text)) = args.split_first() else {
            return self.unit(place);
        };
        let target = self.lower_expr(&target.1);
        let pieces = self.format_pieces(text, place);
        let text = self.push(
            Expr::Format {
                pieces,
                diverges: false,
            },
            place,
        );
        self.push(
            Expr::Macro {
                path: lower_path(&mac.path),
                args: vec![target, text],
            },
            place,
        )
    }

    fn lower_list(&mut self, tokens: TokenStream, place: Place) -> ExprId {
        let repeated = |input: ParseStream<'_>| -> syn::Result<Syn> {
            let value: Syn = input.parse()?;
            input.parse::<Token![;]>()?;
            input.parse::<TokenStream>()?;
            Ok(value)
        };
        let elems = match repeated.parse2(tokens.clone()) {
            Ok(value) => vec![value],
            Err(_) => parse_exprs(tokens).unwrap_or_default(),
        };
        let elems = elems.iter().map(|elem| self.lower_expr(elem)).collect();
        self.push(Expr::Array(elems), place)
    }

    fn lower_join(&mut self, tokens: TokenStream, place: Place, fallible: bool) -> ExprId {
        let biased = |input: ParseStream<'_>| {
            skip_biased(input)?;
            Punctuated::<Syn, Token![,]>::parse_terminated(input)
        };
        let futures: Vec<Syn> = biased
            .parse2(tokens)
            .map(Vec::from_iter)
            .unwrap_or_default();
        let futures = futures
            .iter()
            .map(|future| self.lower_expr(future))
            .collect();
        self.push(Expr::Join { futures, fallible }, place)
    }

    fn lower_matches(&mut self, mac: &syn::Macro, place: Place) -> ExprId {
        let parts = |input: ParseStream<'_>| -> syn::Result<(Syn, syn::Pat, Option<Syn>)> {
            let value = input.parse()?;
            input.parse::<Token![,]>()?;
            let pat = syn::Pat::parse_multi_with_leading_vert(input)?;
            let guard = match input.parse::<Option<Token![if]>>()? {
                Some(_) => Some(input.parse()?),
                None => None,
            };
            input.parse::<TokenStream>()?;
            Ok((value, pat, guard))
        };
        let Ok((value, pat, guard)) = mac.parse_body_with(parts) else {
            return self.unread(mac, place);
        };
        let value = self.lower_expr(&value);
        let arms = self.scoped(|this| {
            let pat = this.lower_pat(&pat);
            let guard = guard.as_ref().map(|guard| this.lower_expr(guard));
            let yes = this.push(Expr::Literal(Literal::Bool(true)), place);
            let no = this.push(Expr::Literal(Literal::Bool(false)), place);
            let wild = this.push_pat(Pat::Wild);
            vec![
                Arm {
                    pat,
                    guard,
                    body: yes,
                },
                Arm {
                    pat: wild,
                    guard: None,
                    body: no,
                },
            ]
        });
        self.push(Expr::Match { value, arms }, place)
    }

    fn lower_select(&mut self, mac: &syn::Macro, place: Place) -> ExprId {
        let Ok(arms) = mac.parse_body_with(parse_select) else {
            return self.unread(mac, place);
        };
        let arms = arms
            .iter()
            .map(|arm| {
                let future = arm.future.as_ref().map(|future| self.lower_expr(future));
                self.scoped(|this| {
                    let pat = arm.pat.as_ref().map(|pat| this.lower_pat(pat));
                    let body = this.lower_expr(&arm.body);
                    this.attach_attributes(body, &arm.attrs);
                    SelectArm { pat, future, body }
                })
            })
            .collect();
        self.push(Expr::Select(arms), place)
    }
}
