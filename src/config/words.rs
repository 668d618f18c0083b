//! The words that serde knows of the catalogue's own types: the variants of an enum and the
//! fields of a struct, so that no list of them has to be kept in step.

use serde::de::value::Error;
use serde::de::{Deserializer, Error as _, Visitor};
use serde::{Deserialize, forward_to_deserialize_any};

/// The words of an enum, in the order of its variants.
pub(super) fn variants<'de, T: Deserialize<'de>>() -> Vec<&'static str> {
    asked::<T>()
}

/// The keys of a struct, in the order of its fields.
#[cfg(test)]
pub(super) fn fields<'de, T: Deserialize<'de>>() -> Vec<&'static str> {
    asked::<T>()
}

fn asked<'de, T: Deserialize<'de>>() -> Vec<&'static str> {
    let mut words: &'static [&'static str] = &[];
    // It always fails: nothing is read, the type only says what it would read.
    let _ = T::deserialize(Asked(&mut words));
    words.to_vec()
}

/// Writes down what a type asks for.
struct Asked<'w>(&'w mut &'static [&'static str]);

impl<'de> Deserializer<'de> for Asked<'_> {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, _: V) -> Result<V::Value, Error> {
        Err(Error::custom("nothing is read"))
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        fields: &'static [&'static str],
        _: V,
    ) -> Result<V::Value, Error> {
        *self.0 = fields;
        Err(Error::custom("nothing is read"))
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        variants: &'static [&'static str],
        _: V,
    ) -> Result<V::Value, Error> {
        *self.0 = variants;
        Err(Error::custom("nothing is read"))
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 u8 u16 u32 u64 f32 f64 char str string bytes byte_buf option unit
        unit_struct newtype_struct seq tuple tuple_struct map identifier ignored_any
    }
}

#[cfg(test)]
mod tests {
    use retrysafe_rules::catalog::{CallGuard, SourceKind};

    use super::*;

    #[test]
    fn a_type_tells_its_own_words() {
        assert_eq!(variants::<SourceKind>()[..2], ["random", "clock"]);
        assert_eq!(fields::<CallGuard>(), ["method", "path", "value", "gives"]);
        assert_eq!(variants::<String>(), [""; 0]);
    }
}
