//! Plots as SVG text: lines, also with bands, and rows of dots with intervals. The same data give
//! the same text.

use std::ops::Range;

use plotters::chart::MeshStyle;
use plotters::coord::Shift;
use plotters::coord::types::RangedCoordf64;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use super::table::one_line;

/// Colours for the colour-blind, too (Okabe and Ito, "Color Universal Design", 2008), dark enough
/// for white.
const COLOURS: [RGBColor; 6] = [
    RGBColor(0, 114, 178),
    RGBColor(213, 94, 0),
    RGBColor(0, 158, 115),
    RGBColor(204, 121, 167),
    RGBColor(130, 100, 0),
    RGBColor(70, 70, 70),
];
const GREY: RGBColor = RGBColor(120, 120, 120);
/// The mark of our plots: the title's font, near the beginning of each, and of no other plot.
pub const MARK: &str =
    "font-family=\"Helvetica, Arial, sans-serif\" font-size=\"20.161290322580644\"";
const FONT: &str = "Helvetica, Arial, sans-serif";
const WIDTH: u32 = 960;
const LABEL: i32 = 18;
const TITLE: i32 = 25;

/// A measured value with its interval; `low` and `high` may be infinite, or equal to `y` where
/// there is none.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    pub x: f64,
    pub y: f64,
    pub low: f64,
    pub high: f64,
}

impl Point {
    /// A value at `x` with its interval, in the order of the fields.
    pub fn new(x: f64, [y, low, high]: [f64; 3]) -> Point {
        Point { x, y, low, high }
    }

    /// A value without an interval.
    pub fn exact(x: f64, y: f64) -> Point {
        Point::new(x, [y; 3])
    }
}

/// The drawing of intervals.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spread {
    None,
    Band,
}

/// A line through points.
#[derive(Clone, Debug, PartialEq)]
pub struct Series {
    pub name: String,
    pub points: Vec<Point>,
    pub spread: Spread,
}

/// Lines over a common x axis. Titles of axes name the unit.
#[derive(Clone, Debug, PartialEq)]
pub struct LineChart {
    pub title: String,
    pub x_title: String,
    pub y_title: String,
    /// A horizontal line to compare with.
    pub reference: Option<f64>,
    pub series: Vec<Series>,
}

/// A row: a name and a value with its interval.
#[derive(Clone, Debug, PartialEq)]
pub struct DotRow {
    pub name: String,
    pub value: f64,
    pub low: f64,
    pub high: f64,
}

/// Values by name, from top to bottom.
#[derive(Clone, Debug, PartialEq)]
pub struct DotChart {
    pub title: String,
    pub x_title: String,
    pub rows: Vec<DotRow>,
}

impl LineChart {
    /// A chart without a line to compare with; the titles are its own and those of the axes.
    pub fn new(titles: [&str; 3], series: Vec<Series>) -> LineChart {
        let [title, x_title, y_title] = titles.map(str::to_owned);
        LineChart {
            title,
            x_title,
            y_title,
            reference: None,
            series,
        }
    }

    /// The chart as SVG. Series without a finite point are left out; a chart without any is empty
    /// axes.
    pub fn to_svg(&self) -> String {
        const HEIGHT: u32 = 540;
        on_white(HEIGHT, |area| self.draw(area))
    }

    fn draw(&self, area: &Area<'_>) -> Drawn {
        let points: Vec<Point> = self.series.iter().flat_map(Series::finite_points).collect();
        let x_range = spanned(points.iter().map(|point| point.x), 0.02);
        let y_range = y_range(&points, self.reference);
        let mut chart = frame(area, &self.title)
            .y_label_area_size(76)
            .build_cartesian_2d(x_range.clone(), y_range.clone())?;
        let mut grid = grid(&mut chart, &self.x_title);
        if let Some(steps) = steps(&points, &x_range) {
            grid.x_labels(steps);
        }
        grid.y_desc(one_line(&self.y_title))
            .y_label_formatter(&|y| tick(*y))
            .draw()?;
        if let Some(reference) = self.reference {
            let line = vec![(x_range.start, reference), (x_range.end, reference)];
            chart.draw_series(std::iter::once(PathElement::new(
                line,
                GREY.stroke_width(1),
            )))?;
        }
        for (series, &colour) in self.series.iter().zip(COLOURS.iter().cycle()) {
            series.draw_band(&mut chart, colour)?;
            series.draw_line(&mut chart, colour)?;
        }
        if self.series.len() > 1 {
            draw_legend(&mut chart, emptiest_place(&points, &x_range, &y_range))?;
        }
        Ok(())
    }
}

