// Numbers as people read them.
const PREFIXES: Record<string, [symbol: string, prefixes: [number, string][]]> = {
  s: ["s", [[1, ""], [1e-3, "m"], [1e-6, "µ"], [1e-9, "n"]]],
  bytes: ["B", [[1e9, "G"], [1e6, "M"], [1e3, "k"], [1, ""]]],
};

export function number(value: number): string {
  if (value === 0) return "0";
  const size = Math.abs(value);
  if (size >= 1e5 || size < 1e-3) return value.toExponential(2).replace("e+", "e");
  return String(Number(value.toPrecision(4)));
}

export function amount(value: number, unit: string, digits = 4): string {
  const [symbol, prefixes] = PREFIXES[unit] ?? [unit, []];
  if (value === 0 || prefixes.length === 0) return `${number(value)} ${symbol}`;
  // What is rounded up to 1 µs is not 1000 ns.
  const size = Math.abs(Number(value.toPrecision(digits)));
  const [factor, prefix] = prefixes.find(([factor]) => size >= factor) ?? prefixes.at(-1)!;
  return `${Number((value / factor).toPrecision(digits))} ${prefix}${symbol}`;
}

export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

export function percent(share: number): string {
  if (!Number.isFinite(share)) return "–";
  const value = 100 * share;
  return `${Math.abs(value) >= 9.95 || value === 0 ? value.toFixed(0) : value.toFixed(1)} %`;
}

/** An amount, or its share of the whole program. */
export function shown(value: number, whole: number, unit: string, as: "time" | "share"): string {
  return as === "time" ? amount(value, unit) : percent(whole === 0 ? 0 : value / whole);
}
