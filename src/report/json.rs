//! JSON, version 1: fields are only added.

use retrysafe_rules::catalog::Attempts;
use retrysafe_rules::vocabulary::Delivery;
use serde_json::{Map, Value, json};

use super::model::{EffectReport, JobReport, Report};

/// The map as JSON.
pub fn map_json(report: &Report, with_gaps: bool) -> String {
    render(report, with_gaps, true)
}

/// The jobs as JSON: the same objects without effects and checklist.
pub fn jobs_json(report: &Report, with_gaps: bool) -> String {
    render(report, with_gaps, false)
}

fn render(report: &Report, with_gaps: bool, with_effects: bool) -> String {
    let jobs: Vec<Value> = report
        .jobs
        .iter()
        .map(|job| job_value(job, with_effects))
        .collect();
    let mut object = Map::new();
    object.insert("version".to_owned(), json!(1));
    object.insert("jobs".to_owned(), Value::Array(jobs));
    if with_gaps {
        object.insert("gaps".to_owned(), json!(report.gaps));
    }
    object.insert("problems".to_owned(), json!(report.problems));
    let mut text = serde_json::to_string_pretty(&Value::Object(object)).unwrap_or_default();
    text.push('\n');
    text
}

fn job_value(job: &JobReport, with_effects: bool) -> Value {
    let mut value = json!({
        "name": job.name,
        "file": job.file,
        "line": job.line,
        "kind": job.kind,
        "framework": job.framework,
        "delivery": match job.delivery {
            Delivery::Unknown => Value::Null,
            known => json!(known),
        },
        "attempts": match job.attempts {
            Attempts::Count(count) => json!(count),
            Attempts::Unlimited => json!("unlimited"),
            Attempts::Unknown => Value::Null,
        },
        "why": job.why,
        "key": job.key,
        "inputs": job.inputs,
    });
    if with_effects && let Value::Object(fields) = &mut value {
        let effects = job.effects.iter().map(effect_value).collect();
        fields.insert("effects".to_owned(), Value::Array(effects));
        fields.insert("checklist".to_owned(), json!(job.checklist));
    }
    value
}

fn effect_value(effect: &EffectReport) -> Value {
    json!({
        "id": effect.id,
        "section": effect.section,
        "kind": effect.kind,
        "action": effect.action,
        "target": effect.target,
        "protection": effect.protection,
        "evidence": effect.evidence,
        "file": effect.file,
        "line": effect.line,
        "column": effect.column,
        "route": effect.route,
        "repeat": effect.repeat,
        "in_transaction": effect.in_transaction,
        "key": effect.key,
        "api": effect.api,
        "confidence": effect.confidence.word(),
    })
}
