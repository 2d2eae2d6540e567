/** Colors for new subscriptions that are easy to distinguish on light and dark backgrounds. */
const PALETTE = [
  '#5b8def',
  '#e2725b',
  '#4caf78',
  '#b07cc6',
  '#d9a441',
  '#3fa7a0',
  '#d46a92',
  '#8a9a3b',
  '#7a6ff0',
  '#c97b3d',
  '#4f9bd1',
  '#a65d57',
  '#66b032',
  '#9c6b9e',
  '#c2a83e',
  '#2f8f83',
  '#e08aa8',
  '#6f7d2c',
  '#5a67b8',
  '#b9653a',
] as const;

/** The color of a user who uses all the others (contract/subscriptions.md section 2.3). */
const FALLBACK = '#c2c2c2';

/** @returns a color that is not among the used ones */
export const unusedColor = (used: ReadonlySet<string>): string => PALETTE.find((color) => !used.has(color)) ?? FALLBACK;

const SYNTAX = /^#[0-9a-f]{3,6}$/;

/**
 * The one form of a color that is sent: six lower-case digits (contract/conventions.md section 6).
 *
 * @returns undefined for a text that is no color
 */
export function normalColor(text: string): string | undefined {
  const color = text.trim().toLowerCase();
  if (!SYNTAX.test(color)) return undefined;
  const digits = color.slice(1);
  if (digits.length === 6) return color;
  // Three digits are the short form of six. Four and five have no meaning of their own and are filled up.
  return digits.length === 3 ? `#${[...digits].map((digit) => digit + digit).join('')}` : color.padEnd(7, '0');
}
