//! The findings that are kept under benches/: whether each verdict follows from the numbers beside
//! it. All is computed anew here, by the textbook's approximations and without a line of the
//! program's statistics.

use std::path::Path;

use serde_json::Value;

/// An interval, or what is claimed of a number.
type Range = [f64; 2];

const ABOVE_HALF: Range = [0.5, f64::INFINITY];
const ABOVE_ZERO: Range = [0.0, f64::INFINITY];
/// Half the width of a 95 % interval, in standard errors.
const Z: f64 = 1.96;

/// Every finding that is kept, with the id of its experiment in small letters.
fn findings() -> Vec<(String, Value)> {
    let path = Path::new("benches/results/findings.json.gz");
    let text = kashan::util::input::read(path).expect("the findings");
    let lines = String::from_utf8(text).expect("text");
    let findings = lines.lines().map(|line| {
        let json: Value = serde_json::from_str(line).expect("JSON");
        let id = json["id"].as_str().expect("an experiment").to_lowercase();
        (id, json)
    });
    findings.collect()
}

/// `confirmed`, or the word before `by how many games`.
fn word(verdict: &Value) -> &str {
    match verdict {
        Value::Object(fields) => fields.keys().next().expect("a word"),
        other => other.as_str().expect("a word"),
    }
}

/// The rule: confirmed if the whole interval is within what is claimed, refuted if none of it is.
fn by_rule([low, high]: Range, [from, to]: Range, is_enough: bool) -> &'static str {
    match () {
        () if !is_enough => "not-decided",
        () if from <= low && high <= to => "confirmed",
        () if high < from || to < low => "refuted",
        () => "not-decided",
    }
}

/// The numbers of a text, without their signs.
fn numbers(text: &str) -> Vec<f64> {
    let is_part = |letter: char| letter.is_ascii_digit() || letter == '.';
    let words = text
        .split(|letter: char| !is_part(letter))
        .map(|word| word.trim_matches('.'));
    words.filter_map(|word| word.parse().ok()).collect()
}

fn list<'v>(value: &'v Value, key: &str) -> Vec<&'v Value> {
    value[key]
        .as_array()
        .map(|list| list.iter().collect())
        .unwrap_or_default()
}

fn number(value: &Value) -> f64 {
    value
        .as_f64()
        .unwrap_or_else(|| panic!("{value} is no number"))
}

/// Every match in some data, in its order.
fn matches(data: &Value) -> Vec<&Value> {
    match data {
        Value::Object(fields) if fields.contains_key("pairs") && fields.contains_key("score") => {
            vec![data]
        }
        Value::Object(fields) => fields.values().flat_map(matches).collect(),
        Value::Array(items) => items.iter().flat_map(matches).collect(),
        _ => Vec::new(),
    }
}

fn pairs(game_match: &Value) -> [f64; 5] {
    let counts = list(game_match, "pairs");
    std::array::from_fn(|index| number(counts[index]))
}

/// The interval of a mean score: that of the normal distribution, with one pair assumed that is
/// half won.
fn score_interval(pairs: &[f64; 5]) -> Range {
    let counts = [pairs[0] + 0.5, pairs[1], pairs[2], pairs[3], pairs[4] + 0.5];
    let n: f64 = counts.iter().sum();
    let of = |worth: &dyn Fn(f64) -> f64| -> f64 {
        (0u8..)
            .zip(counts)
            .map(|(quarter, count)| count * worth(f64::from(quarter) / 4.0))
            .sum::<f64>()
            / n
    };
    let mean = of(&|score| score);
    let half = Z * (of(&|score| (score - mean).powi(2)) / (n + 1.0)).sqrt();
    [mean - half, mean + half]
}

/// The score that a difference in Elo lets expect.
fn expected(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

fn of_match(pairs: &[f64; 5], claimed: Range) -> &'static str {
    by_rule(
        score_interval(pairs),
        claimed,
        pairs.iter().sum::<f64>() >= 10.0,
    )
}

/// The match of a part, found by the wins, draws and losses in its evidence.
fn match_of(data: &Value, evidence: &str) -> Option<[f64; 5]> {
    let (score, _) = evidence.split_once(" losses: ")?;
    let [wins, draws, losses] = numbers(score)[..] else {
        return None;
    };
    let is_it = |game_match: &&Value| {
        let score = &game_match["score"];
        ["wins", "draws", "losses"].map(|key| number(&score[key])) == [wins, draws, losses]
    };
    matches(data).into_iter().find(is_it).map(pairs)
}

