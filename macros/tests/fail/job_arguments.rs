#[retrysafe::job(kee = "x", attempts = 0, key = 5, delivery = "at-lest-once", schedule = true)]
fn several(id: u64) -> u64 {
    id
}

#[retrysafe::job(effects(emial, db_write("invoices"), telepathy, http = "crm", sms(5), push()))]
fn kinds() {}

#[retrysafe::job(effects = "email")]
fn not_a_list() {}

#[retrysafe::job(effects(db-write))]
fn kebab() {}

#[retrysafe::job(key = "a", attempts = 3, key = "b")]
fn twice() {}

#[retrysafe::job("x")]
fn no_word() {}

fn main() {
    // The functions are there all the same: these are no errors.
    several(1);
    kinds();
    not_a_list();
    kebab();
    twice();
    no_word();
}
