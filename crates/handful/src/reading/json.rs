//! JSON values, reduced to what documents need.

use std::fmt;

use serde::de::{Deserialize, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::Number;

/// A JSON value. Unlike `serde_json::Value`, it keeps repeated keys, so that the counts of a
/// repeated term can be added up. It drops the content of values that no document uses.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Json {
    Null,
    Text(String),
    Number(Number),
    Object(Vec<(String, Json)>),
    /// Booleans and lists.
    Other,
}

impl Json {
    /// Returns a string or number, such as an identifier, as text.
    pub(super) fn label(&self) -> Option<String> {
        match self {
            Self::Text(text) => Some(text.clone()),
            Self::Number(number) => Some(number.to_string()),
            _ => None,
        }
    }
}

impl<'de> Deserialize<'de> for Json {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(JsonVisitor)
    }
}

struct JsonVisitor;

impl<'de> Visitor<'de> for JsonVisitor {
    type Value = Json;

    fn expecting(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        formatter.write_str("a JSON value")
    }

    fn visit_unit<E>(self) -> Result<Json, E> {
        Ok(Json::Null)
    }

    fn visit_bool<E>(self, _: bool) -> Result<Json, E> {
        Ok(Json::Other)
    }

    fn visit_u64<E>(self, number: u64) -> Result<Json, E> {
        Ok(Json::Number(number.into()))
    }

    fn visit_i64<E>(self, number: i64) -> Result<Json, E> {
        Ok(Json::Number(number.into()))
    }

    fn visit_f64<E: Error>(self, number: f64) -> Result<Json, E> {
        Number::from_f64(number).map(Json::Number).ok_or_else(|| E::custom("number out of range"))
    }

    fn visit_str<E>(self, text: &str) -> Result<Json, E> {
        Ok(Json::Text(text.to_owned()))
    }

    fn visit_string<E>(self, text: String) -> Result<Json, E> {
        Ok(Json::Text(text))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Json, A::Error> {
        while list.next_element::<IgnoredAny>()?.is_some() {}
        Ok(Json::Other)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Json, A::Error> {
        let mut fields = Vec::new();
        while let Some(field) = map.next_entry()? {
            fields.push(field);
        }
        Ok(Json::Object(fields))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn repeated_keys_are_kept() {
        let json: Json =
            serde_json::from_str(r#"{"a": 1, "a": "x", "b": [1, {}], "c": null}"#).unwrap();
        let expected = vec![
            ("a".to_owned(), Json::Number(1.into())),
            ("a".to_owned(), Json::Text("x".into())),
            ("b".to_owned(), Json::Other),
            ("c".to_owned(), Json::Null),
        ];
        assert_eq!(json, Json::Object(expected));
    }

    #[test]
    fn labels_are_names_or_numbers() {
        let label = |json| serde_json::from_str::<Json>(json).unwrap().label();
        assert_eq!(label(r#""x""#), Some("x".into()));
        assert_eq!(label("17"), Some("17".into()));
        assert_eq!(label("-1.5"), Some("-1.5".into()));
        assert_eq!(label("true"), None);
    }
}
