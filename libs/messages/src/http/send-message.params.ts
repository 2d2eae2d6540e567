import type { Actor } from '@annals/kernel/domain';
import { Rejected } from '@annals/kernel/domain';
import { BooleanParam, TextParam, WordParam, checkText, parseJson } from '@annals/web';
import { SendMessage } from '../application/send/send-message';
import type { Destination } from '../application/send/sender';
import { readsWith } from '../domain/message/clients';
import { reject } from '../domain/rejections';
import type { NamedPeople } from '../domain/recipients';
import { zformOf } from '../domain/widgets/zform';

const TYPES = ['direct', 'private', 'channel', 'stream'] as const;
/** Maximum length of a client's id for a draft. */
const MAX_LOCAL_ID = 200;
/** Maximum of recipients of a message, and of characters of their email addresses. */
const MAX_PEOPLE = 1_000;
const MAX_TO = 260 * MAX_PEOPLE;

/** Contract/messages.md section 3. */
export class SendMessageParams {
  @WordParam(TYPES, { quoted: true }) type: (typeof TYPES)[number];
  @TextParam({ optional: true, max: MAX_TO, about: 'a channel by id or name, or people by ids or emails' }) to?: string;
  @TextParam({ optional: true, aliases: ['subject'] }) topic?: string;
  @TextParam() content: string;
  @TextParam({ optional: true, max: MAX_LOCAL_ID }) queue_id?: string;
  @TextParam({ optional: true, max: MAX_LOCAL_ID }) local_id?: string;
  @BooleanParam({ optional: true }) read_by_sender?: boolean;
  @TextParam({ optional: true, about: 'JSON of a `zform`: a heading, and choices that clients show as buttons' })
  widget_content?: string;
}

export class RenderTextParams {
  @TextParam({ about: 'Markdown' }) content: string;
}

export function toSending(by: Actor, p: SendMessageParams): SendMessage {
  const { queue_id: queueId, local_id: localId } = p;
  const echo = queueId !== undefined && localId !== undefined ? { queueId, localId } : null;
  const readBySender = p.read_by_sender ?? readsWith(by.origin.client);
  const zform = p.widget_content === undefined ? null : zformOf(p.widget_content);
  return new SendMessage(by, toDestination(p), p.content, readBySender, echo, zform);
}

function toDestination({ type, to, topic }: SendMessageParams): Destination {
  if (type === 'direct' || type === 'private') return { people: peopleIn(to ?? '') };
  if (topic === undefined) throw new Rejected('BAD_REQUEST', 'Missing topic');
  return { channel: channelIn(to ?? ''), topic: checkText(topic, 'topic', { trim: true, printable: true }) };
}

/** A name, raw or in JSON quotes, an id, or a list of one of them. */
function channelIn(to: string): number | string {
  const value = jsonOf(to);
  const only: unknown = Array.isArray(value) && value.length === 1 ? value[0] : value;
  if (Number.isSafeInteger(only)) return only as number;
  const name = typeof only === 'string' ? only : only === undefined ? to : null;
  if (name === null || name.trim() === '') throw new Rejected('BAD_REQUEST', 'Invalid channel');
  return name.trim();
}

/** A JSON list of ids or of emails, or emails joined by commas. */
function peopleIn(to: string): NamedPeople {
  const value = jsonOf(to);
  const list: unknown = value === undefined ? to.split(',') : typeof value === 'string' ? value.split(',') : value;
  if (!Array.isArray(list)) throw new Rejected('BAD_REQUEST', 'Invalid recipients');
  if (list.length > MAX_PEOPLE) throw reject.tooManyRecipients();
  if (list.every((one) => typeof one === 'string')) {
    const emails = list.map((email) => email.trim()).filter((email) => email !== '');
    if (emails.length === 0) throw reject.noRecipients();
    return emails;
  }
  if (!list.every((one) => Number.isSafeInteger(one))) throw new Rejected('BAD_REQUEST', 'Invalid recipients');
  return list as number[];
}

/** First characters of JSON that may name recipients: a list, an object, a string, a number. */
const JSON_START = /^\s*[[{"\-\d]/;

/** @returns undefined for a text that is not JSON */
function jsonOf(text: string): unknown {
  // Most texts are plain names; a parser's error would cost more than the rest of the decoding.
  if (!JSON_START.test(text)) return undefined;
  try {
    return parseJson(text, 'to');
  } catch {
    return undefined;
  }
}
