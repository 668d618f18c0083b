//! Attributes on statements and expressions, by path.
#![deny(warnings)]

#[derive(Debug, PartialEq)]
struct Sent {
    first: u64,
    second: u64,
}

fn send(id: u64) -> Result<u64, String> {
    Ok(id)
}

#[retrysafe::job(key = "send:{id}")]
fn everywhere(id: u64) -> Result<Sent, String> {
    #[retrysafe::accept(unguarded_notification, reason = "a second one is harmless")]
    send(id)?;

    #[retrysafe::effect(email, key = "{id}")]
    let first = send(id)?;

    #[::retrysafe::effect(email)]
    let Ok(mut second) = send(id) else {
        #[retrysafe::accept(random_key, reason = "a second one is harmless")]
        return Err(String::new());
    };

    #[retrysafe::effect(email)]
    assert_eq!(first, 7);

    #[retrysafe::effect(sms)]
    #[retrysafe::accept(unguarded_notification, reason = "a second one is harmless")]
    assert! { second == 7 }

    #[retrysafe::effect(email)]
    if first == second {
        #[retrysafe::effect(email)]
        send(first)?;
    }

    #[retrysafe::effect(email)]
    match first {
        #[retrysafe::effect(email)]
        0 => second = send(0)?,
        _ => #[retrysafe::effect(email)]
        {
            send(1)?;
        }
    }

    #[retrysafe::effect(email)]
    for id in 0..2 {
        let _ = send(#[retrysafe::effect(push)] send(id)?);
    }

    #[retrysafe::effect(email)]
    {
        send(first)?;
    }

    let all = vec![#[retrysafe::effect(email)] send(2)?, 3];
    let closure = #[retrysafe::effect(email)]
    |id: u64| send(id);
    closure(all[0])?;

    #[retrysafe::effect(email)]
    Ok(Sent {
        #[retrysafe::effect(email)]
        first,
        second: #[retrysafe::effect(email)] send(second)?,
    })
}

#[retrysafe::marked]
async fn inside_futures(id: u64) -> Result<u64, String> {
    let sent = async {
        #[retrysafe::effect(email)]
        send(id)
    };
    #[retrysafe::effect(email)]
    sent.await
}

#[retrysafe::marked]
fn functions_inside() -> Result<u64, String> {
    #[retrysafe::effect(email)]
    fn inner(id: u64) -> Result<u64, String> {
        send(id)
    }
    struct Inner;
    impl Inner {
        #[retrysafe::effect(email, target = "{id}")]
        fn send(&self, id: u64) -> Result<u64, String> {
            inner(id)
        }
    }
    #[retrysafe::effect(email)]
    const ID: u64 = 7;
    #[retrysafe::accept(random_key, reason = "a second one is harmless")]
    Inner.send(ID)
}

#[retrysafe::marked]
fn documented() -> u64 {
    #[allow(unused_doc_comments)]
    /// What this is about.
    #[retrysafe::effect(email)]
    let unchecked = 7;
    unchecked
}

fn main() {
    let sent = everywhere(7).expect("nothing fails here");
    assert_eq!(sent, Sent { first: 7, second: 7 });
    assert_eq!(functions_inside(), Ok(7));
    assert_eq!(documented(), 7);
    drop(inside_futures(1));
}
