/** For the specifications: reads HTML by a grammar far stricter than any browser's. */

const TAG = /<(\/?)([a-z][a-z0-9]*)((?: [a-z-]+="[^"<>]*"| controls)*)>/g;
const VOID = new Set(['br', 'hr', 'img']);
const TAGS =
  /^(?:p|br|hr|h[1-6]|[uo]l|li|blockquote|pre|div|table|thead|tbody|t[rhd]|a|audio|code|del|em|img|video|span|strong|time|math|semantics|mtext|annotation)$/;
const ATTRIBUTES =
  /^(?:class|href|preload|src|alt|title|start|datetime|style|role|xmlns|display|encoding|aria-label|aria-hidden|data-(?:user-id|user-group-id|stream-id|code-language|original-src))$/;
const CLASSES =
  /^(?:user-mention|user-group-mention|topic-mention|channel-wildcard-mention|silent|emoji|emoji-[\da-f]+(?:-[\da-f]+)*|katex(?:-display|-mathml|-html)?|stream|stream-topic|message-link|codehilite|message_inline_(?:image|video)|spoiler-(?:block|header|content)|inline-image)$/;
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

function attributeDangers(key: string, value: string): string[] {
  if (!ATTRIBUTES.test(key)) return [`attribute ${key}`];
  switch (key) {
    case 'style':
      return /^text-align: (?:left|center|right);$/.test(value) ? [] : [`style ${value}`];
    case 'class':
      return value.split(' ').flatMap((name) => (CLASSES.test(name) ? [] : [`class ${name}`]));
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
  const rest = html.replace(TAG, (_tag: string, slash: string, name: string, attributes: string) => {
    if (!TAGS.test(name)) found.push(`element ${name}`);
    if (slash === '' && !VOID.has(name)) open.push(name);
    if (slash !== '' && open.pop() !== name) found.push(`stray end of ${name}`);
    for (const [, key = '', value = ''] of attributes.matchAll(/ ([a-z-]+)="([^"]*)"/g)) {
      found.push(...attributeDangers(key, value));
    }
    return '';
  });
  if (/[<>]/.test(rest)) found.push(`stray bracket in ${rest}`);
  if (open.length > 0) found.push(`open ${open.join(' ')}`);
  return found;
}
