import mjml2html from 'mjml';
import { LAYOUT_MJML } from '../../libs/mail/src/application/layout/source';

/**
 * The file with the HTML of the layout of mails. Fonts of other servers would tell them who reads a mail, so there are
 * none.
 *
 * @throws Error when MJML finds a mistake
 */
export async function layoutFile(): Promise<string> {
  const { html, errors } = await mjml2html(LAYOUT_MJML, { fonts: {}, validationLevel: 'soft' });
  // A placeholder is no value that MJML knows.
  const [mistake] = errors.filter(({ message }) => !message.includes('{{'));
  if (mistake) throw new Error(mistake.formattedMessage);
  const lines = html.replace(/>\s+</g, '>\n<').split('\n');
  const text = lines
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join('\n');
  if (/[`\\]|\$\{/.test(text)) throw new Error('the layout has characters that the file cannot have');
  return `// Written by npm run mail-layout.

/** The layout of the HTML part of all mails, with placeholders of Handlebars. */
export const LAYOUT_HTML = \`${text}
\`;
`;
}
