import { escapeHtml, mayBeginName, openTag, runOf } from '../html';
import type { CoreState, InlineState, Parser, Token } from '../html';
import type { NameLookup, UserReference } from '../names';

/** The mentions of a text, as determined when it was parsed. A silent mention notifies nobody. */
export type Mention = { silent: boolean; text: string } & (
  { kind: 'user'; id: number } | { kind: 'group'; id: number } | { kind: 'channel' } | { kind: 'topic' }
);

/** A mention as it is written, before its name was looked up. */
export interface MentionSyntax {
  length: number;
  silent: boolean;
  target: UserReference | { group: string };
}

const USER = /@(_?)\*\*([^*\r\n`]{1,200})\*\*/y;
const GROUP = /@(_?)\*([^*\r\n`]{1,200})\*/y;
const NAME_AND_ID = /^(.*)\|(\d{1,15})$/;
const CHANNEL_WILDCARDS = new Set(['all', 'everyone', 'channel', 'stream']);

/** Reads the mention that begins at `position`, whether or not such a user or group exists. */
export function readMention(text: string, position: number): MentionSyntax | undefined {
  USER.lastIndex = GROUP.lastIndex = position;
  const user = USER.exec(text);
  if (user) return { length: user[0].length, silent: user[1] === '_', target: readUser(user[2] ?? '') };
  const group = GROUP.exec(text);
  return group ? { length: group[0].length, silent: group[1] === '_', target: { group: group[2] ?? '' } } : undefined;
}

function readUser(written: string): UserReference {
  const [, name, id] = NAME_AND_ID.exec(written) ?? [];
  if (id === undefined) return { name: written };
  return name ? { name, id: Number(id) } : { id: Number(id) };
}

function resolve({ silent, target }: MentionSyntax, names: NameLookup): Mention | undefined {
  if ('group' in target) {
    const group = names.group(target.group);
    return group && { kind: 'group', id: group.id, silent, text: group.name };
  }
  if (target.name !== undefined && target.id === undefined) {
    if (CHANNEL_WILDCARDS.has(target.name)) return { kind: 'channel', silent, text: target.name };
    if (target.name === 'topic') return { kind: 'topic', silent, text: target.name };
  }
  const user = names.user(target);
  return user && { kind: 'user', id: user.id, silent, text: user.fullName };
}

/** The mention of a token. */
export function mentionOf(token: Token): Mention | undefined {
  return token.type === 'mention' ? (token.meta as unknown as Mention) : undefined;
}

function mentionRule(state: InlineState, silent: boolean): boolean {
  if (state.src.charCodeAt(state.pos) !== 0x40 || !mayBeginName(state.src, state.pos)) return false;
  const syntax = readMention(state.src, state.pos);
  if (!syntax || state.pos + syntax.length > state.posMax) return false;
  const mention = resolve(syntax, runOf(state).names);
  if (!mention) return false;
  if (!silent) state.push('mention', '', 0).meta = { ...mention };
  state.pos += syntax.length;
  return true;
}

/** Quotes mention nobody (contract messages section 3.1: silent mentions are never restricted). */
function quietQuotes(state: CoreState): void {
  let depth = 0;
  for (const token of state.tokens) {
    if (token.tag === 'blockquote') depth += token.nesting;
    if (depth === 0 || token.type !== 'inline') continue;
    for (const child of token.children ?? []) {
      const mention = mentionOf(child);
      if (mention) mention.silent = true;
    }
  }
}

function mentionHtml(mention: Mention): string {
  const text = escapeHtml(mention.silent ? mention.text : `@${mention.text}`);
  return `${openTag('span', mentionAttributes(mention))}${text}</span>`;
}

function mentionAttributes(mention: Mention): Record<string, string | number> {
  const silent = mention.silent ? ' silent' : '';
  switch (mention.kind) {
    case 'user':
      return { class: `user-mention${silent}`, 'data-user-id': mention.id };
    case 'group':
      return { class: `user-group-mention${silent}`, 'data-user-group-id': mention.id };
    case 'channel':
      return { class: `user-mention channel-wildcard-mention${silent}`, 'data-user-id': '*' };
    case 'topic':
      return { class: `topic-mention${silent}` };
  }
}

/** `@**Name**`, `@_**Name|12**`, `@*group*`, `@**all**`, `@**topic**`. */
export function mentions(md: Parser): void {
  md.inline.ruler.before('linkify', 'mention', mentionRule);
  md.core.ruler.push('quiet_quotes', quietQuotes);
  md.renderer.rules['mention'] = (tokens, index) => {
    const mention = tokens[index] && mentionOf(tokens[index]);
    return mention ? mentionHtml(mention) : '';
  };
}
