//! A walk through a tree that gathers tables read, functions called and writes that stand inside.
//! It must not build statements: a write that it meets is handed back as a tree.

use sqlparser::ast::{
    Distinct, Expr, FunctionArg, FunctionArgExpr, GroupByExpr, JoinConstraint, JoinOperator,
    LimitClause, ObjectName, OrderBy, OrderByKind, Query, Select, SelectItem,
    SelectItemQualifiedWildcardKind, SetExpr, Statement, TableFactor, TableWithJoins, With,
};

use super::function::class;
use super::name::{Names, bare, dotted};
use super::part::{Open, push_args, push_parts};
use super::select::lock;
use super::statement::{Function as Called, Lock, Value};
use super::value::{arguments, is_of_now, value};

/// The CTEs that can be seen from a place.
pub(super) type Scope<'a> = Vec<(&'a str, &'a Query)>;

/// What was gathered.
#[derive(Default)]
pub(super) struct Walk<'a> {
    pub(super) reads: Vec<String>,
    pub(super) functions: Vec<Called>,
    /// Writes that stand inside, each with the CTEs it sees.
    pub(super) writes: Vec<(&'a Statement, Scope<'a>)>,
    pub(super) scope: Scope<'a>,
    /// The first row lock met.
    pub(super) lock: Option<Lock>,
}

impl<'a> Walk<'a> {
    /// A walk that begins where these CTEs can be seen.
    pub(super) fn new(scope: Scope<'a>) -> Self {
        Self {
            scope,
            ..Self::default()
        }
    }

    /// The CTEs of a WITH clause; they stay visible.
    pub(super) fn with(&mut self, with: Option<&'a With>) {
        let Some(with) = with else { return };
        if with.recursive {
            self.scope.extend(
                with.cte_tables
                    .iter()
                    .map(|cte| (cte.alias.name.value.as_str(), &*cte.query)),
            );
        }
        for cte in &with.cte_tables {
            self.query(&cte.query);
            if !with.recursive {
                self.scope.push((&cte.alias.name.value, &cte.query));
            }
        }
    }

    /// A whole query.
    pub(super) fn query(&mut self, query: &'a Query) {
        let outer = self.scope.len();
        self.lock = self.lock.take().or_else(|| lock(&query.locks));
        self.with(query.with.as_ref());
        self.body(&query.body);
        if let Some(order) = &query.order_by {
            self.order(order);
        }
        match &query.limit_clause {
            Some(LimitClause::LimitOffset {
                limit,
                offset,
                limit_by,
            }) => {
                self.exprs(
                    limit
                        .iter()
                        .chain(offset.iter().map(|offset| &offset.value))
                        .chain(limit_by),
                );
            }
            Some(LimitClause::OffsetCommaLimit { offset, limit }) => self.exprs([offset, limit]),
            None => {}
        }
        self.scope.truncate(outer);
    }

    /// What a query consists of, without its CTEs.
    pub(super) fn body(&mut self, body: &'a SetExpr) {
        let mut open = vec![body];
        while let Some(body) = open.pop() {
            match body {
                SetExpr::Select(select) => self.select(select),
                SetExpr::Query(query) => self.query(query),
                SetExpr::SetOperation { left, right, .. } => open.extend([&**right, &**left]),
                SetExpr::Values(values) => {
                    for row in &values.rows {
                        self.exprs(row.iter());
                    }
                }
                SetExpr::Insert(write)
                | SetExpr::Update(write)
                | SetExpr::Delete(write)
                | SetExpr::Merge(write) => {
                    self.writes.push((write, self.scope.clone()));
                }
                SetExpr::Table(table) => {
                    let parts = table.schema_name.iter().chain(&table.table_name);
                    let name = parts
                        .map(|part| part.value.as_str())
                        .collect::<Vec<_>>()
                        .join(".");
                    self.read(name);
                }
            }
        }
    }

    fn select(&mut self, select: &'a Select) {
        // FROM comes first, so that the table that rows come from is the first one read.
        self.tables(&select.from);
        for item in &select.projection {
            self.item(item);
        }
        let filters = [
            &select.prewhere,
            &select.selection,
            &select.having,
            &select.qualify,
        ];
        self.exprs(filters.into_iter().flatten());
        if let GroupByExpr::Expressions(exprs, _) = &select.group_by {
            self.exprs(exprs);
        }
        if let Some(Distinct::On(exprs)) = &select.distinct {
            self.exprs(exprs);
        }
    }

    /// One item of a projection or RETURNING.
    pub(super) fn item(&mut self, item: &'a SelectItem) {
        match item {
            SelectItem::UnnamedExpr(expr)
            | SelectItem::ExprWithAlias { expr, .. }
            | SelectItem::ExprWithAliases { expr, .. }
            | SelectItem::QualifiedWildcard(SelectItemQualifiedWildcardKind::Expr(expr), _) => {
                self.exprs([expr])
            }
            SelectItem::QualifiedWildcard(..) | SelectItem::Wildcard(_) => {}
        }
    }

