#[retrysafe::accept]
fn nothing() {}

#[retrysafe::accept(random_kee, reason = "a second one is harmless")]
fn unknown_rule() {}

#[retrysafe::accept(random-key, reason = "a second one is harmless")]
fn kebab() {}

#[retrysafe::accept(random_key)]
fn no_reason() {}

#[retrysafe::accept(random_kee)]
fn both() {}

#[retrysafe::accept(random_key, reason = "fine")]
fn short_reason() {}

#[retrysafe::accept(random_key, reson = "a second one is harmless")]
fn unknown_argument() {}

#[retrysafe::accept(random_key, reason = harmless)]
fn no_text() {}

fn main() {
    nothing();
    unknown_rule();
    kebab();
    no_reason();
    both();
    short_reason();
    unknown_argument();
    no_text();
}
