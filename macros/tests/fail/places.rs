#[retrysafe::job]
struct Reminder {
    id: u64,
}

#[retrysafe::effect(email)]
impl Reminder {
    #[retrysafe::marked]
    fn send(&self) -> u64 {
        #[retrysafe::effect(email)]
        self.id
    }
}

#[retrysafe::accept(random_key, reason = "a second one is harmless")]
mod inner {}

fn main() {
    Reminder { id: 1 }.send();
}
