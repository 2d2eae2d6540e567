import { escapeHtml, openTag } from '../html';
import type { InlineState, Parser } from '../html';
import { momentInWords } from './times-in-words';

const GLOBAL_TIME = /<time:([^<>\n]{1,60})>/y;
const ISO_8601 = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?) ?(Z|[+-]\d{2}:?\d{2})?)?$/i;
const UNIX_SECONDS = /^\d{1,11}$/;

/** The moment in UTC to the second (`2017-06-05T22:30:00Z`), or undefined. Without an offset the text means UTC. */
function moment(written: string): string | undefined {
  const iso = ISO_8601.exec(written);
  const offset = iso?.[3]?.toUpperCase().replace(/^([+-]\d\d)(\d\d)$/, '$1:$2') ?? 'Z';
  const milliseconds = UNIX_SECONDS.test(written)
    ? Number(written) * 1000
    : iso
      ? Date.parse(`${iso[1]}T${iso[2] ?? '00:00'}${offset}`)
      : momentInWords(written);
  const time = new Date(milliseconds);
  if (Number.isNaN(milliseconds) || time.getUTCFullYear() > 9999 || time.getUTCFullYear() < 1) return undefined;
  return time.toISOString().replace(/\.\d+Z$/, 'Z');
}

function globalTimeRule(state: InlineState, silent: boolean): boolean {
  if (state.src.charCodeAt(state.pos) !== 0x3c) return false;
  GLOBAL_TIME.lastIndex = state.pos;
  const match = GLOBAL_TIME.exec(state.src);
  const written = match?.[1];
  if (!match || written === undefined || state.pos + match[0].length > state.posMax) return false;
  const datetime = moment(written.trim());
  if (datetime === undefined) return false;
  if (!silent)
    state.push('global_time', '', 0).content = `${openTag('time', { datetime })}${escapeHtml(written)}</time>`;
  state.pos += match[0].length;
  return true;
}

/** `<time:2026-11-20T09:30:00+01:00>`, and dates in words. An invalid time remains as written (feature level 451). */
export function globalTimes(md: Parser): void {
  md.inline.ruler.before('autolink', 'global_time', globalTimeRule);
  md.renderer.rules['global_time'] = (tokens, index) => tokens[index]?.content ?? '';
}
