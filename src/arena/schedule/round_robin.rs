//! Everybody against everybody, in an order in which everybody plays about equally often.

/// All pairs by the circle method (E. Lucas, *Récréations mathématiques* II, 1883): the first stays, the
/// others go round it, and those who sit opposite each other play. With an odd number one has a rest at a
/// time.
pub fn pairs(engines: usize) -> Vec<[usize; 2]> {
    let seats = engines + engines % 2;
    let mut circle: Vec<usize> = (1..seats).collect();
    let mut pairs = Vec::with_capacity(engines * engines / 2);
    for _ in 1..seats {
        let place = |seat: usize| if seat == 0 { 0 } else { circle[seat - 1] };
        let opposite = (0..seats / 2)
            .map(|seat| [place(seat), place(seats - 1 - seat)])
            .filter(|pair| pair.iter().all(|&engine| engine < engines))
            .map(|[a, b]| [a.min(b), a.max(b)]);
        pairs.extend(opposite);
        circle.rotate_right(1);
    }
    pairs
}
