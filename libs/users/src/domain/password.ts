import { reject } from './rejections';

export interface PasswordRules {
  /** In code points. */
  readonly minLength: number;
  readonly maxLength: number;
  /** How many guesses somebody must need at least. */
  readonly minGuesses: number;
}

/** What people try first. */
const COMMON = new Set(
  (
    'password passw0rd password1 password123 letmein welcome welcome1 admin admin123 administrator iloveyou monkey ' +
    'dragon sunshine princess football baseball superman batman master shadow trustno1 starwars whatever freedom ' +
    'secret changeme default login hello123 abc123 qwerty qwerty123 qwertyuiop asdfgh asdfghjkl zxcvbn zxcvbnm ' +
    '1q2w3e 1q2w3e4r 1qaz2wsx qazwsx'
  ).split(' '),
);

/**
 * Refuses a password that is found by guessing (contract/users.md section 3, weak password).
 *
 * @param personal texts that people who know the account try: address and name
 * @throws Rejected BAD_REQUEST
 */
export function ensureStrong(password: string, rules: PasswordRules, personal: readonly string[]): void {
  const length = [...password].length;
  if (length < rules.minLength || length > rules.maxLength) throw reject.weakPassword();
  const guess = password.toLowerCase();
  const tried = personal.flatMap((text) => [text, ...text.split(/[@\s.]+/)]).map((text) => text.toLowerCase());
  if (COMMON.has(guess) || tried.includes(guess)) throw reject.weakPassword();
  // A character that repeats the one before, or is the next one, adds next to nothing; any other at least ten ways.
  if (10 ** surprises(guess) < rules.minGuesses) throw reject.weakPassword();
}

function surprises(text: string): number {
  const codes = [...text].map((character) => character.codePointAt(0) ?? 0);
  const steps = codes.map((code, n) => code - (codes[n - 1] ?? Number.NaN));
  return steps.filter((step, n) => !(Math.abs(step) <= 1) && !(n > 1 && step === steps[n - 1])).length;
}
