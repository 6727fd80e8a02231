//! Plots as SVG text: lines over a common x axis. The same data give the same text.

use std::ops::Range;

use plotters::chart::MeshStyle;
use plotters::coord::Shift;
use plotters::coord::types::RangedCoordf64;
use plotters::prelude::*;

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
const FONT: &str = "Helvetica, Arial, sans-serif";
const WIDTH: u32 = 960;
const HEIGHT: u32 = 540;
const LABEL: i32 = 18;
const TITLE: i32 = 25;

/// A measured value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    pub x: f64,
    pub y: f64,
}

/// A line through points.
#[derive(Clone, Debug, PartialEq)]
pub struct Series {
    pub name: String,
    pub points: Vec<Point>,
}

/// Lines over a common x axis. Titles of axes name the unit.
#[derive(Clone, Debug, PartialEq)]
pub struct LineChart {
    pub title: String,
    pub x_title: String,
    pub y_title: String,
    pub series: Vec<Series>,
}

impl LineChart {
    /// A chart; the titles are its own and those of the axes.
    pub fn new(titles: [&str; 3], series: Vec<Series>) -> LineChart {
        let [title, x_title, y_title] = titles.map(str::to_owned);
        LineChart {
            title,
            x_title,
            y_title,
            series,
        }
    }

    /// The chart as SVG. Series without a finite point are left out; a chart without any is empty
    /// axes.
    pub fn to_svg(&self) -> String {
        on_white(|area| self.draw(area))
    }

    fn draw(&self, area: &Area<'_>) -> Drawn {
        let points: Vec<Point> = self.series.iter().flat_map(Series::finite_points).collect();
        let x_range = spanned(points.iter().map(|point| point.x), 0.02);
        let y_range = y_range(&points);
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
        for (series, &colour) in self.series.iter().zip(COLOURS.iter().cycle()) {
            series.draw_line(&mut chart, colour)?;
        }
        if self.series.len() > 1 {
            draw_legend(&mut chart, emptiest_place(&points, &x_range, &y_range))?;
        }
        Ok(())
    }
}

impl Series {
    pub fn new(name: impl Into<String>, points: impl IntoIterator<Item = Point>) -> Series {
        Series {
            name: name.into(),
            points: points.into_iter().collect(),
        }
    }

    fn finite_points(&self) -> Vec<Point> {
        self.points
            .iter()
            .copied()
            .filter(|point| point.x.is_finite() && point.y.is_finite())
            .collect()
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

type Area<'s> = DrawingArea<SVGBackend<'s>, Shift>;
type Chart<'s> = ChartContext<'s, SVGBackend<'s>, Cartesian2d<RangedCoordf64, RangedCoordf64>>;
type Grid<'c, 's> = MeshStyle<'s, 'c, RangedCoordf64, RangedCoordf64, SVGBackend<'s>>;
type Drawn = DrawResult<(), SVGBackend<'static>>;

/// The drawing of `draw`, on white, as SVG.
fn on_white(draw: impl FnOnce(&Area<'_>) -> Drawn) -> String {
    let mut svg = String::new();
    let area = SVGBackend::with_string(&mut svg, (WIDTH, HEIGHT)).into_drawing_area();
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

/// The range of the y axis: every value; of a long curve not those of the first tenth, because they
/// would hide everything else.
fn y_range(points: &[Point]) -> Range<f64> {
    let is_curve = points.len() > CURVE;
    let first = if is_curve { points.len() / 10 } else { 0 };
    spanned(points.iter().skip(first).map(|point| point.y), 0.08)
}

/// The place of the legend: half of the chart wide and a third high, with the fewest points; a
/// corner if possible.
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
        let inside = |point: &&Point| (point.x > x_middle) == right && heights.contains(&point.y);
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

#[cfg(test)]
mod tests {
    use super::*;

    fn line(points: Vec<Point>) -> LineChart {
        let [title, x_title, y_title] = ["A <b> & \"c\"\u{1b}", "games", "Elo"].map(str::to_owned);
        let one = Series {
            name: "one".to_owned(),
            points,
        };
        let two = Series {
            name: "two".to_owned(),
            points: Vec::new(),
        };
        LineChart {
            title,
            x_title,
            y_title,
            series: vec![one, two],
        }
    }

    fn at(x: f64, y: f64) -> Point {
        Point { x, y }
    }

    fn is_svg(text: &str) {
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
        let points = (1..30).map(|x| at(f64::from(x), 10.0 / f64::from(x)));
        let chart = line(points.collect());
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

    #[test]
    fn the_legend_stands_where_least_is() {
        let corner = |points: &[Point]| emptiest_place(points, &(0.0..10.0), &(0.0..10.0));
        let rising: Vec<Point> = (0..10).map(|x| at(f64::from(x), f64::from(x))).collect();
        assert!(matches!(corner(&rising), SeriesLabelPosition::LowerRight));
        let falling: Vec<Point> = (0..10)
            .map(|x| at(f64::from(x), 9.0 - f64::from(x)))
            .collect();
        assert!(matches!(corner(&falling), SeriesLabelPosition::UpperRight));
        let all_but_one = [at(9.0, 9.0), at(9.0, 1.0), at(1.0, 1.0)];
        assert!(matches!(
            corner(&all_but_one),
            SeriesLabelPosition::UpperLeft
        ));
        let corners = [at(9.0, 9.0), at(9.0, 1.0), at(1.0, 1.0), at(1.0, 9.0)];
        assert!(matches!(corner(&corners), SeriesLabelPosition::MiddleRight));
    }

    #[test]
    fn whole_numbers_on_the_x_axis_are_steps() {
        assert_eq!(steps(&[at(1.0, 0.0), at(5.06, 0.0)], &(0.9..5.1)), Some(6));
        assert_eq!(steps(&[at(1.0, 0.0), at(4.5, 0.0)], &(0.9..5.1)), None);
        assert_eq!(steps(&[at(1.0, 0.0), at(400.0, 0.0)], &(0.0..401.0)), None);
    }

    #[test]
    fn no_numbers_and_odd_numbers_make_a_chart_too() {
        is_svg(&line(Vec::new()).to_svg());
        for y in [0.0, f64::NAN, f64::INFINITY, 1e300, -1e-300] {
            is_svg(&line(vec![at(1.0, y); 3]).to_svg());
        }
    }
}
