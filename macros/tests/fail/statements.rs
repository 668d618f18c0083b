use retrysafe::{accept, effect};

#[effect(email)]
#[accept(random_key, reason = "a second one is harmless")]
fn send(id: u64) -> u64 {
    id
}

#[retrysafe::job]
fn run(id: u64) -> u64 {
    #[retrysafe::step]
    send(id);
    #[retrysafe::job(key = "{id}")]
    let first = send(id);
    #[retrysafe::acept(random_key, reason = "a second one is harmless")]
    send(id);
    #[retrysafe::accept = "random_key"]
    send(id);
    #[retrysafe::effect(emial)]
    send(#[retrysafe::accept(random_kee)] first);
    #[accept(random_key)]
    send(id);
    #[effect(email, tarket = "x")]
    send(id);
    #[cfg_attr(any(), retrysafe::accept(random_key, reason = "fine"))]
    vec![#[retrysafe::effect(email, idempotent = true)] send(id)];
    first
}

fn main() {
    run(1);
}
