#[retrysafe::step(once)]
fn step() {}

#[retrysafe::stable("always")]
fn stable() {}

#[retrysafe::unstable(a, b)]
fn unstable() {}

#[retrysafe::marked(job)]
fn marked() {}

#[retrysafe::effect]
fn no_kind() {}

#[retrysafe::effect(emial, tarket = "x", idempotent = true, key)]
fn effect() {}

fn main() {
    step();
    stable();
    unstable();
    marked();
    no_kind();
    effect();
}
