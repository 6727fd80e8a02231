use std::io::Write as _;

use super::*;

pub fn gzip(text: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(text).expect("memory");
    encoder.finish().expect("memory")
}

/// The text in every compression, in two pieces, as such files can be put one behind the other.
fn compressed(text: &[u8]) -> [(&'static str, Vec<u8>); 3] {
    let halves = text.split_at(text.len() / 2);
    let all =
        |compress: &dyn Fn(&[u8]) -> Vec<u8>| [compress(halves.0), compress(halves.1)].concat();
    let zstd = |text: &[u8]| {
        use ruzstd::encoding::{CompressionLevel, compress_to_vec};
        let frame = compress_to_vec(text, CompressionLevel::Fastest);
        // A frame that readers have to skip stands before the one with data.
        [b"\x50\x2a\x4d\x18\x02\0\0\0hi", frame.as_slice()].concat()
    };
    [
        ("gzip", all(&gzip)),
        ("Zstandard", all(&zstd)),
        ("nothing", text.to_vec()),
    ]
}

fn read_all(bytes: Vec<u8>) -> io::Result<Vec<u8>> {
    let mut text = Vec::new();
    decompressed(Cursor::new(bytes))?.read_to_end(&mut text)?;
    Ok(text)
}

#[test]
fn compressed_files_are_read_as_what_is_in_them() {
    let long = "1. e4 e5 2. Nf3 Nc6\n".repeat(20_000).into_bytes();
    for text in [&b""[..], b"x", b"BZ no archive", &long] {
        for (name, bytes) in compressed(text) {
            assert_eq!(read_all(bytes).expect(name), text, "{name}");
        }
    }
}

#[test]
fn padding_behind_gzip_is_no_damage() {
    let [padded, joined] = [vec![0; 700], [vec![0; 5], gzip(b" more")].concat()]
        .map(|end| [gzip(b"text"), end].concat());
    assert_eq!(read_all(padded).expect("padded"), b"text");
    assert_eq!(read_all(joined).expect("joined"), b"text more");
    let error = read_all([gzip(b"text"), b"\0garbage".to_vec()].concat()).expect_err("garbage");
    assert!(error.to_string().contains("gzip"), "{error}");
}

#[test]
fn damage_is_named_with_the_compression() {
    let text = "1. e4 e5 2. Nf3 Nc6\n".repeat(200).into_bytes();
    for (name, bytes) in compressed(&text).into_iter().take(2) {
        let error = read_all(bytes[..bytes.len() / 2 - 5].to_vec()).expect_err(name);
        assert!(error.to_string().contains(name), "{error}");
        let mut damaged = bytes;
        damaged[20] ^= 0x55;
        let read = read_all(damaged);
        assert!(
            read.as_ref()
                .is_err_and(|error| error.to_string().contains(name)),
            "{name}"
        );
    }
}

#[test]
fn what_cannot_be_unpacked_is_named() {
    for (name, begin) in [
        ("bzip2", &b"BZh91AY&SY"[..]),
        ("xz", b"\xfd7zXZ\0\0"),
        ("zip", b"PK\x03\x04\x14\0"),
        ("7z", b"7z\xbc\xaf\x27\x1c"),
        ("rar", b"Rar!\x1a\x07"),
    ] {
        let error = read_all(begin.to_vec()).expect_err(name).to_string();
        assert!(error.contains(&format!("by {name}: unpack it")), "{error}");
    }
}

#[test]
fn endings_are_those_of_the_content() {
    let names = [
        "a/Games.PGN.gz",
        "a.pgn.zst",
        "a.epd.BZ2",
        "a.bin",
        "a.gz",
        "a",
    ];
    let expected = [
        Some("pgn"),
        Some("pgn"),
        Some("epd"),
        Some("bin"),
        None,
        None,
    ];
    let expected = expected.map(|ending| ending.map(str::to_owned));
    assert_eq!(names.map(|name| ending(Path::new(name))), expected);
}