impl Series {
    pub fn new(
        name: impl Into<String>,
        spread: Spread,
        points: impl IntoIterator<Item = Point>,
    ) -> Series {
        Series {
            name: name.into(),
            points: points.into_iter().collect(),
            spread,
        }
    }

    fn finite_points(&self) -> Vec<Point> {
        self.points
            .iter()
            .copied()
            .filter(|point| point.x.is_finite() && point.y.is_finite())
            .collect()
    }

    fn draw_band(&self, chart: &mut Chart<'_>, colour: RGBColor) -> Drawn {
        if self.spread == Spread::None {
            return Ok(());
        }
        let points = self.finite_points();
        let y_range = chart.y_range();
        let inside = |y: f64| y.clamp(y_range.start, y_range.end);
        let lower = points.iter().map(|point| (point.x, inside(point.low)));
        let upper = points
            .iter()
            .rev()
            .map(|point| (point.x, inside(point.high)));
        let band: Vec<(f64, f64)> = lower.chain(upper).collect();
        let band = Polygon::new(band, colour.mix(0.2).filled());
        chart.draw_series(std::iter::once(band))?;
        Ok(())
    }

    /// The line through the points, and its name for the legend.
    fn draw_line(&self, chart: &mut Chart<'_>, colour: RGBColor) -> Drawn {
        let points = self.finite_points();
        let y_range = chart.y_range();
        // The wild beginning of a match is not drawn along the frame.
        let seen = points
            .iter()
            .skip_while(|point| !y_range.contains(&point.y));
        let line: Vec<(f64, f64)> = seen
            .map(|point| (point.x, point.y.clamp(y_range.start, y_range.end)))
            .collect();
        chart
            .draw_series(LineSeries::new(line, colour.stroke_width(2)))?
            .label(one_line(&self.name))
            .legend(move |(x, y)| {
                PathElement::new(vec![(x, y), (x + 22, y)], colour.stroke_width(3))
            });
        Ok(())
    }
}

impl DotChart {
    /// The chart as SVG, as high as its rows. Rows without a finite value keep their place and stay
    /// empty.
    pub fn to_svg(&self) -> String {
        const ROW: u32 = 34;
        let height = 120 + ROW * self.rows.len().max(1) as u32;
        on_white(height, |area| self.draw(area))
    }

    fn draw(&self, area: &Area<'_>) -> Drawn {
        let names: Vec<String> = self.rows.iter().map(|row| shortened(&row.name)).collect();
        let ends = self
            .rows
            .iter()
            .flat_map(|row| [row.value, row.low, row.high]);
        let x_range = spanned(ends, 0.06);
        let y_range = (self.rows.len().max(1) as f64 - 0.5)..-0.5;
        let mut chart = frame(area, &self.title)
            .margin_right(30)
            .y_label_area_size(room_for(&names))
            .build_cartesian_2d(x_range, y_range)?;
        grid(&mut chart, &self.x_title)
            .disable_y_mesh()
            .disable_y_axis()
            .draw()?;
        for (index, (row, name)) in self.rows.iter().zip(&names).enumerate() {
            let y = index as f64;
            draw_name(area, &chart, name, y)?;
            if row.value.is_finite() {
                row.draw(&mut chart, y)?;
            }
        }
        Ok(())
    }
}

impl DotRow {
    /// A row of a value with its interval, in the order of the fields.
    pub fn new(name: impl Into<String>, [value, low, high]: [f64; 3]) -> DotRow {
        let name = name.into();
        DotRow {
            name,
            value,
            low,
            high,
        }
    }

