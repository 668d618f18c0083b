//! Mistakes of others keep their places in a body that declarations were taken out of.

#[retrysafe::job(key = "{id}")]
fn run(id: u64) -> u64 {
    #[retrysafe::effect(email)]
    let text: &str = id;
    #[retrysafe::effect(email)]
    if id > 0 {
        #[retrysafe::accept(random_key, reason = "a second one is harmless")]
        missing(text);
    }
    #[retrysafe::effect(email)]
    let unused = id;
}

fn main() {
    run(1);
}
