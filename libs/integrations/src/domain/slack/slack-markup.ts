/** Longest text between two marks that is converted. A longer one is left as it is. */
const MOST = 2_000;
/** A mark begins after white space, punctuation or the start of a line, and ends before one of these. */
const BEFORE = '(^|[\\s\\p{P}\\p{S}])';
const AFTER = '(?=$|[\\s\\p{P}\\p{S}])';

const marked = (mark: string): RegExp =>
  new RegExp(`${BEFORE}[${mark}](?![\\s${mark}])([^${mark}\\n]{1,${MOST}})(?<!\\s)[${mark}]${AFTER}`, 'gmu');

const BOLD = marked('*');
const STRUCK = marked('~');
const ITALIC = marked('_');
const NAMED_LINK = new RegExp(`<(https?://[^<>|\\s]{1,${MOST}})\\|([^<>\\n]{1,${MOST}})>`, 'g');
const LINK = new RegExp(`<(https?://[^<>|\\s]{1,${MOST}})>`, 'g');
const EMAIL = /<(mailto:[^<>|\s]{1,300})(?:\|[^<>\n]{0,300})?>/g;

/** Converts links, bold, struck and italic text of Slack. */
export const fromSlackMarkup = (text: string): string =>
  text
    .replace(NAMED_LINK, '[$2]($1)')
    .replace(LINK, '$1')
    .replace(EMAIL, '$1')
    .replace(BOLD, '$1**$2**')
    .replace(STRUCK, '$1~~$2~~')
    .replace(ITALIC, '$1*$2*');
