import type { ChannelId, MessageId, UserId } from '@annals/kernel/domain';
import type { NoticeText } from './message/notice-text';
import { channelLink, code, join, messageIn, notice, person, plain, quote, spoiler } from './message/notice-text';
import { MAX_MESSAGE_LENGTH, cut, cutTopic } from './message/text';
import { reject } from './rejections';

/** Longest explanation of a report, in code points. */
export const MAX_DESCRIPTION = 1_000;
/** How many recipients a report names. The others are counted. */
const MOST_NAMED = 10;

interface ReportedUser {
  readonly userId: UserId;
  readonly fullName: string;
}

/** Where a reported message is. */
export type ReportedPlace = {
  /** That of the message. */
  readonly url: string;
} & (
  | { readonly channel: { readonly id: ChannelId; readonly name: string }; readonly topic: string }
  | {
      /** Everybody in the conversation. */
      readonly people: readonly ReportedUser[];
    }
);

/** A message that somebody reports. */
export interface Report {
  readonly reporter: ReportedUser;
  readonly author: ReportedUser;
  readonly messageId: MessageId;
  /** ISO 8601, with milliseconds. */
  readonly sentAt: string;
  readonly place: ReportedPlace;
  readonly text: NoticeText;
  /** The reason in the words of the organization. */
  readonly reason: string;
  /** Empty without one. */
  readonly description: string;
}

/** @throws Rejected BAD_REQUEST for another reason that is not explained */
export function ensureExplained(type: string, description: string): void {
  if (type === 'other' && description === '') throw reject.reportNotExplained();
}

/** The topic with the reports about a user, as topics are stored. */
export const reportTopic = ({ fullName }: ReportedUser): string => cutTopic(`${fullName} moderation`);

/**
 * The message to the moderators. A long reported text is truncated, never the explanation. The link to the message is the
 * header of the reported text. If a header cannot contain the name of its place, or if the explanation could hide what
 * follows, the place and the link are above the explanation too.
 */
export function reportText(report: Report): NoticeText {
  const { reporter, author, sentAt, text, reason, description } = report;
  const at = `<time:${sentAt}>`;
  const header = notice`${person(reporter)} reported a message sent by ${person(author)}${recipients(report)} at ${at}.`;
  const why = quote(description === '' ? `**${reason}**.` : `**${reason}**. ${description}`);
  const named = originOf(report);
  const origin = ENDS_HEADER.test(named.content) ? plain(linkOf(report)) : named;
  const isAbove = origin !== named || FENCE.test(description);
  const above = isAbove ? notice`\n${placeOf(report)}${linkOf(report)}\n` : plain('');
  const words = notice`${header}${above}\n${why}\n\n`;
  return notice`${words}${reported(origin, text, MAX_MESSAGE_LENGTH - lengthOf(words))}`;
}

/** A header with one of them begins no block. */
const ENDS_HEADER = /[`~]/;
/** A line that may begin a block, which may include everything after it. */
const FENCE = /`{3}|~{3}/;

/** As a link of a client can contain it, that has no mark of blocks. */
const linkOf = ({ place }: Report): string => `[Original message](${place.url.replaceAll('~', '.7E')})`;

const originOf = (report: Report): NoticeText =>
  'channel' in report.place
    ? notice`Original message at ${messageIn(report.place.channel, report.place.topic, report.messageId)}`
    : plain(linkOf(report));

/** A line with channel and topic; nothing for a conversation, whose people are named already. */
function placeOf({ place }: Report): NoticeText {
  if (!('channel' in place)) return plain('');
  return place.topic === ''
    ? notice`${channelLink(place.channel)}\n`
    : notice`${channelLink(place.channel)} > ${code(place.topic)}\n`;
}

/** The reported text, of which only as much remains as the message has room for. */
function reported(origin: NoticeText, text: NoticeText, room: number): NoticeText {
  const within = room - lengthOf(spoiler(origin, plain('')));
  const cutTo = (length: number) => spoiler(origin, { ...text, content: cut(text.content, length, TRUNCATED) });
  const block = cutTo(within);
  // Both fences are longer than the longest one in the text. A third leaves room for them whatever the text is.
  return lengthOf(block) <= room ? block : cutTo(Math.floor(within / 3));
}

const TRUNCATED = '\n[message truncated]';
const lengthOf = ({ content }: NoticeText): number => [...content].length;

/** Left out where the reporter is the only recipient, and in channels. */
function recipients({ place, author, reporter }: Report): NoticeText {
  if ('channel' in place) return plain('');
  const { people } = place;
  if (people.length === 2 && author.userId !== reporter.userId) return plain('');
  const others = people.filter(({ userId }) => userId !== author.userId);
  return notice` to ${listed((others.length === 0 ? [author] : others).map(person))}`;
}

function listed(people: readonly NoticeText[]): NoticeText {
  const named = people.length > MOST_NAMED ? people.slice(0, MOST_NAMED - 1) : people;
  const counted = named.length < people.length ? [plain(`${people.length - named.length} others`)] : [];
  const parts = [...named, ...counted];
  const last = parts.pop() ?? plain('');
  return parts.length === 0 ? last : notice`${join(parts, ', ')} and ${last}`;
}
