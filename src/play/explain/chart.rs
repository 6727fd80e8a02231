//! Charts as SVG: lines over a common x axis. The same data give the same text.

use std::fmt::Write as _;

/// Colours for the colour-blind, too (Okabe and Ito, "Color Universal Design", 2008), dark enough
/// for white.
const COLOURS: [&str; 3] = ["#0072b2", "#d55e00", "#009e73"];
/// The sides of the grid, in pixels of a chart of 960 by 540.
const LEFT: f64 = 80.0;
const RIGHT: f64 = 940.0;
const TOP: f64 = 60.0;
const BOTTOM: f64 = 470.0;

/// A measured value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    pub x: f64,
    pub y: f64,
}

/// A line through points.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    pub name: String,
    pub points: Vec<Point>,
}

/// Lines over a common x axis. Titles of axes name the unit.
#[derive(Clone, Debug, PartialEq)]
pub struct Chart {
    pub title: &'static str,
    pub x_title: &'static str,
    pub y_title: &'static str,
    pub lines: Vec<Line>,
}

impl Chart {
    /// The chart as SVG for a page; without points it is an empty grid.
    pub fn to_svg(&self) -> String {
        let points: Vec<Point> = self
            .lines
            .iter()
            .flat_map(|line| line.points.clone())
            .collect();
        let x_axis = Axis::over(points.iter().map(|point| point.x), LEFT, RIGHT);
        let y_axis = Axis::over(points.iter().map(|point| point.y), BOTTOM, TOP);
        let mut svg = "<svg viewBox=\"0 0 960 540\" font-family=\"sans-serif\" font-size=\"18\" \
                       text-anchor=\"middle\" fill=\"none\">\n"
            .to_owned();
        let middle = f64::midpoint(LEFT, RIGHT);
        svg += &label(middle, 30.0, "font-size=\"24\"", self.title);
        svg += &label(middle, 525.0, "", self.x_title);
        svg += &label(-265.0, 24.0, "transform=\"rotate(-90)\"", self.y_title);
        for value in x_axis.ticks() {
            let x = x_axis.place(value);
            svg += &grid_line([x, TOP], [x, BOTTOM]);
            svg += &label(x, 495.0, "", &tick(value));
        }
        for value in y_axis.ticks() {
            let y = y_axis.place(value);
            svg += &grid_line([LEFT, y], [RIGHT, y]);
            svg += &label(LEFT - 8.0, y + 6.0, "text-anchor=\"end\"", &tick(value));
        }
        for (index, line) in self.lines.iter().enumerate() {
            let colour = COLOURS[index % COLOURS.len()];
            let mut places = String::new();
            for point in &line.points {
                let [x, y] = [x_axis.place(point.x), y_axis.place(point.y)];
                let _ = write!(places, "{x:.1},{y:.1} ");
            }
            let _ = writeln!(
                svg,
                "<polyline points=\"{places}\" stroke=\"{colour}\" stroke-width=\"2\"/>"
            );
            if self.lines.len() > 1 {
                let x = LEFT + 120.0 + 240.0 * index as f64;
                svg += &label(
                    x,
                    TOP - 8.0,
                    &format!("style=\"fill: {colour}\""),
                    &line.name,
                );
            }
        }
        svg + "</svg>\n"
    }
}

/// A text with its middle, or another anchor, at a place.
fn label(x: f64, y: f64, style: &str, text: &str) -> String {
    format!("<text x=\"{x:.1}\" y=\"{y:.1}\" fill=\"#464646\" {style}>{text}</text>\n")
}

fn grid_line(from: [f64; 2], to: [f64; 2]) -> String {
    let [[x1, y1], [x2, y2]] = [from, to];
    format!("<path d=\"M{x1:.1} {y1:.1}L{x2:.1} {y2:.1}\" stroke=\"#ddd\"/>\n")
}

/// A tick's number, without needless digits.
fn tick(number: f64) -> String {
    let rounded = (number * 1e6).round() / 1e6;
    // Negative zero is zero.
    format!("{}", rounded + 0.0)
}

/// An axis with a tick at every multiple of a round step.
struct Axis {
    first: f64,
    step: f64,
    steps: u32,
    /// The pixels of the first and the last tick.
    begin: f64,
    end: f64,
}

impl Axis {
    /// An axis long enough for some finite numbers.
    fn over(numbers: impl Iterator<Item = f64> + Clone, begin: f64, end: f64) -> Axis {
        let low = numbers.clone().reduce(f64::min).unwrap_or(0.0);
        let high = numbers.reduce(f64::max).unwrap_or(1.0).max(low + 0.01);
        let least = (high - low) / 5.0;
        let power = 10_f64.powf(least.log10().floor());
        let round = [1.0, 2.0, 5.0].map(|digit| digit * power);
        let fitting = round.into_iter().find(|step| *step >= least);
        let step = fitting.unwrap_or(10.0 * power);
        let first = (low / step).floor() * step;
        Axis {
            first,
            step,
            steps: ((high - first) / step).ceil() as u32,
            begin,
            end,
        }
    }

    fn ticks(&self) -> impl Iterator<Item = f64> {
        (0..=self.steps).map(|index| self.first + self.step * f64::from(index))
    }

    /// The pixel of a number.
    fn place(&self, number: f64) -> f64 {
        let share = (number - self.first) / (self.step * f64::from(self.steps));
        self.begin + share * (self.end - self.begin)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chart(points: &[(f64, f64)]) -> Chart {
        let points = points.iter().map(|&(x, y)| Point { x, y }).collect();
        let line = |name: &str, points| Line {
            name: name.to_owned(),
            points,
        };
        Chart {
            title: "A chart",
            x_title: "games",
            y_title: "Elo",
            lines: vec![line("one", points), line("two", Vec::new())],
        }
    }

    #[test]
    fn axes_have_round_steps_that_hold_all_numbers() {
        let ticks = |numbers: &[f64]| -> Vec<String> {
            let axis = Axis::over(numbers.iter().copied(), 0.0, 100.0);
            axis.ticks().map(tick).collect()
        };
        assert_eq!(
            ticks(&[-0.3, 0.42]),
            ["-0.4", "-0.2", "0", "0.2", "0.4", "0.6"]
        );
        assert_eq!(ticks(&[0.0, 97.0]), ["0", "20", "40", "60", "80", "100"]);
        let axis = Axis::over([10.0, 20.0].into_iter(), 0.0, 100.0);
        assert_eq!(
            [10.0, 15.0, 20.0].map(|x| axis.place(x)),
            [0.0, 50.0, 100.0]
        );
    }

    #[test]
    fn any_numbers_and_none_make_a_chart() {
        for points in [&[][..], &[(1.0, 0.0)], &[(0.0, -3.5), (12.0, 900.0)]] {
            let svg = chart(points).to_svg();
            assert!(
                svg.starts_with("<svg ") && svg.ends_with("</svg>\n"),
                "{svg}"
            );
            assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
            assert!(
                ["A chart", "games", "Elo", "one", "two"]
                    .iter()
                    .all(|text| svg.contains(text))
            );
            assert_eq!(svg, chart(points).to_svg());
        }
    }
}
