//! The picture of the shoot-out: table bytes against throughput and latency, as an SVG.

use std::fmt::Write;

/// A technique.
pub(crate) struct Dot {
    pub(crate) name: String,
    pub(crate) bytes: usize,
    /// True if it needs only plain arithmetic.
    pub(crate) plain: bool,
    /// Millions of queens per second.
    pub(crate) throughput: f64,
    /// Nanoseconds per queen.
    pub(crate) latency: f64,
}

/// The size of a panel, the height of a label, and the width of a letter.
const WIDTH: f64 = 1000.0;
const HEIGHT: f64 = 720.0;
const LINE: f64 = 14.0;
const LETTER: f64 = 6.7;
/// The start of the axis of bytes; techniques without a table are placed before it.
const LEFT: f64 = 60.0;
const NOTHING: f64 = LEFT + 70.0;
const AXIS: f64 = NOTHING + 170.0;

// Grays and hues of medium lightness, for light and dark pages.
const STYLE: &str = "\
text{font-family:system-ui,sans-serif;font-size:12.5px;fill:#777}.name{font-size:12.5px}.head{font-size:16px;font-weight:600}\
.grid{stroke:#888;stroke-opacity:.25}.lead{stroke:#888;stroke-opacity:.6;stroke-width:.6}\
.plain{fill:#3d86c6}.special{fill:#d2752c}";

/// A rectangle on the page.
#[derive(Copy, Clone)]
struct Box {
    x: f64,
    y: f64,
    width: f64,
    height: f64,
}

impl Box {
    fn meets(&self, other: &Self) -> bool {
        self.x < other.x + other.width
            && other.x < self.x + self.width
            && self.y < other.y + other.height
            && other.y < self.y + self.height
    }
}

/// A logarithmic scale between two coordinates.
struct Scale {
    least: f64,
    most: f64,
    from: f64,
    to: f64,
}

impl Scale {
    fn over(values: impl Iterator<Item = f64> + Clone, from: f64, to: f64) -> Self {
        let least = values.clone().fold(f64::MAX, f64::min) / 1.15;
        let most = values.fold(f64::MIN_POSITIVE, f64::max) * 1.15;
        Self { least, most, from, to }
    }

    fn at(&self, value: f64) -> f64 {
        let part = (value / self.least).ln() / (self.most / self.least).ln();
        self.from + part * (self.to - self.from)
    }

    /// 1, 2, 5, 10, 20, 50 … as far as they are on the scale.
    fn marks(&self) -> Vec<f64> {
        let steps = (-2..8).flat_map(|power| [1.0, 2.0, 5.0].map(|step| step * 10_f64.powi(power)));
        steps.filter(|mark| (self.least..=self.most).contains(mark)).collect()
    }
}

/// The whole picture.
pub(crate) fn draw(dots: &[Dot]) -> String {
    let (width, height) = (WIDTH, 2.0 * HEIGHT + 40.0);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" role=\"img\" \
         aria-label=\"Table bytes against throughput and latency of slider techniques\">\n\
         <style>{STYLE}</style>\n"
    );
    let throughput = |dot: &Dot| dot.throughput;
    let latency = |dot: &Dot| dot.latency;
    panel(&mut svg, dots, 0.0, "Throughput: million queens a second (up is faster)", throughput);
    let title = "Latency: nanoseconds a queen, each waiting for the one before (down is faster)";
    panel(&mut svg, dots, HEIGHT, title, latency);
    let y = 2.0 * HEIGHT + 22.0;
    let _ = writeln!(
        svg,
        "<circle class=\"plain\" cx=\"{LEFT}\" cy=\"{}\" r=\"4\"/><text x=\"{}\" y=\"{y}\">plain \
         arithmetic</text><circle class=\"special\" cx=\"{}\" cy=\"{}\" r=\"4\"/><text x=\"{}\" \
         y=\"{y}\">needs instructions that not every CPU has</text>",
        y - 4.0,
        LEFT + 10.0,
        LEFT + 150.0,
        y - 4.0,
        LEFT + 160.0,
    );
    svg.push_str("</svg>\n");
    svg
}

