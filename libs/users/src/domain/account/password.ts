import { reject } from '../rejections';

/** Lengths in code points. */
export interface PasswordRules {
  readonly minLength: number;
  readonly maxLength: number;
}

/** Frequent passwords. */
const COMMON = new Set(
  (
    'password password1 password123 passw0rd letmein welcome welcome1 iloveyou admin123 administrator monkey dragon ' +
    'sunshine princess football baseball qwerty qwerty123 qwertyuiop asdfgh asdfghjkl zxcvbn zxcvbnm abc123 1q2w3e ' +
    '1q2w3e4r 1qaz2wsx qazwsx trustno1'
  ).split(' '),
);

/**
 * Refuses a password that is easy to guess (contract/users.md section 3, weak password).
 *
 * @param personal texts that are easy guesses: email and name
 * @throws Rejected BAD_REQUEST
 */
export function ensureStrong(password: string, rules: PasswordRules, personal: readonly string[]): void {
  const length = [...password].length;
  if (length < rules.minLength || length > rules.maxLength) throw reject.weakPassword();
  const guess = password.toLowerCase();
  const tried = personal.flatMap((text) => [text, ...text.split(/[@\s.]+/)]).map((text) => text.toLowerCase());
  if (COMMON.has(guess) || tried.includes(guess) || isOneRun(guess)) throw reject.weakPassword();
}

/** `aaaaaa`, `123456`, `fedcba`: the first two characters determine the rest. */
function isOneRun(text: string): boolean {
  const codes = [...text].map((character) => character.codePointAt(0) ?? 0);
  const steps = codes.slice(1).map((code, n) => code - (codes[n] ?? 0));
  return steps.every((step) => step === steps[0] && Math.abs(step) <= 1);
}
