import type { Language } from '@annals/kernel/domain';
import { directionOf } from '@annals/languages';
import type { MailBlock, MailContent, MailQuote, UnsubscribeLink } from '../../domain/mail-draft';
import { oneLine } from '../../domain/mail-address';
import { LAYOUT_HTML } from './html';
import { LAYOUT_TEXT } from './source';

/** What the layout needs beside the content. */
export interface MailFrame {
  readonly language: Language;
  readonly organization: { readonly name: string; readonly url: string };
  readonly unsubscribe?: UnsubscribeLink | undefined;
}

/** The parts of a mail that people read. */
export interface RenderedMail {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

type Layout = (values: object) => string;
interface Layouts {
  readonly html: Layout;
  readonly text: Layout;
}

const HELPERS = { knownHelpersOnly: true, knownHelpers: { each: true, if: true, unless: true } } as const;

let compiled: Promise<Layouts> | null = null;

/** Handlebars is loaded and compiles once, with the first mail: an api needs neither. */
async function compile(): Promise<Layouts> {
  const { default: handlebars } = await import('handlebars');
  return {
    html: handlebars.compile(LAYOUT_HTML, HELPERS),
    text: handlebars.compile(LAYOUT_TEXT, { ...HELPERS, noEscape: true, ignoreStandalone: true }),
  };
}

/**
 * Makes both parts of a mail from its content. Every value is escaped in the HTML part.
 *
 * @throws Error for a link that is no web address
 */
export async function renderMail(content: MailContent, frame: MailFrame): Promise<RenderedMail> {
  const layouts = await (compiled ??= compile());
  const values = valuesOf(content, frame);
  return { subject: values.subject, html: layouts.html(values), text: layouts.text(values) };
}

function valuesOf({ subject, preview, blocks }: MailContent, { language, organization, unsubscribe }: MailFrame) {
  const direction = directionOf(language);
  return {
    language,
    direction,
    start: direction === 'rtl' ? 'right' : 'left',
    subject: oneLine(subject),
    preview: preview === undefined ? '' : oneLine(preview),
    blocks: blocks.map(blockValues),
    sentBy: organization.name,
    organizationUrl: webAddress(organization.url),
    ...(unsubscribe && { unsubscribe: { label: unsubscribe.label, url: webAddress(unsubscribe.url) } }),
  };
}

function blockValues(block: MailBlock): object {
  if ('text' in block) return { text: lines(block.text) };
  if ('small' in block) return { small: lines(block.small) };
  if ('list' in block) return { list: block.list.map((line) => ({ text: oneLine(line.text), ...urlOf(line) })) };
  if ('quote' in block) return { quote: quoteValues(block.quote) };
  if ('button' in block) return { button: oneLine(block.button), url: webAddress(block.url) };
  return { heading: oneLine(block.heading), ...urlOf(block) };
}

const quoteValues = ({ by, html, text }: MailQuote) => ({
  ...(by === undefined ? {} : { by: oneLine(by) }),
  html: html.html,
  lines: lines(text),
});

const lines = (text: string): string[] => text.split(/\r\n|[\r\n]/);

const urlOf = ({ url }: { readonly url?: string }) => (url === undefined ? {} : { url: webAddress(url) });

/** @throws Error for anything else, which would be a mistake of a composer */
function webAddress(url: string): string {
  const { protocol, href } = new URL(url);
  if (protocol !== 'https:' && protocol !== 'http:') throw new Error(`a mail cannot link to ${protocol}`);
  return href;
}
