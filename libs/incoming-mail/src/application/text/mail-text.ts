import type { ParsedMail } from 'mailparser';
import type { AddressOptions } from '../address-parts';
import { cleanText } from '../../domain/clean-text';
import { fragmentsOf } from './mail-fragments';
import { markdownOf } from './html-markdown';

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
  const text = isPlainBetter || html === '' ? plain : markdownOf(html);
  return visible(cleanText(text.slice(0, LONGEST)), options);
}

async function visible(text: string, { keepsFooter, keepsQuotes }: MailTextOptions): Promise<string> {
  if (keepsFooter && keepsQuotes) return text.trim();
  return (await fragmentsOf(text))
    .filter(
      ({ kind }) => kind === 'written' || (kind === 'quote' && keepsQuotes) || (kind === 'signature' && keepsFooter),
    )
    .map(({ lines }) => lines.join('\n'))
    .join('\n')
    .trim();
}
