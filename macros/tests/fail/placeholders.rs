#[retrysafe::job(key = "charge:{order}:{customer.id}")]
fn charge(order_id: u64) -> u64 {
    order_id
}

#[retrysafe::job(key = "{day}")]
fn close() {}

trait Work {
    #[retrysafe::job(key = "{odrer}")]
    fn work(order: u64) -> u64;
}

struct Worker;

impl Work for Worker {
    #[retrysafe::job(key = "{odrer}", tries = 3)]
    fn work(order: u64) -> u64 {
        order
    }
}

impl Worker {
    // A field of the worker may be meant.
    #[retrysafe::job(key = "{id}")]
    fn method(&self) {}
}

fn main() {
    charge(Worker::work(1));
    close();
    Worker.method();
}
