//! The command.
use cargo_retrysafe::*;
fn main() {
    let t = std::time::Instant::now();
    let path = std::env::args().nth(1).expect("path");
    let known = resolve::Known::new(retrysafe_rules::catalog::built_in().expect("catalogue"));
    let request = project::Request { manifest_path: None, paths: vec![path.into()], packages: vec![], exclude: vec![], workspace: false, current_dir: std::env::current_dir().unwrap() };
    let project = match project::load(&request) { Ok(p) => p, Err(e) => { println!("{e:?}"); return; } };
    let a = analysis::analyse(&project, &known, &config::Config::default());
    for m in &a.maps {
        println!("\n## {} [{}] {:?} {:?} {:?}\n   {}:{} why: {}", m.job.name, m.job.kind, m.job.framework, m.job.runs.attempts, m.job.runs.delivery, a.file(m.job.site.file).shown, m.job.site.place.line, m.job.why);
        for i in &m.job.inputs { print!("   in {}: {};", i.name, i.ty); }
        println!();
        for e in &m.effects {
            println!("   {} {} {} | {} ({}) | {}:{} {:?}{}{}", e.kind, e.action, e.target, e.protection, e.evidence, a.file(e.site.file).shown, e.site.place.line, e.repeat, if e.in_transaction {" tx"} else {""}, e.key.as_deref().map(|k| format!(" key={k}")).unwrap_or_default());
            if std::env::var("ROUTE").is_ok() { println!("        {}", e.route.iter().map(|f| a.program.short_name(*f)).collect::<Vec<_>>().join(" > ")); }
        }
        if std::env::var("GAPS").is_ok() { for (f, g) in &m.gaps { println!("   gap {} {}:{} {}", g.kind.word(), a.file(*f).shown, g.place.line, g.message); } }
    }
    for p in &a.problems { println!("problem {} {:?} {}", p.path.display(), p.line, p.message); }
    println!("{} files {} functions {} jobs {} effects {:?}", a.files.len(), a.program.functions.len(), a.maps.len(), a.maps.iter().map(|m| m.effects.len()).sum::<usize>(), t.elapsed());
}