/// The interval of a mean: Student's, by the first terms of its expansion.
fn mean_interval(values: &[f64]) -> Range {
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    let variance = values
        .iter()
        .map(|value| (value - mean).powi(2))
        .sum::<f64>()
        / (n - 1.0);
    let (v, z) = (n - 1.0, Z);
    let t = z
        + (z.powi(3) + z) / (4.0 * v)
        + (5.0 * z.powi(5) + 16.0 * z.powi(3) + 3.0 * z) / (96.0 * v * v);
    let half = t * (variance / n).sqrt();
    [mean - half, mean + half]
}

/// The interval of a share, with two successes and two failures assumed (Agresti and Coull).
fn share_interval(count: f64, of: f64) -> Range {
    let share = (count + 2.0) / (of + 4.0);
    let half = Z * (share * (1.0 - share) / (of + 4.0)).sqrt();
    [share - half, share + half]
}

/// The interval of a difference of two shares, with one of each assumed in both (Agresti and
/// Caffo).
fn difference_interval([count, of]: [f64; 2], [other, of_other]: [f64; 2]) -> Range {
    let [p, q] = [(count + 1.0) / (of + 2.0), (other + 1.0) / (of_other + 2.0)];
    let half = Z * (p * (1.0 - p) / (of + 2.0) + q * (1.0 - q) / (of_other + 2.0)).sqrt();
    [p - q - half, p - q + half]
}

/// C9 and C10: the depths of a statement, under its condition.
fn of_depths(data: &Value, statement: &str) -> &'static str {
    let condition = if statement.contains("equal time") {
        "equal-time"
    } else {
        "same-clock"
    };
    let depths = numbers(statement);
    let (first, last) = (depths[0], depths[depths.len().min(2) - 1]);
    let is_ours = statement.starts_with("The genetic search is ahead");
    let is_meant = |one: &&Value| {
        one["condition"] == condition && (first..=last).contains(&number(&one["depth"]))
    };
    // Seen by who is claimed to be ahead, with whether half of the searches or more were finished.
    let seen = |one: &Value| {
        let mut pairs = pairs(if one["match"].is_object() {
            &one["match"]
        } else {
            one
        });
        if !is_ours {
            pairs.reverse();
        }
        (pairs, one["finished"].as_f64() >= Some(0.5))
    };
    let all: Vec<([f64; 5], bool)> = list(data, "matches")
        .into_iter()
        .filter(is_meant)
        .map(seen)
        .collect();
    let verdict = |bouts: &[[f64; 5]]| {
        let sum = std::array::from_fn(|index| bouts.iter().map(|pairs| pairs[index]).sum());
        let is_contradicted = bouts
            .iter()
            .any(|pairs| of_match(pairs, ABOVE_HALF) == "refuted");
        match of_match(&sum, ABOVE_HALF) {
            "confirmed" if is_contradicted => "refuted",
            verdict => verdict,
        }
    };
    let everything: Vec<[f64; 5]> = all.iter().map(|one| one.0).collect();
    let reached: Vec<[f64; 5]> = all.iter().filter(|one| one.1).map(|one| one.0).collect();
    // Who is stopped early, and ahead all the same, would be with more time.
    match (is_ours, verdict(&everything)) {
        (true, "refuted") => "refuted",
        (false, "confirmed") => "confirmed",
        _ if reached.is_empty() => "not-decided",
        _ => verdict(&reached),
    }
}

/// A4: whether one of the first two of five degrees is above all others, or one of the others above
/// both.
fn of_best_degree(data: &Value, statement: &str) -> &'static str {
    let against_all = matches(data)
        .into_iter()
        .filter(|one| one["engines"][1] == "All moves");
    let first = if statement.ends_with("first") { 5 } else { 0 };
    let curve: Vec<Range> = against_all
        .skip(first)
        .take(5)
        .map(|one| score_interval(&pairs(one)))
        .collect();
    let (best, others) = curve.split_at(2);
    let above = |one: &[Range], rest: &[Range]| {
        one.iter()
            .any(|one| rest.iter().all(|other| one[0] > other[1]))
    };
    match (above(best, others), above(others, best)) {
        (true, _) => "confirmed",
        (_, true) => "refuted",
        _ => "not-decided",
    }
}

