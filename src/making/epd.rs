//! Lines of EPD.

/// A line: the position, `operations` (opcode and operands, as they are to be written), the clocks and the name. Operations are in alphabetical
/// order if the caller's are, and come before `fmvn`.
pub fn line(fen: &str, operations: &[(&'static str, String)], id: &str) -> String {
    let fields: Vec<&str> = fen.split(' ').collect();
    let (board, clocks) = fields.split_at(fields.len().min(4));
    let (half, full) = (clocks.first().unwrap_or(&"0"), clocks.get(1).unwrap_or(&"1"));
    let operations: String = operations
        .iter()
        .map(|(opcode, operands)| format!("{opcode} {operands}; "))
        .collect();
    format!(
        "{} {operations}fmvn {full}; hmvc {half}; id \"{id}\";\n",
        board.join(" ")
    )
}

/// The name of the position at `index` (from 0) of a set of `count`: `quiet29.01`, so that names sort as their numbers do.
pub fn id(set: &str, index: usize, count: usize) -> String {
    let width = count.to_string().len();
    format!("{set}{count}.{:0width$}", index + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_have_clocks_and_names() {
        let operations = [("bm", "Kd2".to_owned()), ("ce", "-3".to_owned())];
        assert_eq!(
            line(
                "4k3/8/8/8/8/8/8/4K3 w - - 7 61",
                &operations,
                &id("quiet", 8, 100)
            ),
            "4k3/8/8/8/8/8/8/4K3 w - - bm Kd2; ce -3; fmvn 61; hmvc 7; id \"quiet100.009\";\n"
        );
        assert_eq!(id("mates", 29, 30), "mates30.30");
    }
}
