//! The table of endpoints: method, path, right, handler and description in one place, so that none of them can
//! differ from the others. Routing, the check of rights and the OpenAPI document all come from it.

use std::collections::{BTreeMap, BTreeSet};

use actix_web::middleware::{Compress, Condition};
use actix_web::{FromRequest, Handler, Responder, Route, guard, web};
use utoipa::openapi::path::{HttpMethod, OperationBuilder, Parameter, ParameterBuilder, ParameterIn};
use utoipa::openapi::request_body::RequestBodyBuilder;
use utoipa::openapi::schema::{KnownFormat, ObjectBuilder, SchemaFormat, SchemaType, Type};
use utoipa::openapi::security::{ApiKey, ApiKeyValue, HttpAuthScheme, HttpBuilder, SecurityScheme};
use utoipa::openapi::{
    ComponentsBuilder, ContentBuilder, InfoBuilder, OpenApi, OpenApiBuilder, PathItem, PathsBuilder, Ref,
    RefOr, Required, ResponseBuilder, Schema, SecurityRequirement,
};
use utoipa::{IntoParams, ToSchema};

use crate::desk::rights::{Right, holders};

/// A method of HTTP that we use.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Method {
    /// Read.
    Get,
    /// Do.
    Post,
    /// Replace.
    Put,
    /// Change.
    Patch,
    /// Remove.
    Delete,
}

impl Method {
    /// Every method.
    const ALL: [Method; 5] = [Method::Get, Method::Post, Method::Put, Method::Patch, Method::Delete];

    /// As in a request line.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Method::Get => "GET",
            Method::Post => "POST",
            Method::Put => "PUT",
            Method::Patch => "PATCH",
            Method::Delete => "DELETE",
        }
    }

    fn route(self) -> Route {
        match self {
            Method::Get => reads(),
            Method::Post => web::post(),
            Method::Put => web::put(),
            Method::Patch => web::patch(),
            Method::Delete => web::delete(),
        }
    }

    const fn open_api(self) -> HttpMethod {
        match self {
            Method::Get => HttpMethod::Get,
            Method::Post => HttpMethod::Post,
            Method::Put => HttpMethod::Put,
            Method::Patch => HttpMethod::Patch,
            Method::Delete => HttpMethod::Delete,
        }
    }
}

type Schemas = Vec<(String, RefOr<Schema>)>;

/// An endpoint.
#[allow(clippy::struct_excessive_bools, reason = "each says one thing about the endpoint")]
pub struct Endpoint {
    /// The method.
    pub method: Method,
    /// The pattern of its path.
    pub path: &'static str,
    /// Its name in the OpenAPI document.
    pub id: &'static str,
    /// The right that is needed.
    pub right: Right,
    /// Whether it reads query parameters at all.
    pub query: bool,
    /// Whether it is an attempt to log in or to use a code, which is limited more strictly.
    pub attempt: bool,
    /// Whether it can be called with a key that makes a repetition harmless. Every POST can.
    pub idempotent: bool,
    /// Whether the answer never ends.
    pub stream: bool,
    tag: &'static str,
    summary: &'static str,
    params: Vec<Parameter>,
    body: Option<(&'static str, RefOr<Schema>)>,
    answer: (u16, Vec<(&'static str, RefOr<Schema>)>),
    route: Box<dyn Fn() -> Route + Send + Sync>,
}

/// The endpoints.
#[derive(Default)]
pub struct Table {
    endpoints: Vec<Endpoint>,
    schemas: Schemas,
    places: BTreeMap<(String, &'static str), usize>,
}

impl std::fmt::Debug for Table {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Table").field("endpoints", &self.endpoints.len()).finish_non_exhaustive()
    }
}

/// An endpoint that is being described; [`Adding::to`] ends it.
pub struct Adding<'a> {
    table: &'a mut Table,
    endpoint: Endpoint,
}

/// A route for whoever reads: `GET`, and `HEAD`, which is answered without the body.
#[must_use]
pub fn reads() -> Route {
    web::route().guard(guard::Any(guard::Get()).or(guard::Head()))
}

fn no_route() -> Route {
    web::route()
}

/// Whether the answers of a path are public and large: results of hundreds of entrants, journals of a board.
fn is_large(path: &str) -> bool {
    ["/standings", "/views/", "/boards"].iter().any(|part| path.contains(part))
}

impl Table {
    /// Begins an endpoint.
    pub fn add(
        &mut self,
        method: Method,
        path: &'static str,
        right: Right,
        id: &'static str,
        summary: &'static str,
    ) -> Adding<'_> {
        let tag = path.strip_prefix("/api/v1/").map_or("system", |rest| {
            let parts: Vec<&str> = rest.split('/').collect();
            match parts.as_slice() {
                ["events", "{event}", part, ..] | [part, ..] => part,
                [] => "system",
            }
        });
        let endpoint = Endpoint {
            method,
            path,
            id,
            right,
            query: false,
            attempt: false,
            idempotent: method == Method::Post,
            stream: false,
            tag,
            summary,
            params: Vec::new(),
            body: None,
            answer: (204, Vec::new()),
            route: Box::new(no_route),
        };
        Adding { table: self, endpoint }
    }

    /// Begins an endpoint that reads.
    pub fn get(
        &mut self,
        path: &'static str,
        right: Right,
        id: &'static str,
        summary: &'static str,
    ) -> Adding<'_> {
        self.add(Method::Get, path, right, id, summary)
    }

