/** A mention at the beginning of a text, and the text after it. */
export interface LeadingMention {
  /** As it is written; empty where the mention has an id alone. */
  readonly name: string;
  readonly id: number | null;
  readonly rest: string;
}

const MENTION = /^\s*@\*\*([^*\r\n]{0,120}?)(?:\|(\d{1,15}))?\*\*/;

/** Null for a text that does not begin with a mention of a user. */
export function leadingMention(content: string): LeadingMention | null {
  const found = MENTION.exec(content);
  if (!found) return null;
  const [mention, name = '', id] = found;
  return { name, id: id === undefined ? null : Number(id), rest: content.slice(mention.length).trim() };
}
