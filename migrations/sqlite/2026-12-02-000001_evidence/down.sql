DROP TABLE refusals_counted;
DROP TABLE incidents;