/// The verdict on cases with a difference between two: the share of the first, by the numbers of
/// positions.
fn of_paired(first: f64, second: f64) -> &'static str {
    by_rule(
        share_interval(first, first + second),
        ABOVE_HALF,
        first + second >= 10.0,
    )
}

/// Spearman's rank correlation, by Fisher's transformation.
fn correlation_interval(pairs: &[[f64; 2]]) -> Range {
    let ranks = |side: usize| -> Vec<f64> {
        let below = |one: f64, is: fn(&f64, &f64) -> bool| {
            pairs.iter().filter(|pair| is(&pair[side], &one)).count() as f64
        };
        pairs
            .iter()
            .map(|one| below(one[side], f64::lt) + below(one[side], f64::eq) / 2.0)
            .collect()
    };
    let [one, other] = [ranks(0), ranks(1)];
    let n = pairs.len() as f64;
    let mean = one.iter().sum::<f64>() / n;
    let product = |a: &[f64], b: &[f64]| {
        a.iter()
            .zip(b)
            .map(|(a, b)| (a - mean) * (b - mean))
            .sum::<f64>()
    };
    let r = product(&one, &other) / (product(&one, &one) * product(&other, &other)).sqrt();
    let half = Z / (n - 3.0).sqrt();
    [(r.atanh() - half).tanh(), (r.atanh() + half).tanh()]
}

/// T4 to T9: held-out problems solved by two variants, seed by seed.
fn of_variants(data: &Value, statement: &str) -> Option<&'static str> {
    let mut names = statement.split('"').skip(1).step_by(2);
    let (first, second) = (names.next()?, names.next()?);
    let solved = |name: &str| -> Vec<f64> {
        let variants = data.as_array().expect("variants");
        let variant = variants
            .iter()
            .find(|variant| variant["variant"] == name)
            .expect(name);
        list(variant, "runs")
            .iter()
            .map(|run| number(&run["held_out"]))
            .collect()
    };
    let differences: Vec<f64> = solved(first)
        .iter()
        .zip(solved(second))
        .map(|(a, b)| a - b)
        .collect();
    Some(by_rule(
        mean_interval(&differences),
        ABOVE_ZERO,
        differences.len() >= 5,
    ))
}

/// A7: nodes over the moves that a degree leaves, as a part of those over all.
fn of_filter(data: &Value, statement: &str) -> &'static str {
    const DEGREES: [f64; 5] = [0.0, 40.0, 50.0, 60.0, 80.0];
    let wanted = numbers(statement)[0];
    let at = DEGREES
        .iter()
        .position(|&degree| degree == wanted)
        .expect("a degree");
    let libraries = data.as_array().expect("libraries");
    let is_it = |one: &&Value| {
        statement.contains(&format!(", {}:", one["library"].as_str().expect("text")))
    };
    let positions = list(libraries.iter().find(is_it).expect(statement), "positions");
    let all: Vec<f64> = positions.iter().map(|one| number(&one["all"][1])).collect();
    let left = positions
        .iter()
        .zip(&all)
        .map(|(one, &all)| match number(&one["left"][at][0]) {
            0.0 => all,
            _ => number(&one["left"][at][1]),
        });
    let differences: Vec<f64> = left.zip(&all).map(|(left, all)| left - all).collect();
    by_rule(mean_interval(&differences), [f64::NEG_INFINITY, 0.0], true)
}

/// M3: the n-th roots of the numbers of states after n half-moves.
fn of_tree(data: &Value, statement: &str) -> &'static str {
    let plies = numbers(statement)
        .into_iter()
        .find(|&number| (1.0..=4.0).contains(&number))
        .expect("plies");
    let root = |leaves: &&Value| number(&leaves[plies as usize - 1]).powf(1.0 / plies);
    let roots: Vec<f64> = list(data, "leaves").iter().map(root).collect();
    by_rule(mean_interval(&roots), [30.0, 40.0], true)
}

/// C13: how rare faults, or exceptions, are at most: none of n trials happened.
fn of_faults(faults: f64, of: f64, at_most: f64) -> &'static str {
    match () {
        () if faults > 0.0 => "refuted",
        () if 3.7 / of < at_most => "confirmed",
        () => "not-decided",
    }
}

