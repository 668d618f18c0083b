//! Whole runs over generated workspaces of 10, 100 and 1,000 jobs: the cost of a job must not
//! grow with their number.

use std::fmt::Write;
use std::path::Path;

use cargo_retrysafe::analysis::analyse;
use cargo_retrysafe::config::Config;
use cargo_retrysafe::project::{Request, load};
use cargo_retrysafe::resolve::Known;
use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};

/// Writes a package with so many jobs, each with a payload, a repository and three effects.
fn generate(folder: &Path, jobs: usize) {
    std::fs::create_dir_all(folder.join("src")).expect("the folder can be made");
    std::fs::write(
        folder.join("Cargo.toml"),
        "[package]\nname = \"generated\"\nversion = \"0.1.0\"\nedition = \"2021\"\n\
         [dependencies]\nreqwest = \"0.12\"\nsqlx = \"0.8\"\n",
    )
    .expect("the manifest can be written");
    let mut root = String::new();
    for index in 0..jobs {
        writeln!(root, "mod job_{index};").expect("text can be written");
        std::fs::write(folder.join(format!("src/job_{index}.rs")), module(index))
            .expect("the module can be written");
    }
    std::fs::write(folder.join("src/lib.rs"), root).expect("the root can be written");
}

fn module(index: usize) -> String {
    format!(
        r#"
pub struct Payload {{ pub order_id: i64, pub email: String }}
pub struct Orders {{ pool: sqlx::PgPool, http: reqwest::Client, base: String }}
impl Orders {{
    async fn load(&self, id: i64) -> sqlx::Result<Option<i64>> {{
        sqlx::query_scalar("SELECT total FROM orders_{index} WHERE id = $1").bind(id).fetch_optional(&self.pool).await
    }}
    async fn close(&self, id: i64) -> sqlx::Result<()> {{
        sqlx::query("UPDATE orders_{index} SET state = 'closed' WHERE id = $1 AND state = 'open'")
            .bind(id).execute(&self.pool).await?;
        Ok(())
    }}
    async fn notify(&self, id: i64, key: &str) -> reqwest::Result<()> {{
        self.http.post(format!("{{}}/orders/{{id}}", self.base)).header("Idempotency-Key", key).send().await?;
        Ok(())
    }}
}}
#[retrysafe::job]
pub async fn close_order(orders: &Orders, payload: Payload) -> Result<(), Box<dyn std::error::Error>> {{
    let Some(total) = orders.load(payload.order_id).await? else {{ return Ok(()) }};
    for attempt in 0..3 {{
        if total > attempt {{
            orders.notify(payload.order_id, &format!("close-{{}}", payload.order_id)).await?;
        }}
    }}
    sqlx::query("INSERT INTO log_{index} (order_id) VALUES ($1)").bind(payload.order_id).execute(&orders.pool).await?;
    orders.close(payload.order_id).await?;
    Ok(())
}}
"#
    )
}

fn maps(criterion: &mut Criterion) {
    let known = Known::new(retrysafe_rules::catalog::built_in().expect("the catalogue is valid"));
    let folder = tempfile::tempdir().expect("a folder can be made");
    let mut group = criterion.benchmark_group("maps");
    group.sample_size(10);
    for jobs in [10usize, 100, 1000] {
        let path = folder.path().join(jobs.to_string());
        generate(&path, jobs);
        group.throughput(Throughput::Elements(jobs as u64));
        group.bench_with_input(BenchmarkId::from_parameter(jobs), &path, |bencher, path| {
            bencher.iter(|| {
                let request = Request {
                    paths: vec![path.clone()],
                    current_dir: path.clone(),
                    ..Request::default()
                };
                let project = load(&request).expect("the package can be loaded");
                let analysis = analyse(&project, &known, &Config::default());
                assert_eq!(analysis.maps.len(), jobs);
                analysis.maps.len()
            });
        });
    }
    group.finish();
}

criterion_group!(benches, maps);
criterion_main!(benches);
