//! Attributes by import, under another name of the crate, and inside `cfg_attr`.
#![deny(warnings)]

use retrysafe as rs;
use retrysafe::{accept, effect, job, marked, step};

fn send(id: u64) -> u64 {
    id
}

fn same(id: u64) -> u64 {
    id
}

fn other(id: u64) -> u64 {
    id
}

#[step]
fn once<T>(run: impl FnOnce() -> T) -> T {
    run()
}

#[job(key = "{id}")]
fn run(id: u64) -> u64 {
    #[accept(unguarded_notification, reason = "a second one is harmless")]
    send(id);
    #[effect(email, target = "x")]
    let sent = send(id);
    #[rs::effect(email)]
    once(|| {
        #[accept(random_key, reason = "a second one is harmless")]
        send(id)
    });
    #[effect(email)]
    same(other(sent))
}

#[marked]
fn conditional(id: u64) -> u64 {
    #[cfg_attr(all(), retrysafe::accept(random_key, reason = "a second one is harmless"))]
    send(id);
    #[cfg_attr(all(), allow(unused_variables), effect(email), allow(unused_mut))]
    let mut unused = send(id);
    #[cfg_attr(any(), effect(email))]
    let sent = send(id);
    sent
}

#[marked]
fn left_out(id: u64) -> u64 {
    #[cfg(any())]
    #[effect(email)]
    send(id + 1);
    id
}

mod local {
    #[retrysafe::marked]
    pub fn imports(id: u64) -> u64 {
        use retrysafe::effect;
        #[effect(email)]
        fn inner(id: u64) -> u64 {
            id
        }
        #[effect(email)]
        inner(id)
    }
}

#[cfg_attr(all(), retrysafe::job(key = "{id}"))]
fn conditional_job(id: u64) -> u64 {
    #[effect(email)]
    send(id)
}

fn main() {
    assert_eq!(run(1) + conditional(2) + conditional_job(3), 6);
    assert_eq!(left_out(1) + local::imports(2), 3);
}