    /// Begins an endpoint that does something.
    pub fn post(
        &mut self,
        path: &'static str,
        right: Right,
        id: &'static str,
        summary: &'static str,
    ) -> Adding<'_> {
        self.add(Method::Post, path, right, id, summary)
    }

    /// Describes a type that no endpoint names.
    pub fn schema_of<T: ToSchema>(&mut self) {
        self.schemas.push((T::name().into_owned(), T::schema()));
        T::schemas(&mut self.schemas);
    }

    /// The names under which more than one schema stands: only the first of them would be described.
    #[must_use]
    pub fn clashes(&self) -> BTreeSet<&str> {
        let mut known: BTreeMap<&str, &RefOr<Schema>> = BTreeMap::new();
        self.schemas
            .iter()
            .filter(|(name, schema)| known.insert(name, schema).is_some_and(|other| other != schema))
            .map(|(name, _)| name.as_str())
            .collect()
    }

    /// The endpoints in the order in which they were added.
    #[must_use]
    pub fn endpoints(&self) -> &[Endpoint] {
        &self.endpoints
    }

    /// The endpoint of a method and a pattern.
    #[must_use]
    pub fn find(&self, method: &str, pattern: &str) -> Option<&Endpoint> {
        let method = if method == "HEAD" { "GET" } else { method };
        let method = Method::ALL.into_iter().find(|one| one.name() == method)?;
        self.places.get(&(pattern.to_owned(), method.name())).and_then(|place| self.endpoints.get(*place))
    }

    /// The methods of a pattern, as the header `Allow` lists them; pages are only read.
    #[must_use]
    pub fn allowed(&self, pattern: &str) -> String {
        let there = |method: &Method| self.places.contains_key(&(pattern.to_owned(), method.name()));
        let mut names: Vec<&str> =
            Method::ALL.iter().filter(|method| there(method)).map(|method| method.name()).collect();
        if names.is_empty() {
            names.push("GET");
        }
        if names.first() == Some(&"GET") {
            names.insert(1, "HEAD");
        }
        names.join(", ")
    }

    /// Registers every route.
    pub fn configure(&self, service: &mut web::ServiceConfig) {
        let mut paths: Vec<&str> = Vec::new();
        for endpoint in &self.endpoints {
            if !paths.contains(&endpoint.path) {
                paths.push(endpoint.path);
            }
        }
        for path in paths {
            let mut resource = web::resource(path);
            for endpoint in self.endpoints.iter().filter(|endpoint| endpoint.path == path) {
                resource = resource.route((endpoint.route)());
            }
            // Only what is public: a secret beside something that the asker chose could be guessed by its size.
            service.service(resource.wrap(Condition::new(is_large(path), Compress::default())));
        }
    }

    /// The OpenAPI 3.1 document.
    #[must_use]
    pub fn open_api(&self) -> OpenApi {
        let mut paths = PathsBuilder::new();
        for endpoint in &self.endpoints {
            paths = paths.path(endpoint.path, endpoint.item());
        }
        let mut components = ComponentsBuilder::new();
        let mut seen = BTreeSet::new();
        for (name, schema) in &self.schemas {
            if seen.insert(name.clone()) {
                components = components.schema(name, schema.clone());
            }
        }
        let bearer = HttpBuilder::new().scheme(HttpAuthScheme::Bearer).build();
        let cookie = ApiKey::Cookie(ApiKeyValue::with_description(
            super::context::COOKIE,
            "Changes also need the header X-CSRF-Token.",
        ));
        let components = components
            .security_scheme("bearer", SecurityScheme::Http(bearer))
            .security_scheme("cookie", SecurityScheme::ApiKey(cookie))
            .build();
        let info = InfoBuilder::new()
            .title("fushi")
            .version(env!("CARGO_PKG_VERSION"))
            .description(Some(
                "Duplicate competitions for card games. Instants are µs since 1970-01-01T00:00:00Z. Everything is \
                 refused with RFC 9457 problem details. Every POST takes an Idempotency-Key. ?lang= (en, zh-CN, \
                 zh-TW) or Accept-Language chooses the language of sentences.",
            ))
            .build();
        OpenApiBuilder::new().info(info).paths(paths.build()).components(Some(components)).build()
    }
}

