//! Arguments that are for one of several engines: `2:Hash=64`.

/// Something for one engine, counted from 1, or for all.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ForEngine<T> {
    pub engine: Option<usize>,
    pub thing: T,
}

/// `[N:]REST`
pub fn parse(text: &str) -> ForEngine<&str> {
    let numbered = text
        .split_once(':')
        .and_then(|(number, rest)| Some((number.parse().ok()?, rest)));
    match numbered {
        Some((engine, thing)) => ForEngine {
            engine: Some(engine),
            thing,
        },
        None => ForEngine {
            engine: None,
            thing: text,
        },
    }
}

/// `[N:]NAME=VALUE`
///
/// # Errors
/// There is no name, or no `=`.
pub fn option(text: &str) -> Result<ForEngine<(String, String)>, String> {
    let ForEngine { engine, thing } = parse(text);
    match thing.split_once('=') {
        Some((name, value)) if !name.trim().is_empty() => Ok(ForEngine {
            engine,
            thing: (name.trim().to_owned(), value.trim().to_owned()),
        }),
        _ => Err("an option is NAME=VALUE, or N:NAME=VALUE".to_owned()),
    }
}

/// What is for the engine of that number.
pub fn of<T: Clone>(things: &[ForEngine<T>], number: usize) -> impl Iterator<Item = T> {
    things
        .iter()
        .filter(move |for_engine| for_engine.engine.is_none_or(|engine| engine == number))
        .map(|for_engine| for_engine.thing.clone())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_may_be_for_one_engine() {
        let of_text = |text| option(text).map(|option| (option.engine, option.thing));
        let pair = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        assert_eq!(of_text("Hash=64"), Ok((None, pair("Hash", "64"))));
        assert_eq!(of_text("2:Hash = 64"), Ok((Some(2), pair("Hash", "64"))));
        assert_eq!(
            of_text(r"BookFile=C:\book.bin"),
            Ok((None, pair("BookFile", r"C:\book.bin")))
        );
        assert!(of_text("Hash").is_err() && of_text("1:=4").is_err());
        let all = ["A=1", "2:B=2"].map(|text| option(text).expect("an option"));
        assert_eq!(of(&all, 1).collect::<Vec<_>>(), [pair("A", "1")]);
        assert_eq!(of(&all, 2).count(), 2);
    }
}
