//! Games whose own levels have not moved in yet have the random player.

use super::{Levels, PlayerRef, Random};
use crate::games::GameKind;
use crate::games::tuolaji::Tuolaji;
use crate::games::wakeng::Wakeng;

static WAKENG: Random = Random::of(GameKind::Wakeng);
static TUOLAJI: Random = Random::of(GameKind::Tuolaji);

impl Levels for Wakeng {
    const DEFAULT_LEVEL: &'static str = "random";

    fn levels() -> &'static [PlayerRef<Wakeng>] {
        static ALL: [PlayerRef<Wakeng>; 1] = [&WAKENG];
        &ALL
    }
}

impl Levels for Tuolaji {
    const DEFAULT_LEVEL: &'static str = "random";

    fn levels() -> &'static [PlayerRef<Tuolaji>] {
        static ALL: [PlayerRef<Tuolaji>; 1] = [&TUOLAJI];
        &ALL
    }
}
