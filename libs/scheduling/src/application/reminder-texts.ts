import type { Actor, MessageId } from '@annals/kernel/domain';
import type { MessageRow, NoticeText } from '@annals/messages';
import { GetMessage, messageIn, notice, person, plain, quote, sentContent } from '@annals/messages';
import { ServerAddress } from '@annals/realm';
import { messagePath } from '@annals/markdown';
import type { UserRow } from '@annals/users';
import { Injectable } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { ERASED_QUOTE } from '../domain/reminder';

/** Messages whose text is a command to clients rather than something to read. */
const KINDS: readonly (readonly [RegExp, string])[] = [
  [/^\/poll\b/, 'a poll'],
  [/^\/todo\b/, 'a to-do list'],
];

/** Writes the text of a reminder (contract/scheduling.md section 8, "Delivery"). */
@Injectable()
export class ReminderTexts {
  constructor(
    private readonly queries: QueryBus,
    private readonly address: ServerAddress,
  ) {}

  /**
   * The present text.
   *
   * @param messageId the message of the reminder. Null for a note
   * @throws Rejected BAD_REQUEST when the message does not exist or is not visible
   */
  async of(by: Actor, messageId: MessageId | null, note: string | undefined): Promise<NoticeText> {
    if (messageId === null) return notice`You asked to be reminded of this note:\n\n${plain(quote(note ?? ''))}`;
    const { loaded } = await this.queries.execute(new GetMessage(by, messageId));
    const message = loaded.rows.get(messageId);
    const author = message && loaded.users.get(message.senderId);
    if (!message || !author) throw new Error(`message ${messageId} was found without its author`);
    const url = `${this.address.urlOf(loaded.subdomain)}${pathOf(message)}`;
    return aboutMessage({ message, author, url, note });
  }
}

/** The text of a reminder of a message. A long message is truncated, never the note. */
export function aboutMessage({
  message,
  author,
  url,
  note,
}: {
  readonly message: MessageRow;
  readonly author: Pick<UserRow, 'userId' | 'fullName'>;
  readonly url: string;
  readonly note: string | undefined;
}): NoticeText {
  const text = notice`You asked to be reminded of ${originOf(message)}.${noted(note)}\n\n${textOf(message, author, url)}`;
  return { ...text, content: sentContent(text.content) };
}

/** The text of a reminder whose message was erased. */
export const aboutNothing = (note: string | undefined): NoticeText => plain(`${ERASED_QUOTE}${noted(note)}`);

const noted = (note: string | undefined): string => (note === undefined ? '' : `\n\nYour note:\n\n${quote(note)}`);

function originOf({ channelId, channelName, topic, id }: MessageRow): NoticeText | string {
  if (channelId === null || channelName === null) return 'the following direct message';
  return notice`a message in ${messageIn({ id: channelId, name: channelName }, topic ?? '', id)}`;
}

function textOf({ text }: MessageRow, author: Pick<UserRow, 'userId' | 'fullName'>, url: string): NoticeText {
  const content = text.content ?? '(erased)';
  const kind = KINDS.find(([pattern]) => pattern.test(content))?.[1];
  if (kind !== undefined) return notice`${person(author)} [sent ${kind}](${url}).`;
  const names = text.names === null ? plain('').names : (JSON.parse(text.names) as NoticeText['names']);
  return notice`${person(author)} [said](${url}):\n${{ content: quote(content), names }}`;
}

const pathOf = ({ id, channelId, channelName, topic, userIds }: MessageRow): string =>
  channelId === null || channelName === null
    ? messagePath({ userIds }, id)
    : messagePath({ channel: { id: channelId, name: channelName }, topic: topic ?? '' }, id);