fn of_deadline(data: &Value, statement: &str) -> &'static str {
    let choices = list(data, "choices");
    if statement.starts_with("The move played") {
        let bred: Vec<&&Value> = choices
            .iter()
            .filter(|choice| choice["bred"] == true)
            .collect();
        let wrong = bred.iter().filter(|choice| choice["best"] == false).count();
        let illegal = choices
            .iter()
            .filter(|choice| choice["legal"] == false)
            .count();
        return of_faults((wrong + illegal) as f64, bred.len() as f64, 0.02);
    }
    let sum = |key: &str| {
        list(data, "controls")
            .iter()
            .map(|control| number(&control[key]))
            .sum::<f64>()
    };
    of_faults(sum("faults"), sum("moves"), 1.0 / 500.0)
}

/// T10: the values that a piece came out with.
fn of_material(data: &Value, statement: &str) -> Option<&'static str> {
    let pieces = [
        ("knight", 300.0),
        ("bishop", 300.0),
        ("rook", 500.0),
        ("queen", 900.0),
    ];
    // The pawn's is the first weight; a centipawn is a hundred units.
    let (index, (_, known)) = (1..)
        .zip(pieces)
        .find(|(_, (piece, _))| statement.contains(piece))?;
    let values: Vec<f64> = list(data, "runs")
        .iter()
        .map(|run| number(&run["weights"][index]) / 100.0)
        .collect();
    Some(by_rule(
        mean_interval(&values),
        [0.85 * known, 1.15 * known],
        values.len() >= 5,
    ))
}

/// The verdict on a part once more; `None` where there is no interval, because unit tests prove
/// what is stated, or it was measured.
fn again(stem: &str, data: &Value, part: &Value) -> Option<&'static str> {
    let [statement, evidence] =
        ["statement", "evidence"].map(|key| part[key].as_str().expect("a text"));
    let seen = numbers(evidence);
    Some(match stem {
        "c4" if statement.starts_with("In searches") => {
            let rate = &data["tally"]["only_without"];
            let [first, of] = ["count", "of"].map(|key| rate[key].as_f64().unwrap_or(0.0));
            of_paired(first, of - first)
        }
        "c5" if statement.starts_with("To the letter") => {
            let sum = &data["sums"][0];
            let sum = if sum["sum"].is_object() {
                &sum["sum"]
            } else {
                sum
            };
            let others = ["at_rest", "restless"]
                .map(|key| number(&sum[key]))
                .iter()
                .sum::<f64>();
            if others > 0.0 { "refuted" } else { "confirmed" }
        }
        "c7" if statement.starts_with("The genetic search finds") => {
            let mut ours = list(data, "attempts")
                .into_iter()
                .filter(|one| one["backend"] == "genetic");
            if ours.all(|one| one["found"].is_u64()) {
                "confirmed"
            } else {
                "not-decided"
            }
        }
        "c8" if statement.contains("no more often") => {
            let blunders = &data["check"]["summary"]["blunders"];
            let ours = ["count", "of"].map(|key| number(&blunders[key]));
            by_rule(
                difference_interval(ours, [4.0, 29.0]),
                [f64::NEG_INFINITY, 0.0],
                true,
            )
        }
        "c9" | "c10" => of_depths(data, statement),
        "c13" => of_deadline(data, statement),
        "a4" if statement.contains("best degree") => of_best_degree(data, statement),
        "a7" => of_filter(data, statement),
        "a9" => {
            // `..; 8 with the standard evaluation alone, 56 with power alone`, in either order.
            let alone = evidence.split(';').nth(1)?.split(',');
            let of = |who: &str| {
                alone
                    .clone()
                    .find(|text| text.contains(who))
                    .map(|text| numbers(text)[0])
            };
            of_paired(of("standard")?, of("power")?)
        }
        "m3" => of_tree(data, statement),
        "m4" if evidence.contains("same in") && seen[0] == seen[1] => "confirmed",
        "m4" if evidence.contains("same in") => "refuted",
        "m5" => {
            // Findings from before 0.3.0 have no interval.
            let [low, high] = if let [_, low, high] = seen[..] {
                [low, high]
            } else {
                [seen[0]; 2]
            };
            by_rule([low, high], [f64::NEG_INFINITY, 50.0], true)
        }
        "m6" => {
            let is_one = |one: &Value| one["forks"] == true || one["pins"] == true;
            let is_only = |who: usize, found: &Value| found[who] == true && found[1 - who] == false;
            let positions = list(data, "positions")
                .into_iter()
                .filter(|one| is_one(one));
            let [first, second] = [0, 1].map(|who| {
                positions
                    .clone()
                    .filter(|one| is_only(who, &one["found"]))
                    .count()
            });
            of_paired(first as f64, second as f64)
        }
        "m7" => by_rule(
            difference_interval([seen[0], seen[1]], [seen[2], seen[3]]),
            ABOVE_ZERO,
            true,
        ),
        "t2" => {
            let rates: Vec<f64> = matches(data)
                .iter()
                .map(|one| 100.0 * number(&one["rate"]))
                .collect();
            let claimed = if statement.contains("more than half") {
                [50.0, 100.0]
            } else {
                [95.0, 97.25]
            };
            by_rule(mean_interval(&rates), claimed, true)
        }
        "t3" => {
            let gain = ["low", "high"].map(|key| number(&data["gain"][key]));
            let claimed = if statement.contains("816") {
                [816.0; 2]
            } else {
                ABOVE_ZERO
            };
            let is_enough = matches(data)
                .iter()
                .all(|one| pairs(one).iter().sum::<f64>() >= 10.0);
            by_rule(gain, claimed, is_enough)
        }
        "t10" => of_material(data, statement)?,
        "t12" => {
            let players = list(data, "players");
            let pairs: Vec<[f64; 2]> = players
                .iter()
                .map(|one| ["held_out", "score"].map(|key| number(&one[key])))
                .collect();
            by_rule(correlation_interval(&pairs), ABOVE_ZERO, pairs.len() >= 10)
        }
        "t4" | "t5" | "t6" | "t7" | "t8" | "t9" => of_variants(data, statement)?,
        _ => {
            let pairs = match_of(data, evidence)?;
            let claimed = match () {
                () if statement.contains("alike") => [-30.0, 30.0].map(expected),
                () if statement.contains("+168") => [expected(168.0); 2],
                () => ABOVE_HALF,
            };
            of_match(&pairs, claimed)
        }
    })
}

