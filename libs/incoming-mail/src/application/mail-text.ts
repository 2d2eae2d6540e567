import type { ParsedMail } from 'mailparser';
import type { AddressOptions } from '../domain/address-parts';

/** Which parts of a text remain. */
export type MailTextOptions = Pick<AddressOptions, 'keepsFooter' | 'keepsQuotes' | 'prefersHtml'>;

/** A text of more characters is cut before it is parsed: messages are far shorter. */
const LONGEST = 200_000;

/**
 * What a person wrote in a mail, as Markdown: of the plain part if it has one. Quoted mails and signatures are cut. Empty if
 * nothing remains.
 */
export async function textOf(mail: Pick<ParsedMail, 'html' | 'text'>, options: MailTextOptions): Promise<string> {
  const plain = mail.text?.trim() ?? '';
  const html = mail.html === false ? '' : (mail.html ?? '').slice(0, LONGEST);
  const isPlainBetter = plain !== '' && !(options.prefersHtml && html !== '');
  const text = isPlainBetter || html === '' ? plain : await markdownOf(html);
  return visible(text.slice(0, LONGEST), options);
}

/** Turndown is loaded with the first mail that has no plain part. It writes Markdown, so no HTML gets into a message. */
async function markdownOf(html: string): Promise<string> {
  const { default: Turndown } = await import('turndown');
  const converter = new Turndown({ headingStyle: 'atx', codeBlockStyle: 'fenced', bulletListMarker: '-' });
  converter.remove(['style', 'script', 'title', 'head']);
  // A picture of another server would tell it who reads the message.
  converter.addRule('pictures', { filter: 'img', replacement: () => '' });
  return converter.turndown(html);
}

async function visible(text: string, { keepsFooter, keepsQuotes }: MailTextOptions): Promise<string> {
  if (keepsFooter && keepsQuotes) return text.trim();
  const { default: Parser } = await import('email-reply-parser');
  const kept = new Parser()
    .read(text)
    .getFragments()
    .filter((part) =>
      part.isQuoted() ? keepsQuotes : part.isSignature() ? keepsFooter : !part.isHidden() || part.isEmpty(),
    );
  return kept
    .map((part) => part.getContent())
    .join('\n')
    .trim();
}
