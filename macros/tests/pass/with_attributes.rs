//! Together with the attributes of others, above and below ours.
#![deny(warnings)]

fn send(id: u64) -> u64 {
    id
}

#[async_trait::async_trait]
trait Job {
    #[retrysafe::job(key = "{id}")]
    async fn required(&self, id: u64) -> u64;

    #[retrysafe::job(key = "{id}")]
    async fn provided(&self, id: u64) -> u64 {
        #[retrysafe::effect(email)]
        self.required(id).await
    }
}

struct Reminder;

#[async_trait::async_trait]
impl Job for Reminder {
    #[retrysafe::job(key = "{id}", effects(email))]
    #[tracing::instrument(skip(self))]
    async fn required(&self, id: u64) -> u64 {
        #[retrysafe::accept(unguarded_notification, reason = "a second one is harmless")]
        send(id)
    }

    #[tracing::instrument(skip(self))]
    #[retrysafe::job(key = "{id}", effects(email))]
    async fn provided(&self, id: u64) -> u64 {
        #[retrysafe::effect(email)]
        self.required(id).await
    }
}

struct Order {
    id: u64,
}

#[async_trait::async_trait]
trait Free {
    #[retrysafe::job(key = "{id}")]
    async fn pays(Order { id }: Order) -> u64;
}

#[async_trait::async_trait]
impl Free for Reminder {
    #[retrysafe::job(key = "{id}")]
    async fn pays(Order { id }: Order) -> u64 {
        #[retrysafe::effect(payment)]
        send(id)
    }
}

#[tracing::instrument]
#[retrysafe::job(key = "{id}")]
async fn below(id: u64) -> u64 {
    #[retrysafe::effect(email)]
    send(id)
}

#[retrysafe::job(key = "{id}")]
#[tracing::instrument]
fn above(id: u64) -> u64 {
    #[retrysafe::effect(email)]
    send(id)
}

#[retrysafe::marked]
#[tokio::main(flavor = "current_thread")]
async fn started() -> u64 {
    #[retrysafe::effect(email)]
    below(1).await
}

#[tokio::main(flavor = "current_thread")]
#[retrysafe::job(schedule)]
async fn main() {
    #[retrysafe::effect(email)]
    let sum = Reminder.provided(1).await + Reminder::pays(Order { id: 2 }).await + above(3);
    assert_eq!(sum, 6);
    let started = std::thread::spawn(|| started());
    assert_eq!(started.join().expect("it does not panic"), 1);
}