#[test]
fn the_verdicts_that_are_kept_follow_from_their_numbers() {
    let mut computed = 0;
    for (name, finding) in findings() {
        for part in list(&finding, "parts") {
            let verdict = word(&part["verdict"]);
            if !matches!(verdict, "measured" | "not-run")
                && let Some(again) = again(&name, &finding["data"], part)
            {
                assert_eq!(verdict, again, "{name}: {part}");
                computed += 1;
            }
        }
    }
    assert!(computed > 70, "{computed} verdicts");
}

/// The verdict on a claim of several statements.
fn overall<'w>(parts: impl Iterator<Item = &'w str>) -> &'static str {
    let words: Vec<&str> = parts.filter(|&word| word != "measured").collect();
    let has = |word: &str| words.contains(&word);
    match () {
        () if words.is_empty() => "measured",
        () if has("refuted") && has("confirmed") => "refuted-in-part",
        () if has("refuted") => "refuted",
        () if has("not-decided") => "not-decided",
        () if has("not-run") => "not-run",
        () => "confirmed",
    }
}

#[test]
fn the_verdicts_on_claims_follow_from_their_statements() {
    for (name, finding) in findings() {
        // What the statements that have this text make of it.
        let of = |text: &str| {
            let is_of = |part: &&Value| part["statement"].as_str().expect("a text").contains(text);
            overall(
                list(&finding, "parts")
                    .into_iter()
                    .filter(is_of)
                    .map(|part| word(&part["verdict"])),
            )
        };
        let mut expected = of("");
        if name == "c9" || name == "c10" {
            // Of two readings of the text the one that is kinder to it.
            const KIND: [&str; 4] = ["confirmed", "not-decided", "refuted-in-part", "refuted"];
            let readings = ["equal time", "same"].map(of);
            expected = KIND
                .into_iter()
                .find(|word| readings.contains(word))
                .unwrap_or("measured");
        }
        // What was written before the word was there.
        if finding["in_words"].is_null() && expected == "refuted-in-part" {
            expected = "refuted";
        }
        assert_eq!(word(&finding["verdict"]), expected, "{name}");
    }
}