    /// The value and its interval at height `y`.
    fn draw(&self, chart: &mut Chart<'_>, y: f64) -> Drawn {
        let x_range = chart.x_range();
        let inside = |x: f64| x.clamp(x_range.start, x_range.end);
        let colour = COLOURS[0];
        let ends = vec![(inside(self.low), y), (inside(self.high), y)];
        let interval = PathElement::new(ends, colour.stroke_width(2));
        chart.draw_series(std::iter::once(interval))?;
        let dot = Circle::new((self.value, y), 5, colour.filled());
        chart.draw_series(std::iter::once(dot))?;
        Ok(())
    }
}

type Area<'s> = DrawingArea<SVGBackend<'s>, Shift>;
type Chart<'s> = ChartContext<'s, SVGBackend<'s>, Cartesian2d<RangedCoordf64, RangedCoordf64>>;
type Grid<'c, 's> = MeshStyle<'s, 'c, RangedCoordf64, RangedCoordf64, SVGBackend<'s>>;
type Drawn = DrawResult<(), SVGBackend<'static>>;

/// The drawing of `draw`, on white, as SVG.
fn on_white(height: u32, draw: impl FnOnce(&Area<'_>) -> Drawn) -> String {
    let mut svg = String::new();
    let area = SVGBackend::with_string(&mut svg, (WIDTH, height)).into_drawing_area();
    // Writing to a string does not fail, and the ranges of the axes are finite and not empty.
    let drawn = area
        .fill(&WHITE)
        .and_then(|()| draw(&area))
        .and_then(|()| area.present());
    drop(area);
    drawn.map_or_else(|error| format!("<!-- {error} -->"), |()| svg)
}

/// The title, the margins, and the room below the x axis.
fn frame<'a, 's>(area: &'a Area<'s>, title: &str) -> ChartBuilder<'a, 'static, SVGBackend<'s>> {
    let mut frame = ChartBuilder::on(area);
    frame
        .caption(one_line(title), (FONT, TITLE))
        .margin(14)
        .x_label_area_size(52);
    frame
}

/// The grid lines and the axes; the x axis has its title and its numbers.
fn grid<'c, 's>(chart: &'c mut Chart<'s>, x_title: &str) -> Grid<'c, 's> {
    let mut grid = chart.configure_mesh();
    grid.light_line_style(WHITE.mix(0.0))
        .bold_line_style(GREY.mix(0.25))
        .axis_style(GREY)
        .label_style((FONT, LABEL))
        .axis_desc_style((FONT, LABEL))
        .x_desc(one_line(x_title))
        .x_label_formatter(&|x| tick(*x));
    grid
}

fn draw_legend(chart: &mut Chart<'_>, place: SeriesLabelPosition) -> Drawn {
    chart
        .configure_series_labels()
        .position(place)
        .label_font((FONT, LABEL))
        .background_style(WHITE.mix(0.85))
        .border_style(GREY.mix(0.4))
        .draw()
}

/// The width of the names of rows.
fn room_for(names: &[String]) -> i32 {
    /// Helvetica's letters are narrower on average.
    const LETTER: f64 = 0.48 * LABEL as f64;
    let longest = names
        .iter()
        .map(|name| name.chars().count())
        .max()
        .unwrap_or(0);
    (longest as f64 * LETTER) as i32 + 24
}

/// A row's name, left of the y axis at height `y`.
fn draw_name(area: &Area<'_>, chart: &Chart<'_>, name: &str, y: f64) -> Drawn {
    let (left, middle) = chart.backend_coord(&(chart.x_range().start, y));
    let style = (FONT, LABEL)
        .into_font()
        .color(&BLACK)
        .pos(Pos::new(HPos::Right, VPos::Center));
    area.draw(&Text::new(name.to_owned(), (left - 10, middle), style))
}

/// The range of some numbers with a margin on both sides; something sensible for none, or all the
/// same.
fn spanned(numbers: impl Iterator<Item = f64>, margin: f64) -> Range<f64> {
    let (low, high) = numbers
        .filter(|number| number.is_finite())
        .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), number| {
            (low.min(number), high.max(number))
        });
    if low > high {
        return -1.0..1.0;
    }
    let margin = if high > low {
        (high - low) * margin
    } else {
        high.abs().max(1.0) * 0.1
    };
    low - margin..high + margin
}