/// The bytes of a file.
fn binary_schema() -> RefOr<Schema> {
    let bytes = ObjectBuilder::new()
        .schema_type(SchemaType::Type(Type::String))
        .format(Some(SchemaFormat::KnownFormat(KnownFormat::Binary)));
    RefOr::T(Schema::Object(bytes.build()))
}

/// What a file of a media type is to whoever reads the document: JSON an object, text a text, anything else bytes.
fn file_schema(media_type: &str) -> RefOr<Schema> {
    if media_type == "application/json" {
        return RefOr::T(Schema::Object(
            ObjectBuilder::new().schema_type(SchemaType::Type(Type::Object)).build(),
        ));
    }
    if media_type.starts_with("text/") || media_type == "application/openmetrics-text" {
        return text_schema();
    }
    binary_schema()
}

fn text_schema() -> RefOr<Schema> {
    RefOr::T(Schema::Object(ObjectBuilder::new().schema_type(SchemaType::Type(Type::String)).build()))
}

impl Endpoint {
    fn item(&self) -> PathItem {
        let roles: Vec<&str> = holders(self.right).iter().map(|role| role.word()).collect();
        let mut operation = OperationBuilder::new()
            .operation_id(Some(self.id))
            .tag(self.tag)
            .summary(Some(self.summary))
            .description(Some(format!("Right `{}`: {}.", self.right, roles.join(", "))));
        for part in self.path.split('/') {
            let Some(name) = part.strip_prefix('{').and_then(|part| part.strip_suffix('}')) else { continue };
            let name = name.split(':').next().unwrap_or(name);
            let parameter = ParameterBuilder::new()
                .name(name)
                .parameter_in(ParameterIn::Path)
                .required(Required::True)
                .schema(Some(text_schema()));
            operation = operation.parameter(parameter.build());
        }
        for parameter in &self.params {
            operation = operation.parameter(parameter.clone());
        }
        if self.idempotent {
            let parameter = ParameterBuilder::new()
                .name("Idempotency-Key")
                .parameter_in(ParameterIn::Header)
                .required(Required::False)
                .schema(Some(text_schema()));
            operation = operation.parameter(parameter.build());
        }
        if let Some((media_type, schema)) = &self.body {
            let content = ContentBuilder::new().schema(Some(schema.clone())).build();
            let body = RequestBodyBuilder::new().content(*media_type, content).required(Some(Required::True));
            operation = operation.request_body(Some(body.build()));
        }
        let (status, media_types) = &self.answer;
        let mut answer = ResponseBuilder::new().description("Done");
        for (media_type, schema) in media_types {
            let content = ContentBuilder::new().schema(Some(schema.clone())).build();
            answer = answer.content(*media_type, content);
        }
        let problem =
            ContentBuilder::new().schema(Some(RefOr::Ref(Ref::from_schema_name("ProblemDetails")))).build();
        let refused = ResponseBuilder::new()
            .description("Refused: problem details")
            .content("application/problem+json", problem)
            .build();
        operation = operation.response(status.to_string(), answer.build()).response("default", refused);
        if self.right != Right::SeePublic {
            operation = operation
                .security(SecurityRequirement::new("bearer", Vec::<String>::new()))
                .security(SecurityRequirement::new("cookie", Vec::<String>::new()));
        }
        PathItem::new(self.method.open_api(), operation.build())
    }
}

