/** For the specifications: reads HTML by a grammar far stricter than any browser's. */

import { CLASSES as CODE_CLASSES } from '../code/classes';

const TAG = /<(\/?)([a-z][a-z0-9]*)((?: [a-zA-Z\d-]+ ?="[^"<>]*"| controls)*)(\/?)>/g;
const VOID = new Set(['br', 'hr', 'img']);
const TAGS =
  /^(?:p|br|hr|h[1-6]|[uo]l|li|blockquote|pre|div|table|thead|tbody|t[rhd]|a|audio|code|del|em|img|video|span|strong|time)$/;
const ATTRIBUTES =
  /^(?:class|href|preload|src|alt|title|start|datetime|style|role|aria-label|aria-hidden|data-(?:user-id|user-group-id|stream-id|code-language|original-src))$/;
const CLASSES =
  /^(?:user-mention|user-group-mention|topic-mention|channel-wildcard-mention|silent|emoji|emoji-[\da-f]+(?:-[\da-f]+)*|katex(?:-display)?|tex-error|stream|stream-topic|message-link|codehilite|message_inline_(?:image|video)|spoiler-(?:block|header|content)|inline-image)$/;
/** Elements of formulas, which load nothing and link nowhere. */
const FORMULA_TAGS = /^(?:span|math|semantics|annotation|svg|path|line|m[a-z]+)$/;
const FORMULA_ATTRIBUTES =
  /^(?:class|style|aria-hidden|xmlns|d|viewBox|preserveAspectRatio|width|height|[xy][12]|stroke-width|[a-z]*(?:space|spacing|size|align|lines|style|level|color|background|variant|accent|accentunder|separator|fence|stretchy|thickness|limits|offset|notation|side|depth|form|op|break|symmetric|encoding|display))$/;
const FORMULA_STYLE = /^(?:(?!position:(?!relative))[a-z-]+:[#\w .%-]*(?:calc\([\d%em .-]+\))?;)*$/;
const LINK = /^(?:(?:https?|ftp|mailto|tel|sms):|[/#?]|[^:]*$|[^:/?#]*[/?#])/i;

/** An attribute with a URL as a browser reads it: entities decoded, then without ignored characters. */
function urlOf(value: string): string {
  const decoded = value
    .replace(/&#x([\da-f]+);?/gi, (_, code: string) => String.fromCodePoint(Number.parseInt(code, 16)))
    .replace(/&#(\d+);?/g, (_, code: string) => String.fromCodePoint(Number(code)))
    .replaceAll('&colon;', ':')
    .replaceAll('&Tab;', '\t')
    .replaceAll('&NewLine;', '\n')
    .replaceAll('&amp;', '&');
  return decoded.replace(/^[\0-\x20]+|[\t\n\r]/g, '');
}

function formulaDangers(key: string, value: string): string[] {
  if (!FORMULA_ATTRIBUTES.test(key)) return [`attribute ${key} of a formula`];
  if (key === 'style') return FORMULA_STYLE.test(value) ? [] : [`style ${value}`];
  if (key === 'xmlns')
    return /^http:\/\/www\.w3\.org\/(?:1998\/Math\/MathML|2000\/svg)$/.test(value) ? [] : [`xmlns ${value}`];
  return /[:;&\\]|url|script/.test(value) ? [`${key} ${value}`] : [];
}

function attributeDangers(key: string, value: string): string[] {
  if (!ATTRIBUTES.test(key)) return [`attribute ${key}`];
  switch (key) {
    case 'style':
      return /^text-align: (?:left|center|right);$/.test(value) ? [] : [`style ${value}`];
    case 'class':
      return value
        .split(' ')
        .flatMap((name) => (CLASSES.test(name) || CODE_CLASSES.has(name) ? [] : [`class ${name}`]));
    case 'src':
      return /^\/(?![/\\])/.test(urlOf(value)) ? [] : [`media from ${value}`];
    case 'href':
      return LINK.test(urlOf(value)) && !/^[/\\]{2}/.test(urlOf(value)) ? [] : [`link to ${value}`];
    default:
      return [];
  }
}

/**
 * The violations in the HTML: foreign elements, attributes, classes, styles and URLs, and elements that are not closed.
 */
export function unsafeParts(html: string): string[] {
  const found: string[] = [];
  const open: string[] = [];
  /** Number of elements around the formula. */
  let formula = Infinity;
  const rest = html.replace(TAG, (_tag: string, slash: string, name: string, attributes: string, end: string) => {
    if (open.length <= formula && slash === '') formula = attributes === ' class="katex"' ? open.length : Infinity;
    const isFormula = open.length > formula;
    if (!(isFormula ? FORMULA_TAGS : TAGS).test(name)) found.push(`element ${name}`);
    if (end !== '' && !isFormula) found.push(`end of ${name}`);
    if (slash === '' && end === '' && !VOID.has(name)) open.push(name);
    if (slash !== '' && open.pop() !== name) found.push(`stray end of ${name}`);
    for (const [, key = '', value = ''] of attributes.matchAll(/ ([a-zA-Z\d-]+) ?="([^"]*)"/g)) {
      found.push(...(isFormula ? formulaDangers : attributeDangers)(key, value));
    }
    return '';
  });
  if (/[<>]/.test(rest)) found.push(`stray bracket in ${rest}`);
  if (open.length > 0) found.push(`open ${open.join(' ')}`);
  return found;
}
