import type { UserReference } from '../names';
import { readMention } from './mentions';

/** A mention at the beginning of a text, and the text after it. */
export interface LeadingMention {
  readonly user: UserReference;
  readonly rest: string;
}

/** Null for a text that does not begin with a mention of a user. Silent mentions do not count. */
export function leadingMention(content: string): LeadingMention | null {
  const text = content.trimStart();
  const mention = readMention(text, 0);
  if (!mention || mention.silent || 'group' in mention.target) return null;
  return { user: mention.target, rest: text.slice(mention.length).trim() };
}
