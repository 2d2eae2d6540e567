import { LRUCache } from 'lru-cache';
import { RE2JS, RE2JSException } from 're2js';
import { parseTemplate } from 'url-template';
import { isAllowedLink } from '../links/links';
import type { LinkedPart } from '../names';
import { namedGroups } from './pattern';

/** A rule of an organization: texts that match the pattern are links. */
export interface Linkifier {
  /** A regular expression in the syntax of RE2. */
  readonly pattern: string;
  /** RFC 6570, with the named groups of the pattern as variables. */
  readonly urlTemplate: string;
}

/** A part that a linkifier found. */
export interface FoundPart extends LinkedPart {
  /** The rank of the linkifier among all of them. */
  readonly rank: number;
}

/** Longest URL of a linkifier, in UTF-16 units. What would have a longer one is no link. */
const MAX_URL = 2_000;
/**
 * A pattern is matched against pieces of a text of at most this length, in which a match begins in the first half. So a
 * match costs the same in a long line as in a short one, and what is longer than half a piece is no link.
 */
const PIECE = 600;
const HALF = PIECE / 2;

/** The steps that linkifiers may still do for one text. */
export class LinkifierWork {
  constructor(private left: number) {}

  /** @returns false if there are not that many left */
  spend(steps: number): boolean {
    if (steps > this.left) return false;
    this.left -= steps;
    return true;
  }
}

/**
 * A match begins after white space, an opening bracket, a quotation mark, a comma, a colon or `<`, and no letter or digit
 * follows it. RE2 has neither `\p{White_Space}` nor conditions about what is around a match.
 */
const BEFORE = '[\\s\\x{85}\\pZ\'"(,:<]';
const AFTER = '[^\\pL\\pN]';
/** The group of the match itself. */
const MATCH = 2;

/** A compiled linkifier. */
class CompiledLinkifier {
  private readonly cost: number;
  /** Finds matches at the beginning of a line too. */
  private readonly first: RE2JS;
  private readonly later: RE2JS;
  private readonly template: ReturnType<typeof parseTemplate>;

  constructor({ pattern, urlTemplate }: Linkifier) {
    this.first = RE2JS.compile(`(^|${BEFORE})(${pattern})($|${AFTER})`);
    this.later = RE2JS.compile(`(${BEFORE})(${pattern})($|${AFTER})`);
    this.cost = this.first.programSize();
    this.template = parseTemplate(urlTemplate);
  }

  /** @param begins whether the text begins a line */
  *find(text: string, begins: boolean, work: LinkifierWork): Generator<LinkedPart> {
    // Most linkifiers match nothing in a long text. Asking only that costs less than looking at each piece.
    if (text.length > PIECE) {
      if (!work.spend(this.cost * text.length) || !(begins ? this.first : this.later).test(text)) return;
    }
    for (let from = 0; from < text.length;) {
      const piece = text.slice(from, from + PIECE);
      if (!work.spend(this.cost * piece.length)) return;
      const continues = from + PIECE < text.length;
      const found = this.match(from === 0 && begins ? this.first : this.later, piece, continues);
      if (found) {
        const { begin, end, url } = found;
        if (url !== undefined) yield { begin: from + begin, end: from + end, url };
        from += Math.max(end, begin + 1);
      } else if (continues) from += HALF - 1;
      else return;
    }
  }

  /**
   * The first match that begins in the first half of a piece. Without a URL it is no link.
   *
   * @param continues whether more text follows the piece
   */
  private match(
    regex: RE2JS,
    piece: string,
    continues: boolean,
  ): { readonly begin: number; readonly end: number; readonly url?: string } | undefined {
    const matcher = regex.matcher(piece);
    if (!matcher.find()) return undefined;
    const [begin, end] = [matcher.start(MATCH), matcher.end(MATCH)];
    if (continues && begin >= HALF) return undefined;
    if (end <= begin || end - begin > HALF) return { begin, end: begin };
    const url = this.template.expand(namedGroups(regex, matcher));
    return url.length <= MAX_URL && isAllowedLink(url) ? { begin, end, url } : { begin, end };
  }
}

/** Compiled linkifiers by their texts; null for one that this version of the engine does not accept. */
const compiled = new LRUCache<string, { readonly linkifier: CompiledLinkifier | null }>({ max: 2_000 });

function compiledOf(linkifier: Linkifier): CompiledLinkifier | null {
  const key = JSON.stringify([linkifier.pattern, linkifier.urlTemplate]);
  const known = compiled.get(key);
  if (known) return known.linkifier;
  const made = { linkifier: compile(linkifier) };
  compiled.set(key, made);
  return made.linkifier;
}

function compile(linkifier: Linkifier): CompiledLinkifier | null {
  try {
    return new CompiledLinkifier(linkifier);
  } catch (error) {
    if (error instanceof RE2JSException) return null;
    throw error;
  }
}

/** The linkifiers of an organization in their order. Where two match overlapping texts, the first one makes the link. */
export class LinkifierSet {
  private readonly linkifiers: readonly (CompiledLinkifier | null)[];

  constructor(linkifiers: readonly Linkifier[]) {
    this.linkifiers = linkifiers.map(compiledOf);
  }

  get isEmpty(): boolean {
    return this.linkifiers.length === 0;
  }

  /**
   * The links in a text, in the order of the text.
   *
   * @param begins whether the text begins a line: after an emphasized word, for example, it does not
   */
  find(text: string, begins: boolean, work: LinkifierWork): FoundPart[] {
    const taken = new TakenCharacters(text.length);
    const found: FoundPart[] = [];
    for (const [rank, linkifier] of this.linkifiers.entries()) {
      for (const part of linkifier?.find(text, begins, work) ?? []) {
        if (taken.take(part)) found.push({ ...part, rank });
      }
    }
    return found.sort((a, b) => a.begin - b.begin);
  }
}

/** No linkifiers. */
export const NO_LINKIFIERS = new LinkifierSet([]);

/** The characters of a text that are in a link. */
export class TakenCharacters {
  private readonly characters: Uint8Array;

  constructor(length: number) {
    this.characters = new Uint8Array(length);
  }

  /** @returns false if one of the characters was taken before */
  take({ begin, end }: Pick<LinkedPart, 'begin' | 'end'>): boolean {
    if (this.characters.subarray(begin, end).includes(1)) return false;
    this.characters.fill(1, begin, end);
    return true;
  }
}
