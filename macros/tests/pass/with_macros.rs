//! Attributes among the tokens of macros, and on what `macro_rules!` was given.
#![deny(warnings)]

fn send(id: u64) -> u64 {
    id
}

#[retrysafe::job]
async fn selects(id: u64) -> u64 {
    tokio::select! {
        sent = async { #[retrysafe::effect(email)] send(id) } => {
            #[retrysafe::accept(random_key, reason = "a second one is harmless")]
            send(sent)
        }
    }
}

macro_rules! job {
    ($(#[$attribute:meta])* $visibility:vis fn $name:ident($($argument:ident: $type:ty)*) $key:literal $body:block $statement:stmt) => {
        #[retrysafe::job(key = $key, effects(email($key)), attempts = 3)]
        $(#[$attribute])*
        $visibility fn $name($($argument: $type)*) -> u64 {
            $statement;
            $body
        }
    };
}

job! {
    #[retrysafe::accept(random_key, reason = "a second one is harmless")]
    #[inline]
    pub fn made(id: u64) "made:{id}" {
        #[retrysafe::effect(email)]
        send(id)
    }
    #[retrysafe::effect(email)]
    let _unused = 1
}

macro_rules! whole {
    ($item:item) => {
        #[retrysafe::job(key = "{id}")]
        $item
    };
}

whole! {
    fn whole(id: u64) -> u64 {
        #[retrysafe::effect(email)]
        send(id)
    }
}

#[retrysafe::marked]
fn rules_inside(id: u64) -> u64 {
    macro_rules! twice {
        ($value:expr, $reason:literal) => {{
            #[retrysafe::accept(random_key, reason = $reason)]
            send($value);
            #[retrysafe::effect(email)]
            send($value)
        }};
    }
    twice!(id, "a second one is harmless")
}

fn main() {
    assert_eq!(made(1) + whole(2) + rules_inside(3), 6);
    drop(selects(1));
}