    /// The tables of a FROM clause.
    pub(super) fn tables(&mut self, tables: &'a [TableWithJoins]) {
        for table in tables {
            self.table(&table.relation);
            self.joins(table);
        }
    }

    /// What a table is joined with.
    pub(super) fn joins(&mut self, table: &'a TableWithJoins) {
        for join in &table.joins {
            self.table(&join.relation);
            if let Some(JoinConstraint::On(on)) = constraint(&join.join_operator) {
                self.exprs([on]);
            }
        }
    }

    /// One member of a FROM clause.
    pub(super) fn table(&mut self, factor: &'a TableFactor) {
        match factor {
            TableFactor::Table {
                name, args: None, ..
            } => self.read_name(name),
            TableFactor::Table {
                name,
                args: Some(args),
                ..
            } => self.table_function(name, &args.args),
            TableFactor::Function { name, args, .. } => self.table_function(name, args),
            TableFactor::Derived { subquery, .. } => self.query(subquery),
            TableFactor::TableFunction { expr, .. }
            | TableFactor::UnpivotExpr {
                expression: expr, ..
            } => {
                self.exprs([expr]);
            }
            TableFactor::UNNEST { array_exprs, .. } => self.exprs(array_exprs),
            TableFactor::JsonTable { json_expr, .. }
            | TableFactor::OpenJsonTable { json_expr, .. } => {
                self.exprs([json_expr]);
            }
            TableFactor::NestedJoin {
                table_with_joins, ..
            } => {
                self.table(&table_with_joins.relation);
                self.joins(table_with_joins);
            }
            TableFactor::Pivot { table, .. }
            | TableFactor::Unpivot { table, .. }
            | TableFactor::MatchRecognize { table, .. } => self.table(table),
            _ => {}
        }
    }

    fn table_function(&mut self, name: &ObjectName, args: &'a [FunctionArg]) {
        let mut open = Vec::new();
        push_args(args, &mut open);
        open.reverse();
        self.run(open);
        let name = dotted(name).to_ascii_lowercase();
        let values = args.iter().map(|arg| match arg {
            FunctionArg::Unnamed(FunctionArgExpr::Expr(expr))
            | FunctionArg::Named {
                arg: FunctionArgExpr::Expr(expr),
                ..
            } => value(expr, &Names::default()),
            _ => Value::Other,
        });
        self.called(name, values.collect());
    }

    fn read_name(&mut self, name: &ObjectName) {
        let name = dotted(name);
        let is_cte = bare(&name) == name
            && self
                .scope
                .iter()
                .any(|(cte, _)| cte.eq_ignore_ascii_case(&name));
        if !is_cte {
            self.read(name);
        }
    }

    fn read(&mut self, name: String) {
        if !name.is_empty() && !name.eq_ignore_ascii_case("dual") && !self.reads.contains(&name) {
            self.reads.push(name);
        }
    }

    fn called(&mut self, name: String, args: Vec<Value>) {
        if let Some(class) = class(&name, is_of_now(&args)) {
            self.functions.push(Called { name, class, args });
        }
    }

    fn order(&mut self, order: &'a OrderBy) {
        if let OrderByKind::Expressions(exprs) = &order.kind {
            self.exprs(exprs.iter().map(|order| &order.expr));
        }
    }

    /// Expressions, in order.
    pub(super) fn exprs(&mut self, exprs: impl IntoIterator<Item = &'a Expr>) {
        for expr in exprs {
            self.run(vec![Open::Expr(expr)]);
        }
    }

    /// Works off a stack rather than recursing: a chain of operators is as deep as it is long.
    fn run(&mut self, mut open: Vec<Open<'a>>) {
        let mut inner = Vec::new();
        while let Some(next) = open.pop() {
            match next {
                Open::Query(query) => self.query(query),
                Open::Call(function) => {
                    let name = dotted(&function.name).to_ascii_lowercase();
                    self.called(name, arguments(function, &Names::default()));
                }
                Open::Expr(expr) => {
                    push_parts(expr, &mut inner);
                    open.extend(inner.drain(..).rev());
                }
            }
        }
    }
}

fn constraint(operator: &JoinOperator) -> Option<&JoinConstraint> {
    use JoinOperator as J;
    match operator {
        J::Join(on)
        | J::Inner(on)
        | J::Left(on)
        | J::LeftOuter(on)
        | J::Right(on)
        | J::RightOuter(on) => Some(on),
        J::FullOuter(on) | J::CrossJoin(on) | J::Semi(on) | J::LeftSemi(on) | J::RightSemi(on) => {
            Some(on)
        }
        J::Anti(on) | J::LeftAnti(on) | J::RightAnti(on) | J::StraightJoin(on) => Some(on),
        J::AsOf { constraint, .. } => Some(constraint),
        J::CrossApply | J::OuterApply | J::ArrayJoin | J::LeftArrayJoin | J::InnerArrayJoin => None,
    }
}
