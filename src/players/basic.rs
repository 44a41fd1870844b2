//! Games whose own levels have not moved in yet have the random player.

use super::{Levels, PlayerRef, Random};
use crate::games::GameKind;
use crate::games::wakeng::Wakeng;

static WAKENG: Random = Random::of(GameKind::Wakeng);

impl Levels for Wakeng {
    const DEFAULT_LEVEL: &'static str = "random";

    fn levels() -> &'static [PlayerRef<Wakeng>] {
        static ALL: [PlayerRef<Wakeng>; 1] = [&WAKENG];
        &ALL
    }
}