/// The number of points from which a curve grows with the games; fewer are single measurements.
const CURVE: usize = 40;

/// The range of the y axis: every value and interval; of a long curve only the intervals of the
/// second half, because those of the beginning would hide everything else.
fn y_range(points: &[Point], reference: Option<f64>) -> Range<f64> {
    let is_curve = points.len() > CURVE;
    let [first_value, first_interval] = if is_curve {
        [points.len() / 10, points.len() / 2]
    } else {
        [0, 0]
    };
    let values = points.iter().skip(first_value).map(|point| point.y);
    let ends = points
        .iter()
        .skip(first_interval)
        .flat_map(|point| [point.low, point.high]);
    spanned(values.chain(ends).chain(reference), 0.08)
}

/// The place of the legend: half of the chart wide and a third high, with the fewest points and
/// intervals; a corner if possible.
fn emptiest_place(
    points: &[Point],
    x_range: &Range<f64>,
    y_range: &Range<f64>,
) -> SeriesLabelPosition {
    let x_middle = f64::midpoint(x_range.start, x_range.end);
    let third = (y_range.end - y_range.start) / 3.0;
    let [low, high] = [y_range.start + third, y_range.end - third];
    let [lower, middle, upper] = [f64::NEG_INFINITY..low, low..high, high..f64::INFINITY];
    let places = [
        (SeriesLabelPosition::UpperRight, true, &upper),
        (SeriesLabelPosition::LowerRight, true, &lower),
        (SeriesLabelPosition::UpperLeft, false, &upper),
        (SeriesLabelPosition::LowerLeft, false, &lower),
        (SeriesLabelPosition::MiddleRight, true, &middle),
        (SeriesLabelPosition::MiddleLeft, false, &middle),
    ];
    let crowd = |right: bool, heights: &Range<f64>| {
        let inside = |point: &&Point| {
            let [bottom, top] = [point.low.min(point.y), point.high.max(point.y)];
            (point.x > x_middle) == right && top >= heights.start && bottom < heights.end
        };
        points.iter().filter(inside).count()
    };
    let emptiest = places
        .into_iter()
        .min_by_key(|(_, right, heights)| crowd(*right, heights));
    emptiest.map_or(SeriesLabelPosition::UpperRight, |(position, ..)| position)
}

/// The number of numbers on the x axis: one for each step if all points are near a few whole
/// numbers, else the library's choice.
fn steps(points: &[Point], x_range: &Range<f64>) -> Option<usize> {
    /// Points of one number may stand side by side.
    const ASIDE: f64 = 0.1;
    const MOST: f64 = 12.0;
    let is_whole = |point: &Point| (point.x - point.x.round()).abs() <= ASIDE;
    let length = x_range.end - x_range.start;
    (length <= MOST && points.iter().all(is_whole)).then(|| length.ceil() as usize + 1)
}

/// A tick's number, without needless digits.
fn tick(number: f64) -> String {
    let rounded = (number * 1e6).round() / 1e6;
    // Negative zero is zero.
    format!("{}", rounded + 0.0)
}

