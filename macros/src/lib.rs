//! Attributes of job code.
