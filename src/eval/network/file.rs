//! The file of a network: its head, its history, and its weights. Numbers are little-endian.
//!
//! ```text
//! head     28 bytes: magic, version, CRC-32 of what follows; neurons, scale, length of the text
//! text     JSON: how the network came about
//! weights  2 bytes each: a row for each input, the bias; for each output two rows, and 4 bytes:
//!          its bias
//! ```

use std::path::Path;

use anyhow::{Context as _, anyhow, ensure};

use super::{HIDDEN, INPUTS, LARGEST, LARGEST_OUTPUT, Network, OUTPUTS, Output, Row};
use crate::util::files;

const MAGIC: [u8; 8] = *b"KASHANNN";
const VERSION: u32 = 3;
const HEAD: usize = 28;
/// More bytes than any file of a network has.
const MOST_BYTES: u64 = 16 << 20;

impl Network {
    /// Reads a file.
    ///
    /// # Errors
    /// Fails if the file cannot be read, or is no network known to this program. The text names the
    /// file.
    pub fn load(path: &Path) -> anyhow::Result<Network> {
        let bytes = files::only_regular(path).and_then(|()| files::beginning(path, MOST_BYTES));
        let bytes =
            bytes.map_err(|cause| anyhow!("cannot read network {}: {cause}", path.display()))?;
        Network::from_bytes(&bytes)
            .map_err(|cause| anyhow!("{} is no network to play with: {cause}", path.display()))
    }

    /// The CRC-32 of the network's file.
    pub fn checksum(&self) -> u32 {
        files::crc(&self.to_bytes())
    }

    /// Reads the bytes of a file.
    ///
    /// # Errors
    /// Fails if the bytes are no network known to this program.
    pub fn from_bytes(bytes: &[u8]) -> anyhow::Result<Network> {
        ensure!(bytes.starts_with(&MAGIC), "it begins with something else");
        ensure!(bytes.len() >= HEAD, "it ends in its head");
        let number =
            |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().expect("four bytes"));
        let [version, crc, hidden, scale, text] = [8, 12, 16, 20, 24].map(number);
        ensure!(
            version == VERSION,
            "it is of version {version}, and this program knows {VERSION}"
        );
        let numbers = HIDDEN * (INPUTS + 1) + OUTPUTS * (2 * HIDDEN + 2);
        let expected = (HEAD + 2 * numbers) as u64 + u64::from(text);
        ensure!(
            hidden == HIDDEN as u32,
            "it has {hidden} neurons, and this program knows {HIDDEN}"
        );
        ensure!(
            bytes.len() as u64 == expected,
            "it has {} bytes, and should have {expected}",
            bytes.len()
        );
        ensure!(
            files::crc(&bytes[16..]) == crc,
            "it does not fit its checksum"
        );
        let (made, weights) = bytes[HEAD..].split_at(text as usize);
        let made = serde_json::from_slice(made).context("the text in it is no JSON")?;
        let mut weights = weights
            .chunks_exact(2)
            .map(|pair| i16::from_le_bytes([pair[0], pair[1]]));
        let mut next = || weights.next().expect("they were counted");
        let inputs: Box<[Row]> = (0..INPUTS).map(|_| row(&mut next)).collect();
        let bias = row(&mut next);
        let outputs = std::array::from_fn(|_| {
            let weights = [row(&mut next), row(&mut next)];
            let low = next() as u16;
            let bias = i32::from(low) | i32::from(next()) << 16;
            Output { weights, bias }
        });
        let network = Network {
            inputs,
            bias,
            outputs,
            scale: scale as i32,
            made,
        };
        network.check()?;
        Ok(network)
    }

    /// Checks the size of the weights.
    ///
    /// # Errors
    /// Fails on a weight so large that sums may not fit.
    fn check(&self) -> anyhow::Result<()> {
        let within = |rows: &[Row], most: i16| {
            rows.iter()
                .flat_map(|row| row.0)
                .all(|weight| weight.unsigned_abs() <= most.unsigned_abs())
        };
        ensure!(
            within(&self.inputs, LARGEST),
            "a weight of it is beyond {LARGEST}"
        );
        ensure!(
            within(&[self.bias], LARGEST),
            "a bias of it is beyond {LARGEST}"
        );
        for Output { weights, bias } in &self.outputs {
            ensure!(
                within(weights, LARGEST_OUTPUT),
                "a weight of its output is beyond {LARGEST_OUTPUT}"
            );
            ensure!(
                bias.unsigned_abs() <= 1 << 20,
                "the bias of its output is {bias}"
            );
        }
        ensure!(
            (1..=10_000).contains(&self.scale),
            "its scale is {}",
            self.scale
        );
        Ok(())
    }

    /// The bytes of its file.
    pub fn to_bytes(&self) -> Vec<u8> {
        let text = self.made.to_string();
        let mut rest = Vec::new();
        for number in [HIDDEN as u32, self.scale as u32, text.len() as u32] {
            rest.extend(number.to_le_bytes());
        }
        rest.extend(text.as_bytes());
        let of_row = |row: &Row| row.0.into_iter().flat_map(i16::to_le_bytes);
        rest.extend(self.inputs.iter().chain([&self.bias]).flat_map(of_row));
        for output in &self.outputs {
            rest.extend(output.weights.iter().flat_map(of_row));
            rest.extend(output.bias.to_le_bytes());
        }
        let mut bytes = MAGIC.to_vec();
        bytes.extend(VERSION.to_le_bytes());
        bytes.extend(files::crc(&rest).to_le_bytes());
        bytes.extend(rest);
        bytes
    }
}

/// The next row of weights.
fn row(next: &mut impl FnMut() -> i16) -> Row {
    Row(std::array::from_fn(|_| next()))
}

#[cfg(test)]
mod tests {
    use super::super::tests::by_chance;
    use super::*;

    #[test]
    fn a_file_comes_back_and_nonsense_is_refused() {
        let network = by_chance();
        let bytes = network.to_bytes();
        assert_eq!(Network::from_bytes(&bytes).expect("ours"), network);
        let refused = |bytes: &[u8], why: &str| {
            let error = Network::from_bytes(bytes).expect_err(why).to_string();
            assert!(error.contains(why), "{error}");
        };
        refused(b"", "begins with something else");
        refused(b"KASHANSP and more", "begins with something else");
        refused(&bytes[..20], "ends in its head");
        refused(&bytes[..bytes.len() - 1], "and should have");
        refused(&[bytes.clone(), vec![0]].concat(), "and should have");
        for (at, why) in [
            (8, "version"),
            (16, "neurons"),
            (12, "checksum"),
            (20, "checksum"),
            (5_000, "checksum"),
        ] {
            let mut bad = bytes.clone();
            bad[at] ^= 4;
            refused(&bad, why);
        }
        let changed = |change: &dyn Fn(&mut Network), why| {
            let mut network = network.clone();
            change(&mut network);
            refused(&network.to_bytes(), why);
        };
        changed(
            &|network| network.inputs[700].0[63] = LARGEST + 1,
            "a weight of it",
        );
        changed(
            &|network| network.inputs[0].0[0] = i16::MIN,
            "a weight of it",
        );
        changed(&|network| network.bias.0[1] = -LARGEST - 1, "a bias of it");
        changed(
            &|network| network.outputs[7].weights[1].0[63] = 128,
            "a weight of its output",
        );
        changed(
            &|network| network.outputs[0].bias = i32::MIN,
            "the bias of its output",
        );
        changed(&|network| network.scale = 0, "its scale");
    }
}
