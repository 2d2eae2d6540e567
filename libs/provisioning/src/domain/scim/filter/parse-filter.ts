import { Rejected } from '@annals/kernel/domain';
import type { AttributePath } from '../attribute-path';
import { parseAttributePath, quotedStart } from '../attribute-path';
import { reject } from '../rejections';
import type { Comparison, Filter, Literal } from './filter';
import { COMPARISONS } from './filter';
import type { FilterToken } from './tokens';
import { tokensOf } from './tokens';

/** Longest filter, in UTF-16 units. */
export const MAX_FILTER = 4_000;
const MAX_DEPTH = 20;
const MAX_TERMS = 100;

const END: FilterToken = { kind: 'end', text: '' };
const NUMBER = /^-?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i;
const WORDS: ReadonlyMap<string, Literal> = new Map<string, Literal>([
  ['true', true],
  ['false', false],
  ['null', null],
]);

/**
 * Reads a filter (RFC 7644 section 3.4.2.2). `not` binds stronger than `and`, and `and` stronger than `or`. Operators have no
 * letter case.
 *
 * @throws Rejected INVALID_FILTER for what is no filter, or one that is too long or nested too deeply
 */
export function parseFilter(text: string): Filter {
  return refusingAsFilter(() => {
    const parser = new FilterParser(text);
    const filter = parser.disjunction();
    parser.end();
    return filter;
  });
}

/** A path of a PATCH operation: an attribute, or elements of a multi-valued one, with a part of them. */
export interface PatchPath {
  readonly path: AttributePath;
  /** Null: no brackets. */
  readonly condition: Filter | null;
}

/**
 * Reads `members[value eq "5"]` or `emails[type eq "work"].value` (RFC 7644 section 3.5.2).
 *
 * @throws Rejected INVALID_PATH
 */
export function parsePatchPath(text: string): PatchPath {
  try {
    const parser = new FilterParser(text);
    const found = parser.patchPath();
    parser.end();
    return found;
  } catch (error) {
    if (error instanceof Rejected) throw reject.path({ why: error.message });
    throw error;
  }
}

function refusingAsFilter<T>(parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    if (error instanceof Rejected) throw reject.filter({ why: error.message });
    throw error;
  }
}

class FilterParser {
  private readonly tokens: readonly FilterToken[];
  private at = 0;
  private depth = 0;
  private terms = 0;
  private isWithinElement = false;

  constructor(text: string) {
    if (text.length > MAX_FILTER) throw reject.filter({ why: `A filter has at most ${MAX_FILTER} characters.` });
    this.tokens = tokensOf(text);
  }

  end(): void {
    if (this.peek().kind !== 'end') throw this.unexpected();
  }

  disjunction(): Filter {
    return this.chain('or', () => this.chain('and', () => this.term()));
  }

  patchPath(): PatchPath {
    const path = this.attribute();
    if (!this.takes('[')) return { path, condition: null };
    const condition = this.elementCondition();
    const sub = this.subAfterBracket();
    if (path.sub !== null) throw reject.path({ why: 'Only attributes have elements.' });
    return { path: { ...path, sub }, condition };
  }

  private chain(kind: 'and' | 'or', next: () => Filter): Filter {
    const terms = [next()];
    while (this.takesWord(kind)) terms.push(next());
    const [only] = terms;
    return terms.length === 1 && only ? only : { kind, terms };
  }

  private term(): Filter {
    this.terms += 1;
    if (this.terms > MAX_TERMS) throw reject.filter({ why: `A filter has at most ${MAX_TERMS} conditions.` });
    if (this.takes('(')) return this.group();
    if (this.isBracket(1, '(') && this.takesWord('not') && this.takes('(')) return { kind: 'not', term: this.group() };
    const path = this.attribute();
    return this.takes('[') ? this.element(path) : this.condition(path);
  }

  private group(): Filter {
    return this.nested(')', () => this.disjunction());
  }

  /** `emails[type eq "work"]`, which may go on with `.value eq "…"`: one element meets both conditions. */
  private element(path: AttributePath): Filter {
    const condition = this.elementCondition();
    const sub = this.subAfterBracket();
    if (sub === null) return { kind: 'element', path, condition };
    const more = this.condition({ schema: null, attribute: sub, sub: null });
    return { kind: 'element', path, condition: { kind: 'and', terms: [condition, more] } };
  }

  private elementCondition(): Filter {
    if (this.isWithinElement) throw reject.filter({ why: 'Brackets [ ] cannot be within brackets [ ].' });
    this.isWithinElement = true;
    const condition = this.nested(']', () => this.disjunction());
    this.isWithinElement = false;
    return condition;
  }

  private nested(close: ')' | ']', read: () => Filter): Filter {
    this.depth += 1;
    if (this.depth > MAX_DEPTH) throw reject.filter({ why: 'The filter is nested too deeply.' });
    const filter = read();
    if (!this.takes(close)) throw this.unexpected();
    this.depth -= 1;
    return filter;
  }

  private subAfterBracket(): string | null {
    const { kind, text } = this.peek();
    if (kind !== 'word' || !text.startsWith('.')) return null;
    this.at += 1;
    const { schema, attribute, sub } = parseAttributePath(text.slice(1));
    if (schema !== null || sub !== null) throw reject.filter({ why: `${quotedStart(text)} is no part of an element.` });
    return attribute;
  }

  private condition(path: AttributePath): Filter {
    const { kind, text } = this.next();
    const operator = text.toLowerCase();
    if (kind === 'word' && operator === 'pr') return { kind: 'present', path };
    if (kind !== 'word' || !isComparison(operator))
      throw reject.filter({ why: `${quotedStart(text)} in the filter is no operator.` });
    return { kind: 'compare', path, operator, value: this.literal() };
  }

  private attribute(): AttributePath {
    const { kind, text } = this.next();
    if (kind !== 'word')
      throw reject.filter({ why: `The name of an attribute is missing before ${quotedStart(text)}.` });
    return parseAttributePath(text);
  }

  private literal(): Literal {
    const { kind, text } = this.next();
    if (kind === 'string') return text;
    if (kind === 'word' && NUMBER.test(text)) return Number(text);
    const value = kind === 'word' ? WORDS.get(text.toLowerCase()) : undefined;
    if (value === undefined) throw reject.filter({ why: `${quotedStart(text)} in the filter is no value.` });
    return value;
  }

  private peek(ahead = 0): FilterToken {
    return this.tokens[this.at + ahead] ?? END;
  }

  private next(): FilterToken {
    const token = this.peek();
    this.at += 1;
    return token;
  }

  private isBracket(ahead: number, bracket: string): boolean {
    const { kind, text } = this.peek(ahead);
    return kind === 'bracket' && text === bracket;
  }

  private takes(bracket: string): boolean {
    if (!this.isBracket(0, bracket)) return false;
    this.at += 1;
    return true;
  }

  private takesWord(word: string): boolean {
    const found = this.peek();
    if (found.kind !== 'word' || found.text.toLowerCase() !== word) return false;
    this.at += 1;
    return true;
  }

  private unexpected() {
    const { kind, text } = this.peek();
    return reject.filter({ why: kind === 'end' ? 'The filter is not complete.' : `Unexpected ${quotedStart(text)}.` });
  }
}

const isComparison = (text: string): text is Comparison => COMPARISONS.some((one) => one === text);
