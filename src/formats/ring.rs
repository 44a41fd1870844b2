//! Arithmetic for the algebraic movement: a ring of `m` elements that has many pairwise different units.
//!
//! With `m = 2^e × odd` the ring is GF(2^e) × Z(odd). `k` elements whose pairwise differences are all units give a
//! resolvable transversal design: `m` rounds of `m` tables of `k`, in which nobody meets anybody twice.

/// Irreducible polynomials over GF(2) by degree, 0 where there is no field to build.
const POLYNOMIALS: [usize; 14] = [
    0,
    0b11,
    0b111,
    0b1011,
    0b1_0011,
    0b10_0101,
    0b100_0011,
    0b1000_0011,
    0x11b,
    0x211,
    0x409,
    0x805,
    0x1053,
    0x201b,
];

/// The ring GF(2^e) × Z(odd) with elements numbered 0 to `m - 1` as `binary + 2^e × residue`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ring {
    exponent: u32,
    odd: usize,
}

impl Ring {
    /// The ring of `m` elements; `None` for 0 and for sizes with a power of two beyond 2^13.
    pub(super) fn of(m: usize) -> Option<Ring> {
        if m == 0 {
            return None;
        }
        let exponent = m.trailing_zeros();
        (exponent < 14).then_some(Ring { exponent, odd: m >> exponent })
    }

    /// The largest number of elements with pairwise unit differences that [`Ring::multiplier`] can name.
    pub(super) fn units(self) -> usize {
        let binary = if self.exponent == 0 { usize::MAX } else { 1 << self.exponent };
        let odd = if self.odd == 1 {
            usize::MAX
        } else {
            (3..)
                .step_by(2)
                .find(|divisor| self.odd.is_multiple_of(*divisor) || divisor * divisor > self.odd)
                .filter(|divisor| self.odd.is_multiple_of(*divisor))
                .unwrap_or(self.odd)
        };
        binary.min(odd)
    }

    /// The `i`-th of the elements with pairwise unit differences, `i` below [`Ring::units`].
    pub(super) fn multiplier(self, i: usize) -> usize {
        let size = 1 << self.exponent;
        i % size + size * (i % self.odd)
    }

    /// `a + b × c`.
    pub(super) fn add_product(self, a: usize, b: usize, c: usize) -> usize {
        let size = 1 << self.exponent;
        let binary = (a % size) ^ self.binary_product(b % size, c % size);
        let odd = (a / size + (b / size) * (c / size)) % self.odd;
        binary + size * odd
    }

    fn binary_product(self, a: usize, b: usize) -> usize {
        let mut product = 0;
        for bit in (0..self.exponent).rev() {
            product <<= 1;
            if product >> self.exponent & 1 == 1 {
                product ^= POLYNOMIALS[self.exponent as usize];
            }
            if b >> bit & 1 == 1 {
                product ^= a;
            }
        }
        product
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn multiplying_by_a_difference_of_multipliers_is_a_permutation() {
        for m in (1..=64).chain([125, 128, 256, 333, 512, 1000, 1024, 2048, 4096, 8192]) {
            let ring = Ring::of(m).unwrap();
            for j in 1..ring.units().min(4).min(m) {
                for i in 0..j {
                    // (a_j − a_i) × r takes every value once: then two rounds never agree in both columns.
                    let mut seen = vec![false; m];
                    for r in 0..m {
                        let low = ring.add_product(0, ring.multiplier(i), r);
                        let high = ring.add_product(0, ring.multiplier(j), r);
                        let size = 1 << ring.exponent;
                        let difference = ((high % size) ^ (low % size))
                            + size * ((high / size + ring.odd - low / size) % ring.odd);
                        assert!(!std::mem::replace(&mut seen[difference], true), "m {m}, columns {i} {j}");
                    }
                }
            }
        }
    }
}
