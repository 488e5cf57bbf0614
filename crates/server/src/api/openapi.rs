//! The description of the interface: what is derived from the types of answers, and what these cannot say.

use std::collections::BTreeMap;

use utoipa::openapi::schema::{Object, SchemaType, Type};
use utoipa::openapi::{RefOr, Schema};

/// The description of all routes below `/api`, as `/api/openapi.json` returns it.
///
/// ```
/// let description = halfmove_server::openapi();
/// assert!(description.paths.paths.contains_key("/api/search"));
/// ```
pub fn openapi() -> utoipa::openapi::OpenApi {
    let (_, mut description) = super::routes().split_for_parts();
    description.info.version = env!("CARGO_PKG_VERSION").to_owned();
    let Some(components) = &mut description.components else { return description };
    let known = components.schemas.clone();
    for schema in components.schemas.values_mut() {
        match schema {
            RefOr::T(Schema::Object(object)) => require_nullable(object),
            RefOr::T(Schema::AllOf(parts)) => parts.items.iter_mut().for_each(|part| match part {
                RefOr::T(Schema::Object(object)) => require_nullable(object),
                RefOr::T(Schema::OneOf(choices)) => {
                    if let Some(object) = choices.items.iter().find_map(|one| referred(one, &known))
                    {
                        *part = RefOr::T(Schema::Object(optional(object)));
                    }
                }
                _ => {}
            }),
            _ => {}
        }
    }
    description
}

/// The object that a reference names.
fn referred<'a>(
    schema: &RefOr<Schema>,
    known: &'a BTreeMap<String, RefOr<Schema>>,
) -> Option<&'a Object> {
    let RefOr::Ref(reference) = schema else { return None };
    match known.get(reference.ref_location.rsplit('/').next()?)? {
        RefOr::T(Schema::Object(object)) => Some(object),
        _ => None,
    }
}

/// An object whose fields are all there or all absent, among those of another one.
fn optional(object: &Object) -> Object {
    let mut object = object.clone();
    object.required.clear();
    object
}

/// Describes fields that may be null as always there. Those that may be absent are never null.
fn require_nullable(object: &mut Object) {
    let is_null = |kind: &SchemaType| match kind {
        SchemaType::Type(kind) => *kind == Type::Null,
        SchemaType::Array(kinds) => kinds.contains(&Type::Null),
        SchemaType::AnyValue => false,
    };
    let is_null_object = |schema: &RefOr<Schema>| match schema {
        RefOr::T(Schema::Object(object)) => is_null(&object.schema_type),
        RefOr::T(Schema::Array(array)) => is_null(&array.schema_type),
        _ => false,
    };
    for (name, schema) in &object.properties {
        let is_nullable = match schema {
            RefOr::T(Schema::OneOf(choices)) => choices.items.iter().any(is_null_object),
            schema => is_null_object(schema),
        };
        if is_nullable && !object.required.contains(name) {
            object.required.push(name.clone());
        }
    }
}
