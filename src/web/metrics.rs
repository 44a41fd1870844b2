//! What is counted, in the text form of Prometheus. No label may hold a name, a token or a card.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use prometheus_client::encoding::text::encode;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::{Histogram, exponential_buckets};
use prometheus_client::registry::{Metric, Registry};

/// The labels of a request: method, pattern of the path (never the path itself), status.
pub type RequestLabels = Vec<(&'static str, String)>;

/// The server's metrics. Other rooms add theirs with [`Metrics::register`].
pub struct Metrics {
    registry: Mutex<Registry>,
    requests: Family<RequestLabels, Counter>,
    seconds: Histogram,
    refused: Family<RequestLabels, Counter>,
    uptime: Gauge,
    started: Instant,
}

impl std::fmt::Debug for Metrics {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Metrics")
    }
}

impl Default for Metrics {
    fn default() -> Metrics {
        Metrics::new()
    }
}

impl Metrics {
    /// Nothing counted yet.
    #[must_use]
    pub fn new() -> Metrics {
        let metrics = Metrics {
            registry: Mutex::new(Registry::with_prefix("fushi")),
            requests: Family::default(),
            seconds: Histogram::new(exponential_buckets(0.000_25, 2.0, 16)),
            refused: Family::default(),
            uptime: Gauge::default(),
            started: Instant::now(),
        };
        metrics.register("http_requests", "Requests by method, pattern and status", metrics.requests.clone());
        metrics.register("http_request_seconds", "Time to answer", metrics.seconds.clone());
        metrics.register("http_refusals", "Problems by code", metrics.refused.clone());
        metrics.register("uptime_seconds", "Seconds since the start", metrics.uptime.clone());
        metrics
    }

    /// Adds a metric; its name gets the prefix `fushi_`.
    pub fn register(&self, name: &str, help: &str, metric: impl Metric) {
        self.registry.lock().unwrap_or_else(PoisonError::into_inner).register(name, help, metric);
    }

    /// Counts an answered request.
    pub fn answered(&self, method: &str, pattern: &str, status: u16, took: Duration) {
        let labels =
            vec![("method", method.to_owned()), ("path", pattern.to_owned()), ("status", status.to_string())];
        self.requests.get_or_create(&labels).inc();
        self.seconds.observe(took.as_secs_f64());
    }

    /// Counts a refusal by its code.
    pub fn refused(&self, code: &'static str) {
        self.refused.get_or_create(&vec![("code", code.to_owned())]).inc();
    }

    /// All metrics as text.
    #[must_use]
    pub fn text(&self) -> String {
        self.uptime.set(i64::try_from(self.started.elapsed().as_secs()).unwrap_or(i64::MAX));
        let mut text = String::new();
        let registry = self.registry.lock().unwrap_or_else(PoisonError::into_inner);
        // Writing to a String cannot fail.
        let _ = encode(&mut text, &registry);
        text
    }
}
