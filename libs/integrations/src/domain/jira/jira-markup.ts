/** Longest name, address or code that is converted. A longer one is left as it is. */
const MOST = 2_000;

const QUOTE = new RegExp(`\\{quote\\}([^{}]{0,${MOST}})\\{quote\\}`, 'g');
const PLAIN_CODE = new RegExp(`\\{noformat\\}([^{}]{0,${MOST}})\\{noformat\\}`, 'g');
const CODE = new RegExp(`\\{code(?::[^{}\\n]{0,50})?\\}([^{}]{0,${MOST}})\\{code\\}`, 'g');
const BOLD = new RegExp(`\\*([^*\\n]{1,${MOST}})\\*`, 'g');
const MONOSPACED = new RegExp(`\\{\\{([^{}*\\n]{1,${MOST}})\\}\\}`, 'g');
const LINE_QUOTE = /^bq\. (.*)$/gm;
const NAMED_LINK = new RegExp(`\\[([^[\\]|~\\n]{1,${MOST}})\\|([^[\\]\\s]{1,${MOST}})\\]`, 'g');
const LINK = new RegExp(`\\[([^[\\]|~\\s]{1,${MOST}})\\](?!\\()`, 'g');
const PERSON = new RegExp(`\\[~([^[\\]\\n]{1,${MOST}})\\]`, 'g');

/** Converts the markup of Jira that comments contain most often. */
export const fromJiraMarkup = (text: string): string =>
  text
    .replace(BOLD, '**$1**')
    .replace(MONOSPACED, '`$1`')
    .replace(LINE_QUOTE, '> $1')
    .replace(QUOTE, '~~~ quote\n$1\n~~~')
    .replace(PLAIN_CODE, '~~~\n$1\n~~~')
    .replace(CODE, '~~~\n$1\n~~~')
    .replace(LINK, '[$1]($1)')
    .replace(NAMED_LINK, '[$1]($2)')
    .replace(PERSON, '**$1**');
