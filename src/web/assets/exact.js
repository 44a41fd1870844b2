// Numbers that people type, kept exact: texts and fractions, never floats.

/** A number as typed: full-width signs and a percent sign are understood; `null` if it is none. */
export function typed(text) {
  const plain = text.trim().normalize("NFKC").replace("−", "-").replace(/%$/, "").trim();
  return /^[+-]?\d{1,18}(\.\d{1,6})?$/.test(plain) ? plain.replace(/^\+/, "") : null;
}

/** Percent as an exact fraction of one. */
export function shareOf(text) {
  const [whole, rest = ""] = text.split(".");
  return `${whole}${rest}/${10n ** BigInt(rest.length + 2)}`;
}

/** A fraction as numerator and denominator. */
export function fraction(text) {
  const [num, den = "1"] = String(text).split("/");
  return [num, den];
}
