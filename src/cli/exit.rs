//! Exit codes: every one of them, and what it means.

use std::process::ExitCode;

/// How a run ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exit {
    /// 0: analysed; nothing stands against it.
    Clean,
    /// 1: findings at deny.
    Findings,
    /// 2: usage or configuration error, unreadable input; nothing is called clean.
    Unusable,
    /// 3: nothing to analyse: no Rust source, or no job.
    Nothing,
}

impl Exit {
    /// The number.
    pub const fn code(self) -> u8 {
        match self {
            Exit::Clean => 0,
            Exit::Findings => 1,
            Exit::Unusable => 2,
            Exit::Nothing => 3,
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> ExitCode {
        ExitCode::from(exit.code())
    }
}
