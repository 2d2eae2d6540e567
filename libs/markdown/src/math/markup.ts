/** The grammar of what KaTeX writes. It is far stricter than HTML: what does not fit is not shown. */
const TAG = /<(\/?)([a-z]+)((?: [a-zA-Z\d-]+ ?="[^"<>]*")*)(\/?)>|[<>]/g;
const ATTRIBUTE = / ([a-zA-Z\d-]+) ?="([^"]*)"/g;

const ELEMENTS: ReadonlySet<string> = new Set(
  (
    'span svg path line math semantics annotation mrow mi mo mn ms mtext mspace msup msub msubsup mfrac msqrt mroot ' +
    'mover munder munderover mtable mtr mtd mlabeledtr mpadded mphantom menclose mstyle'
  ).split(' '),
);

/** Elements that close themselves. */
const EMPTY: ReadonlySet<string> = new Set(['path', 'line', 'mspace']);

/** Words of attributes whose values are words, numbers and lengths. */
const PLAIN_ATTRIBUTES: ReadonlySet<string> = new Set(
  (
    'aria-hidden accent accentunder columnalign columnlines columnspacing depth display displaystyle encoding fence form ' +
    'height largeop linebreak linethickness lspace mathbackground mathcolor mathsize mathvariant maxsize minsize movablelimits notation preserveAspectRatio ' +
    'rowlines rowspacing rspace scriptlevel separator side stretchy symmetric viewBox voffset width x1 x2 y1 y2 stroke-width'
  ).split(' '),
);
const PLAIN_VALUE = /^[\w #%.,+/-]*$/;
const PATH = /^[MLHVCSQTAZmlhvcsqtaz\d\s,.-]*$/;
const CLASSES = /^[\w -]*$/;
const NAMESPACES: ReadonlySet<string> = new Set(['http://www.w3.org/1998/Math/MathML', 'http://www.w3.org/2000/svg']);

const LENGTH = String.raw`-?\d{0,2}(?:\.\d+)?(?:em|px|pt)?`;
const COLOR = '#?[a-zA-Z0-9]{1,20}';
/** Lengths are below 100 em: a formula does not cover what is far away from it. */
const STYLE = new RegExp(
  `(?:${[
    `(?:height|width|min-width|top|bottom|left|vertical-align|(?:margin|padding)(?:-(?:left|right|top|bottom))?):${LENGTH}`,
    `margin:0 ${LENGTH}`,
    `border(?:-(?:top|bottom|left|right))?-width:${LENGTH}`,
    `border: ${LENGTH} solid ${COLOR}`,
    String.raw`width:calc\(100% - \d\.\d+em\)`,
    'width:100%',
    `(?:color|background-color|border-color):${COLOR}`,
    'border(?:-(?:top|bottom|left|right))?-style:(?:solid|dashed)',
    'position:relative',
    String.raw`text-shadow: ?0\.02em 0\.01em 0\.04px`,
  ].join('|')})(?:;|$)`,
  'y',
);

function isStyle(value: string): boolean {
  STYLE.lastIndex = 0;
  while (STYLE.lastIndex < value.length) if (!STYLE.test(value)) return false;
  return true;
}

function isAllowed(key: string, value: string): boolean {
  switch (key) {
    case 'class':
      return CLASSES.test(value);
    case 'style':
      return isStyle(value);
    case 'd':
      return PATH.test(value);
    case 'xmlns':
      return NAMESPACES.has(value);
    default:
      return PLAIN_ATTRIBUTES.has(key) && PLAIN_VALUE.test(value);
  }
}

/**
 * Whether HTML consists only of elements, attributes and styles of formulas, each closed in its place. Text in it is
 * escaped.
 */
export function isFormulaMarkup(html: string): boolean {
  const open: string[] = [];
  for (const [, slash, name, attributes = '', end] of html.matchAll(TAG)) {
    if (name === undefined || !ELEMENTS.has(name)) return false;
    if (slash === '/') {
      if (open.pop() !== name || attributes !== '' || end !== '') return false;
      continue;
    }
    if (end === '') open.push(name);
    else if (!EMPTY.has(name)) return false;
    for (const [, key = '', value = ''] of attributes.matchAll(ATTRIBUTE)) if (!isAllowed(key, value)) return false;
  }
  return open.length === 0;
}
