import { readFile, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { simpleParser } from 'mailparser';
import type { ParsedMail } from 'mailparser';
import type { TestServer } from '../server/server';

/** The address that the worker of a test server knows. */
const NO_PORT = 'http://127.0.0.1:0';

/** A mail that a server sent, as a mail program reads it. */
export interface SentMail {
  readonly to: string;
  /** `"Name" <address>` */
  readonly from: string;
  readonly replyTo: string | null;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** The web addresses of the plain part, in their order. */
  readonly links: readonly string[];
  readonly messageId: string;
  /** A header that is one line, by its name in any letters. Null without it. */
  readonly header: (name: string) => string | null;
}

/** All mails that a server without a mail server has sent, the oldest first. What is due is sent before. */
export async function outboxOf(server: TestServer): Promise<readonly SentMail[]> {
  await server.mailsSent();
  const mails = await readOutbox(server.dataDir);
  // The worker was started before the api had a port.
  const right = (text: string) => text.replaceAll(`${NO_PORT}/`, `${server.url}/`);
  return mails.map(({ text, html, links, ...mail }) => ({
    ...mail,
    text: right(text),
    html: right(html),
    links: links.map(right),
  }));
}

/** All mails in the data folder of a server, the oldest first. */
export async function readOutbox(dataDir: string): Promise<readonly SentMail[]> {
  const folder = join(dataDir, 'mail');
  const names = await readdir(folder).catch(() => []);
  const files = names.filter((name) => name.endsWith('.eml')).map((name) => join(folder, name));
  const dated = await Promise.all(
    files.map(async (file) => ({ file, at: (await stat(file, { bigint: true })).mtimeNs })),
  );
  dated.sort((a, b) => (a.at < b.at ? -1 : 1));
  return Promise.all(dated.map(async ({ file }) => sentMail(await readFile(file))));
}

/** Reads a mail. */
export async function sentMail(raw: Buffer | string): Promise<SentMail> {
  const mail = await simpleParser(raw, { skipTextLinks: true, skipTextToHtml: true });
  const text = mail.text ?? '';
  return {
    to: addressesOf(mail.to),
    from: addressesOf(mail.from),
    replyTo: mail.replyTo ? addressesOf(mail.replyTo) : null,
    subject: mail.subject ?? '',
    text,
    html: mail.html === false ? '' : (mail.html ?? ''),
    links: text.match(/https?:\/\/\S+/g) ?? [],
    messageId: mail.messageId ?? '',
    header: (name) => lineOf(mail, name),
  };
}

function addressesOf(addresses: ParsedMail['to']): string {
  const all = addresses === undefined ? [] : Array.isArray(addresses) ? addresses : [addresses];
  return all.map(({ text }) => text).join(', ');
}

function lineOf(mail: ParsedMail, name: string): string | null {
  const found = mail.headerLines.find(({ key }) => key === name.toLowerCase());
  return found === undefined
    ? null
    : found.line
        .slice(found.line.indexOf(':') + 1)
        .replace(/\r?\n\s+/g, ' ')
        .trim();
}
