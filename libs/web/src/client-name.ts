const MAX_LENGTH = 30;
const BROWSERS: ReadonlySet<string> = new Set(['Mozilla', 'Opera']);
const UNSTORABLE = /[\p{Cc}\p{Cs}]/u;
const EVERY_UNSTORABLE = /[\p{Cc}\p{Cs}]/gu;

/**
 * Name of the client program (contract/boot.md section 1.5), at most 30 code points.
 *
 * @param given the `client` parameter, which takes precedence over the User-Agent
 */
export function clientName(given: string | undefined, userAgent: string | undefined): string {
  const name = (given && tidy(given)) || (userAgent && tidy(programOf(userAgent))) || 'Unspecified';
  return BROWSERS.has(name) ? 'website' : name;
}

/** `ZulipPython/0.9.0 (Ubuntu; 22.04)` → `ZulipPython`; `My Bot 2.0` → `My Bot` */
function programOf(userAgent: string): string {
  const [, name = ''] = /^([^/ ]*[^0-9/(]*)/.exec(userAgent) ?? [];
  return name;
}

function tidy(name: string): string {
  const clean = UNSTORABLE.test(name) ? name.replaceAll(EVERY_UNSTORABLE, '') : name;
  if (clean.length <= MAX_LENGTH) return clean.trim();
  return [...clean.trim()].slice(0, MAX_LENGTH).join('').trim();
}
