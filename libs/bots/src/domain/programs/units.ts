/** Kinds of quantities. Units of one kind can be converted into each other. */
type Quantity = 'angle' | 'area' | 'information' | 'length' | 'mass' | 'pressure' | 'temperature' | 'time' | 'volume';

/** A unit: `(value + zero) × factor` is the value in the base unit of its quantity. */
export interface Unit {
  readonly quantity: Quantity;
  readonly factor: number;
  readonly zero: number;
  /** Short names, in lower case. */
  readonly symbols: readonly string[];
}

const of =
  (quantity: Quantity) =>
  (factor: number, ...symbols: string[]): Unit => ({ quantity, factor, zero: 0, symbols });

const angle = of('angle');
const area = of('area');
const information = of('information');
const length = of('length');
const mass = of('mass');
const pressure = of('pressure');
const time = of('time');
const volume = of('volume');

const INCH = 0.0254;
const FOOT = 0.3048;
const YARD = 0.9144;
const MILE = 1609.344;
const POUND = 453.59237;
const GALLON = 231 * INCH ** 3;
const power = (symbol: string, exponent: 2 | 3) => [`${symbol}${exponent}`, `${symbol}^${exponent}`];

/** Units by name. Factors are exact by the definitions of the units; those of the United States are the customary ones. */
const UNITS: Readonly<Record<string, Unit>> = {
  bit: information(1),
  byte: information(8),
  'cubic-centimeter': volume(1e-6, ...power('cm', 3)),
  'cubic-decimeter': volume(1e-3, ...power('dm', 3)),
  liter: volume(1e-3, 'l'),
  'cubic-meter': volume(1, ...power('m', 3)),
  'cubic-inch': volume(INCH ** 3, ...power('in', 3)),
  'fluid-ounce': volume(GALLON / 128, 'fl-oz'),
  'cubic-foot': volume(FOOT ** 3, ...power('ft', 3)),
  'cubic-yard': volume(YARD ** 3, ...power('y', 3)),
  teaspoon: volume(GALLON / 768, 'tsp'),
  tablespoon: volume(GALLON / 256, 'tbsp'),
  cup: volume(GALLON / 16),
  gram: mass(1, 'g'),
  kilogram: mass(1e3, 'kg'),
  ton: mass(1e6, 't'),
  ounce: mass(POUND / 16, 'oz'),
  pound: mass(POUND, 'lb'),
  kelvin: { quantity: 'temperature', factor: 1, zero: 0, symbols: ['k'] },
  celsius: { quantity: 'temperature', factor: 1, zero: 273.15, symbols: ['c'] },
  fahrenheit: { quantity: 'temperature', factor: 5 / 9, zero: 459.67, symbols: ['f'] },
  centimeter: length(1e-2, 'cm'),
  decimeter: length(1e-1, 'dm'),
  meter: length(1, 'm'),
  kilometer: length(1e3, 'km'),
  inch: length(INCH, 'in'),
  foot: length(FOOT, 'ft'),
  yard: length(YARD, 'y'),
  mile: length(MILE, 'mi'),
  'nautical-mile': length(1852, 'nmi'),
  'square-centimeter': area(1e-4, ...power('cm', 2)),
  'square-decimeter': area(1e-2, ...power('dm', 2)),
  'square-meter': area(1, ...power('m', 2)),
  'square-kilometer': area(1e6, ...power('km', 2)),
  'square-inch': area(INCH ** 2, ...power('in', 2)),
  'square-foot': area(FOOT ** 2, ...power('ft', 2)),
  'square-yard': area(YARD ** 2, ...power('y', 2)),
  'square-mile': area(MILE ** 2, ...power('mi', 2)),
  are: area(100, 'a'),
  hectare: area(10_000, 'ha'),
  acre: area(4840 * YARD ** 2, 'ac'),
  second: time(1),
  minute: time(60),
  hour: time(3_600),
  psi: pressure((POUND * 9.80665) / 1000 / INCH ** 2),
  bar: pressure(100_000),
  radian: angle(1),
  degree: angle(Math.PI / 180),
};

const BY_NAME = new Map(
  Object.entries(UNITS).flatMap(([name, unit]) => [name, ...unit.symbols].map((one) => [one, unit] as const)),
);

/** Powers of ten, and of 1,024 in place of 1,000 for information. */
const PREFIXES: Readonly<Record<string, number>> = {
  atto: -18,
  femto: -15,
  pico: -12,
  nano: -9,
  micro: -6,
  milli: -3,
  centi: -2,
  deci: -1,
  deca: 1,
  hecto: 2,
  kilo: 3,
  mega: 6,
  giga: 9,
  tera: 12,
  peta: 15,
  exa: 18,
};

export const PREFIX_NAMES = Object.keys(PREFIXES);

/** All units, each with its short names in parentheses, by quantity. */
export function unitNames(): ReadonlyMap<Quantity, readonly string[]> {
  const names = new Map<Quantity, string[]>();
  for (const [name, { quantity, symbols }] of Object.entries(UNITS)) {
    const shown = symbols.length === 0 ? name : `${name} (${symbols.join(', ')})`;
    names.set(quantity, [...(names.get(quantity) ?? []), shown]);
  }
  return names;
}

/** A unit by its name, its short name, or its name with a prefix. @param written in lower case */
export function unitByName(written: string): Unit | undefined {
  const known = BY_NAME.get(written);
  if (known) return known;
  const prefix = PREFIX_NAMES.find((one) => written.startsWith(one));
  const unit = prefix === undefined ? undefined : BY_NAME.get(written.slice(prefix.length));
  const exponent = PREFIXES[prefix ?? ''];
  if (!unit || exponent === undefined) return undefined;
  const isBinary = unit.quantity === 'information' && exponent % 3 === 0;
  return { ...unit, factor: unit.factor * (isBinary ? 1024 ** (exponent / 3) : 10 ** exponent) };
}

/** Decimal digits of a result that are shown. */
const DIGITS = 8;

/** The value in another unit of the same quantity, rounded. */
export function converted(value: number, from: Unit, to: Unit): number {
  const inTo = ((value + from.zero) * from.factor) / to.factor - to.zero;
  return Number(inTo.toPrecision(DIGITS));
}
