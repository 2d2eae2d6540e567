const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const FULL_MONTHS =
  /^(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)$/i;
const WEEKDAY = /^(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?[, ] */i;
const DAY_FIRST = /^(\d{1,2})(?:st|nd|rd|th)?[, ] *([a-z]{3,9})\.?[, ] *([1-9]\d{3})(.*)$/i;
const MONTH_FIRST = /^([a-z]{3,9})\.? *(\d{1,2})(?:st|nd|rd|th)?[, ] *([1-9]\d{3})(.*)$/i;
const CLOCK = /^[, ] *(?:at )?(\d{1,2})(?::(\d{2})(?::(\d{2}))?)?(?: ?([ap])m)?(?: ?([a-z]{1,4}|[+-]\d{2}:?\d{2}))?$/i;

/** Minutes east of UTC, by what English speakers call a zone. Some abbreviations have several meanings; this is the usual one. */
const ZONES: Readonly<Record<string, number>> = {
  ...{ z: 0, utc: 0, gmt: 0, wet: 0, bst: 60, west: 60, cet: 60, met: 60, wat: 60, cest: 120, mest: 120, eet: 120 },
  ...{ cat: 120, sast: 120, eest: 180, eat: 180, idt: 180, msk: 180, pkt: 300, ist: 330, wib: 420, hkt: 480 },
  ...{ awst: 480, wita: 480, jst: 540, kst: 540, wit: 540, acst: 570, aest: 600, chst: 600, acdt: 630, aedt: 660 },
  ...{ nzst: 720, nzdt: 780, ndt: -150, adt: -180, nst: -210, ast: -240, edt: -240, est: -300, cdt: -300 },
  ...{ cst: -360, mdt: -360, mst: -420, pdt: -420, pst: -480, akdt: -480, akst: -540, hdt: -540, hst: -600, sst: -660 },
};

const MINUTE_MS = 60_000;

/**
 * The moment of an English date in words, with a time or without: `Jun 5th 2017, 10:30PM`, `31 Dec 2017 5:30 am IST`.
 * Without a zone it is UTC, and without a year there is no moment.
 *
 * @returns milliseconds of Unix time, or NaN
 */
export function momentInWords(written: string): number {
  const text = written.replace(WEEKDAY, '');
  const dayFirst = DAY_FIRST.exec(text);
  const [, first = '', second = '', year, rest = ''] = dayFirst ?? MONTH_FIRST.exec(text) ?? [];
  const [day, month] = dayFirst ? [first, second] : [second, first];
  if (year === undefined || !FULL_MONTHS.test(month)) return NaN;
  const monthIndex = MONTHS.indexOf(month.slice(0, 3).toLowerCase());
  const midnight = Date.UTC(Number(year), monthIndex, Number(day));
  // `31 Feb` would be in March.
  return new Date(midnight).getUTCMonth() === monthIndex ? midnight + MINUTE_MS * minutesOf(rest) : NaN;
}

/** Minutes since midnight in UTC of what follows a date, or NaN. */
function minutesOf(text: string): number {
  if (text.trim() === '') return 0;
  const [, hours, minutes = '0', seconds = '0', half, zone] = CLOCK.exec(text) ?? [];
  const hour = hourOf(Number(hours), half?.toLowerCase());
  // A lone number is not a time.
  if (half === undefined && minutes === '0') return NaN;
  if (Number(minutes) > 59 || Number(seconds) > 59) return NaN;
  return hour * 60 + Number(minutes) + Number(seconds) / 60 - offsetOf(zone);
}

function hourOf(hour: number, half: string | undefined): number {
  if (half === undefined) return hour < 24 ? hour : NaN;
  if (hour < 1 || hour > 12) return NaN;
  return (hour % 12) + (half === 'p' ? 12 : 0);
}

function offsetOf(zone: string | undefined): number {
  if (zone === undefined) return 0;
  const [, sign, hours, minutes] = /^([+-])(\d{2}):?(\d{2})$/.exec(zone) ?? [];
  if (sign === undefined) return ZONES[zone.toLowerCase()] ?? NaN;
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes));
}
