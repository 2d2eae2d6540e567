import type { ParsedMail, SimpleParserOptions } from 'mailparser';
import { refuse } from '../../domain/refused-mail';

/** A mail of the largest size has fewer lines, delimiters of parts, and parts, unless it is written to keep a server busy. */
const MOST_LINES = 1_500_000;
const MOST_DELIMITERS = 100_000;
const MOST_PARTS = 100;
/** Bytes of the head of a mail or of a part of it. */
const LONGEST_HEAD = 64 * 1024;

const OPTIONS: SimpleParserOptions = {
  skipHtmlToText: true,
  skipTextToHtml: true,
  skipTextLinks: true,
  keepCidLinks: true,
  keepDeliveryStatus: true,
  checksumAlgo: false,
  maxChildNodes: MOST_PARTS,
  maxHeadSize: LONGEST_HEAD,
};

/**
 * Reads a mail. The parser is loaded with the first one: an api needs the addresses only.
 *
 * @throws RefusedMail for one that no later attempt could read either
 */
export async function parsedMail(raw: Buffer): Promise<ParsedMail> {
  if (hasMoreThan(MOST_LINES, '\n', raw) || hasMoreThan(MOST_DELIMITERS, '\n--', raw)) throw refuse.unreadable();
  const { simpleParser } = await import('mailparser');
  try {
    return await simpleParser(raw, OPTIONS);
  } catch {
    throw refuse.unreadable();
  }
}

function hasMoreThan(most: number, sign: string, raw: Buffer): boolean {
  let count = 0;
  for (let at = raw.indexOf(sign); at >= 0 && count <= most; at = raw.indexOf(sign, at + sign.length)) count += 1;
  return count > most;
}