impl Adding<'_> {
    fn schema<T: ToSchema>(&mut self) -> RefOr<Schema> {
        self.table.schema_of::<T>();
        RefOr::Ref(Ref::from_schema_name(T::name()))
    }

    /// Reads these query parameters.
    #[must_use]
    pub fn query<Q: IntoParams>(mut self) -> Self {
        self.endpoint.query = true;
        self.endpoint.params = Q::into_params(|| Some(ParameterIn::Query));
        self
    }

    /// Reads a JSON body.
    #[must_use]
    pub fn body<T: ToSchema>(mut self) -> Self {
        let schema = self.schema::<T>();
        self.endpoint.body = Some(("application/json", schema));
        self
    }

    /// Reads a file in any encoding that is recognised.
    #[must_use]
    pub fn file_body(mut self, media_type: &'static str) -> Self {
        self.endpoint.body = Some((media_type, binary_schema()));
        self
    }

    /// Answers JSON with a status.
    #[must_use]
    pub fn answers<T: ToSchema>(mut self, status: u16) -> Self {
        let schema = self.schema::<T>();
        self.endpoint.answer = (status, vec![("application/json", schema)]);
        self
    }

    /// Answers a file of one of these media types.
    #[must_use]
    pub fn answers_file(mut self, media_types: &[&'static str]) -> Self {
        self.endpoint.answer = (200, media_types.iter().map(|one| (*one, file_schema(one))).collect());
        self
    }

    /// Answers a file of one of these media types, too, where it is asked for one.
    #[must_use]
    pub fn or_file(mut self, media_types: &[&'static str]) -> Self {
        self.endpoint.answer.1.extend(media_types.iter().map(|one| (*one, file_schema(one))));
        self
    }

    /// Answers nothing but this status.
    #[must_use]
    pub fn status(mut self, status: u16) -> Self {
        self.endpoint.answer = (status, Vec::new());
        self
    }

    /// Is an attempt to log in or to use a code.
    #[must_use]
    pub fn attempt(mut self) -> Self {
        self.endpoint.attempt = true;
        self
    }

    /// Answers server-sent events without end.
    #[must_use]
    pub fn streams(mut self) -> Self {
        self.endpoint.stream = true;
        self.endpoint.answer = (200, vec![("text/event-stream", text_schema())]);
        self
    }

    /// Is answered by this handler.
    pub fn to<H, Args>(mut self, handler: H)
    where
        H: Handler<Args> + Clone + Send + Sync,
        Args: FromRequest + 'static,
        H::Output: Responder + 'static,
    {
        let method = self.endpoint.method;
        self.endpoint.route = Box::new(move || method.route().to(handler.clone()));
        let place = self.table.endpoints.len();
        self.table.places.insert((self.endpoint.path.to_owned(), method.name()), place);
        self.table.endpoints.push(self.endpoint);
    }
}