/// A name cut to leave room for the chart.
fn shortened(name: &str) -> String {
    const LONGEST: usize = 36;
    let name = one_line(name);
    match name.char_indices().nth(LONGEST) {
        None => name,
        Some((end, _)) => format!("{}…", &name[..end]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(points: Vec<Point>, spread: Spread) -> LineChart {
        let [title, x_title, y_title] = ["A <b> & \"c\"\u{1b}", "games", "Elo"].map(str::to_owned);
        let one = Series {
            name: "one".to_owned(),
            points,
            spread,
        };
        let two = Series {
            name: "two".to_owned(),
            points: Vec::new(),
            spread,
        };
        LineChart {
            title,
            x_title,
            y_title,
            reference: Some(0.0),
            series: vec![one, two],
        }
    }

    fn is_svg(text: &str) {
        assert!(
            text.chars().take(1000).collect::<String>().contains(MARK),
            "{text}"
        );
        assert!(
            text.starts_with("<svg ") && text.trim_end().ends_with("</svg>"),
            "{text}"
        );
        assert!(
            !text.contains("NaN") && !text.contains("inf") && !text.contains('\u{1b}'),
            "{text}"
        );
    }

    #[test]
    fn names_are_escaped_and_the_text_is_always_the_same() {
        let point = |x: f64| {
            let low = if x < 3.0 { f64::NEG_INFINITY } else { -5.0 };
            Point {
                x,
                y: 10.0 / x,
                low,
                high: f64::INFINITY,
            }
        };
        let points: Vec<Point> = (1..30).map(|x| point(f64::from(x))).collect();
        for spread in [Spread::None, Spread::Band] {
            let chart = line(points.clone(), spread);
            let svg = chart.to_svg();
            is_svg(&svg);
            assert!(
                ["A &lt;b&gt; &amp;", "games", "Elo"]
                    .iter()
                    .all(|part| svg.contains(part)),
                "{svg}"
            );
            assert_eq!(svg, chart.to_svg());
        }
    }

    #[test]
    fn the_legend_stands_where_least_is() {
        let point = |x: f64, y: f64| Point {
            x,
            y,
            low: y,
            high: y,
        };
        let corner = |points: &[Point]| emptiest_place(points, &(0.0..10.0), &(0.0..10.0));
        let rising: Vec<Point> = (0..10).map(|x| point(f64::from(x), f64::from(x))).collect();
        assert!(matches!(corner(&rising), SeriesLabelPosition::LowerRight));
        let falling: Vec<Point> = (0..10)
            .map(|x| point(f64::from(x), 9.0 - f64::from(x)))
            .collect();
        assert!(matches!(corner(&falling), SeriesLabelPosition::UpperRight));
        let all_but_one = [point(9.0, 9.0), point(9.0, 1.0), point(1.0, 1.0)];
        assert!(matches!(
            corner(&all_but_one),
            SeriesLabelPosition::UpperLeft
        ));
        let corners = [
            point(9.0, 9.0),
            point(9.0, 1.0),
            point(1.0, 1.0),
            point(1.0, 9.0),
        ];
        assert!(matches!(corner(&corners), SeriesLabelPosition::MiddleRight));
        let tall = Point {
            low: 1.0,
            ..point(9.0, 9.0)
        };
        assert!(matches!(
            corner(&[&corners[..], &[tall]].concat()),
            SeriesLabelPosition::MiddleLeft
        ));
    }

    #[test]
    fn whole_numbers_on_the_x_axis_are_steps() {
        let at = |x: f64| Point {
            x,
            y: 0.0,
            low: 0.0,
            high: 0.0,
        };
        assert_eq!(steps(&[at(1.0), at(5.06)], &(0.9..5.1)), Some(6));
        assert_eq!(steps(&[at(1.0), at(4.5)], &(0.9..5.1)), None);
        assert_eq!(steps(&[at(1.0), at(400.0)], &(0.0..401.0)), None);
    }

    #[test]
    fn no_numbers_and_odd_numbers_make_a_chart_too() {
        is_svg(&line(Vec::new(), Spread::Band).to_svg());
        for y in [0.0, f64::NAN, f64::INFINITY, 1e300, -1e-300] {
            is_svg(
                &line(
                    vec![
                        Point {
                            x: 1.0,
                            y,
                            low: y,
                            high: y
                        };
                        3
                    ],
                    Spread::Band,
                )
                .to_svg(),
            );
            let row = DotRow {
                name: "x".repeat(90),
                value: y,
                low: f64::NEG_INFINITY,
                high: y,
            };
            for rows in [vec![], vec![row.clone()], vec![row; 40]] {
                is_svg(
                    &DotChart {
                        title: "t".to_owned(),
                        x_title: "u".to_owned(),
                        rows,
                    }
                    .to_svg(),
                );
            }
        }
    }
}
