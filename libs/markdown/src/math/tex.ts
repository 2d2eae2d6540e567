import katex from 'katex';
import type { KatexOptions } from 'katex';
import { isFormulaMarkup } from './markup';

/** Code units of one formula. A longer one is shown as its source. */
const MAX_SOURCE = 1_000;
/** What the formulas of a text may cost, in code units. Further ones are shown as their source. */
const MAX_COST_OF_TEXT = 4_000;
/** What a formula costs beside its code units. */
const COST_OF_FORMULA = 10;
/** Code units of the HTML of all formulas of a text. */
const MAX_HTML_OF_TEXT = 400_000;
/** Lookups of names while a formula is expanded. Each token of the expanded formula is one. */
const MAX_LOOKUPS = 4_000;
/** Expansions of a formula. With definitions of its own, each may be as long as the formula. */
const MAX_EXPANSIONS = 500;
const MAX_EXPANSIONS_OF_OWN = 50;
const DEFINES = /\\(?:[egx]?def|let|futurelet|(?:re)?newcommand|providecommand)/;
/** Braces and environments inside each other. */
const MAX_DEPTH = 100;

/** What the formulas of a text have used up. */
export interface MathBudget {
  cost: number;
  html: number;
}

export const newMathBudget = (): MathBudget => ({ cost: 0, html: 0 });

/** HTML of a formula, `error` if it is not TeX, and `large` if typesetting it would cost too much. */
export type Typeset = { readonly html: string } | 'error' | 'large';

class TooLarge extends Error {}

/**
 * The definitions of one formula, which count every lookup: KaTeX has a limit for the number of expansions, but not for
 * their length.
 */
function countedDefinitions(): Record<string, string> {
  let lookups = 0;
  return new Proxy(
    {},
    {
      getOwnPropertyDescriptor(definitions, name) {
        if (++lookups > MAX_LOOKUPS) throw new TooLarge();
        return Reflect.getOwnPropertyDescriptor(definitions, name);
      },
    },
  );
}

/** Without links, pictures, foreign markup and warnings; sizes in em. */
const settings = (source: string, displayMode: boolean): KatexOptions => ({
  displayMode,
  macros: countedDefinitions(),
  maxExpand: DEFINES.test(source) ? MAX_EXPANSIONS_OF_OWN : MAX_EXPANSIONS,
  maxSize: 50,
  strict: 'ignore',
  trust: false,
  throwOnError: true,
});

function depthOf(source: string): number {
  let [depth, deepest] = [0, 0];
  for (const [sign] of source.matchAll(/\\(?:left|begin|right|end)(?![a-zA-Z])|\\.|[{}]/gs)) {
    if (/^(?:\{|\\left|\\begin)$/.test(sign)) deepest = Math.max(deepest, ++depth);
    else if (/^(?:\}|\\right|\\end)$/.test(sign)) depth -= 1;
  }
  return deepest;
}

/** A formula in TeX as MathML and HTML. The same formulas in the same order give the same results. */
export function typeset(source: string, display: 'block' | 'inline', budget: MathBudget): Typeset {
  const cost = source.length + COST_OF_FORMULA;
  if (source.length > MAX_SOURCE || budget.cost + cost > MAX_COST_OF_TEXT) return 'large';
  if (budget.html > MAX_HTML_OF_TEXT || depthOf(source) > MAX_DEPTH) return 'large';
  budget.cost += cost;
  const result = rendered(source, display === 'block');
  // It cost as much as a formula can.
  if (result === 'large') budget.cost += MAX_SOURCE;
  if (typeof result === 'string') return result;
  budget.html += result.html.length;
  return budget.html > MAX_HTML_OF_TEXT ? 'large' : result;
}

/** KaTeX writes to the console, for example what `\\message` says. What users write is in no log. */
function silently<Result>(work: () => Result): Result {
  const { error, log, warn } = console;
  console.error = console.log = console.warn = () => undefined;
  try {
    return work();
  } finally {
    Object.assign(console, { error, log, warn });
  }
}

function rendered(source: string, displayMode: boolean): Typeset {
  try {
    const html = silently(() => katex.renderToString(source, settings(source, displayMode)));
    return isFormulaMarkup(html) ? { html } : 'error';
  } catch (error) {
    if (error instanceof TooLarge || error instanceof RangeError) return 'large';
    if (!(error instanceof katex.ParseError)) throw error;
    return error.message.includes('Too many expansions') ? 'large' : 'error';
  }
}
