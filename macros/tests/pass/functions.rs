//! Every attribute on every kind of function.
#![deny(warnings, missing_docs)]

macro_rules! on_everything {
    ($module:ident, $(#[$attribute:meta])+) => {
        /// One attribute on all of them.
        pub mod $module {
            /// A function.
            $(#[$attribute])+
            pub fn plain(id: u64) -> u64 {
                id
            }

            /// An asynchronous one.
            $(#[$attribute])+
            pub async fn asynchronous(id: u64) -> u64 {
                id
            }

            /// A generic one.
            $(#[$attribute])+
            pub fn generic<'a, T: Clone, const N: usize>(id: &'a [T; N]) -> Vec<T>
            where
                T: 'a,
            {
                id.to_vec()
            }

            /// A constant one.
            $(#[$attribute])+
            pub const fn constant(id: u64) -> u64 {
                id
            }

            /// For C.
            ///
            /// # Safety
            /// It is safe.
            $(#[$attribute])+
            pub unsafe extern "C" fn foreign(id: u64) -> u64 {
                id
            }

            /// A trait.
            pub trait Work {
                /// Without a body.
                $(#[$attribute])+
                fn required(&self, id: u64) -> u64;

                /// With one.
                $(#[$attribute])+
                fn provided(&self, id: u64) -> u64 {
                    self.required(id)
                }
            }

            /// A worker.
            pub struct Worker;

            impl Work for Worker {
                $(#[$attribute])+
                fn required(&self, id: u64) -> u64 {
                    self.method(id)
                }
            }

            impl Worker {
                /// A method.
                $(#[$attribute])+
                pub fn method(&self, id: u64) -> u64 {
                    id
                }

                /// A function of the type.
                $(#[$attribute])+
                #[must_use]
                pub fn associated(id: u64) -> u64 {
                    id
                }
            }
        }
    };
}

on_everything!(job, #[retrysafe::job(key = "work:{id}:v1", effects(email, db_write("a", "b")), delivery = "at-least-once", attempts = 5, schedule)]);
on_everything!(bare_job, #[retrysafe::job]);
on_everything!(no_effects, #[retrysafe::job(effects())]);
on_everything!(effect, #[retrysafe::effect(email, key = "{id}", idempotent, target = "x")]);
on_everything!(step, #[retrysafe::step]);
on_everything!(stable, #[retrysafe::stable]);
on_everything!(unstable, #[retrysafe::unstable]);
on_everything!(accept, #[retrysafe::accept(random_key, reason = "a second one is harmless")]);
on_everything!(marked, #[retrysafe::marked]);
on_everything!(
    several,
    #[retrysafe::job]
    #[retrysafe::accept(random_key, reason = "a second one is harmless")]
    #[cfg_attr(all(), retrysafe::stable)]
    #[::retrysafe::marked]
);

fn main() {
    use several::Work;
    const SEVEN: u64 = job::constant(7);
    assert_eq!(SEVEN, effect::plain(7));
    assert_eq!(several::Worker.provided(7), 7);
    assert_eq!(step::generic(&[7]), [7]);
}
