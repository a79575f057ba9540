// Numbers as people read them.
const PREFIXES: [number, string][] = [[1, ""], [1e-3, "m"], [1e-6, "µ"], [1e-9, "n"]];

export function number(value: number): string {
  if (value === 0) return "0";
  const size = Math.abs(value);
  if (size >= 1e5 || size < 1e-3) return value.toExponential(2).replace("e+", "e");
  return String(Number(value.toPrecision(4)));
}

export function amount(value: number, unit: string): string {
  if (unit !== "s") return number(value);
  const size = Math.abs(value);
  const [factor, prefix] = PREFIXES.find(([factor]) => size >= factor) ?? (size === 0 ? [1, ""] : [1e-9, "n"]);
  return `${Number((value / factor).toPrecision(4))} ${prefix}s`;
}

export function percent(share: number): string {
  if (!Number.isFinite(share)) return "–";
  const value = 100 * share;
  return `${Math.abs(value) >= 10 || value === 0 ? value.toFixed(0) : value.toPrecision(2)} %`;
}

/** An amount, or its share of the whole program. */
export function shown(value: number, whole: number, unit: string, as: "time" | "share"): string {
  return as === "time" ? amount(value, unit) : percent(whole === 0 ? 0 : value / whole);
}