fn panel(svg: &mut String, dots: &[Dot], top: f64, title: &str, value: fn(&Dot) -> f64) {
    let (upper, lower) = (top + 40.0, top + HEIGHT - 40.0);
    let across = Scale::over(
        dots.iter().filter(|dot| dot.bytes > 0).map(|dot| dot.bytes as f64).chain([512.0]),
        AXIS,
        WIDTH - 90.0,
    );
    let up = Scale::over(dots.iter().map(value), lower, upper);
    let x = |dot: &Dot| if dot.bytes == 0 { NOTHING } else { across.at(dot.bytes as f64) };

    let mut line = |text: String| {
        svg.push_str(&text);
        svg.push('\n');
    };
    line(format!("<text class=\"head\" x=\"{LEFT}\" y=\"{}\">{title}</text>", top + 22.0));
    let right = WIDTH - 20.0;
    for mark in up.marks() {
        let y = up.at(mark);
        let (left, base) = (LEFT - 6.0, y + 4.0);
        line(format!(
            "<path class=\"grid\" d=\"M{LEFT} {y:.1}H{right}\"/>\
             <text x=\"{left}\" y=\"{base:.1}\" text-anchor=\"end\">{mark}</text>"
        ));
    }
    let powers = (7..24).step_by(2).map(|power| 1_u32 << power);
    let marks = powers.map(|bytes| {
        let name = match bytes {
            0x10_0000.. => format!("{} MiB", bytes >> 20),
            0x400.. => format!("{} KiB", bytes >> 10),
            _ => format!("{bytes} B"),
        };
        (f64::from(bytes), name)
    });
    let marks = marks.filter(|(bytes, _)| (across.least..=across.most).contains(bytes));
    let places = marks.map(|(bytes, name)| (across.at(bytes), name));
    for (x, name) in [(NOTHING, "no table".to_owned())].into_iter().chain(places) {
        let base = lower + 18.0;
        line(format!(
            "<path class=\"grid\" d=\"M{x:.1} {upper}V{lower}\"/>\
             <text x=\"{x:.1}\" y=\"{base}\" text-anchor=\"middle\">{name}</text>"
        ));
    }

    let mut taken = dots
        .iter()
        .map(|dot| Box { x: x(dot) - 4.0, y: up.at(value(dot)) - 4.0, width: 8.0, height: 8.0 })
        .collect::<Vec<_>>();
    let mut order = dots.iter().collect::<Vec<_>>();
    order.sort_by(|a, b| up.at(value(a)).total_cmp(&up.at(value(b))));
    for dot in order {
        let (x, y) = (x(dot), up.at(value(dot)));
        let width = dot.name.chars().count() as f64 * LETTER;
        let place = place(x, y, width, &taken, (upper, lower));
        taken.push(place);
        let baseline = place.y + LINE - 3.0;
        let near = if place.x > x { place.x - 1.0 } else { place.x + width + 1.0 };
        let middle = place.y + LINE / 2.0;
        if (middle - y).abs() > LINE / 2.0 || (near - x).abs() > 10.0 {
            line(format!("<path class=\"lead\" d=\"M{x:.1} {y:.1}L{near:.1} {middle:.1}\"/>"));
        }
        let class = if dot.plain { "plain" } else { "special" };
        let name = dot.name.replace('&', "&amp;").replace('<', "&lt;");
        line(format!("<circle class=\"{class}\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3.5\"/>"));
        line(format!(
            "<text class=\"name\" x=\"{:.1}\" y=\"{baseline:.1}\">{name}</text>",
            place.x
        ));
    }
}

/// The place of a label nearest to its dot without overlaps: right or left of it, then farther
/// away.
fn place(x: f64, y: f64, width: f64, taken: &[Box], (upper, lower): (f64, f64)) -> Box {
    let beside = |near: f64, off: f64, right: bool| {
        let left = if right { x + near } else { x - near - width };
        Box { x: left, y: y - LINE / 2.0 + off, width, height: LINE }
    };
    let mut places = Vec::new();
    for near in [6.0, 24.0, 60.0, 100.0] {
        for step in 0..60 {
            let off = f64::from((step + 1) / 2) * 4.0 * if step % 2 == 0 { 1.0 } else { -1.0 };
            for right in [true, false] {
                let far = off.abs() + near + if right { 0.0 } else { 3.0 };
                places.push((far, beside(near, off, right)));
            }
        }
    }
    places.sort_by(|a, b| a.0.total_cmp(&b.0));
    let fits = |place: &Box| {
        place.x > LEFT + 4.0
            && place.x + place.width < WIDTH - 4.0
            && place.y > upper - LINE
            && place.y + LINE < lower + LINE
            && !taken.iter().any(|other| place.meets(other))
    };
    let found = places.iter().map(|(_, place)| *place).find(|place| fits(place));
    found.unwrap_or_else(|| beside(6.0, 0.0, true))
}

#[cfg(test)]
mod tests {
    use super::{Dot, draw};

    #[test]
    fn every_technique_is_drawn_in_both_panels() {
        let dot = |name: &str, bytes, throughput| Dot {
            name: name.to_owned(),
            bytes,
            plain: bytes == 0,
            throughput,
            latency: 5.0,
        };
        let svg = draw(&[dot("a", 0, 100.0), dot("b & c", 2048, 900.0), dot("d", 2048, 901.0)]);
        assert_eq!(svg.matches("class=\"name\"").count(), 6);
        assert_eq!(svg.matches("b &amp; c").count(), 2);
        assert!(svg.ends_with("</svg>\n"));
    }
}
