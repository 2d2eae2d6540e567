import type { ChannelId, MessageId, UserId } from '@annals/kernel/domain';
import type { NoticeText } from './message/notice-text';
import { join, messageIn, notice, person, plain, quote, spoiler } from './message/notice-text';
import { MAX_MESSAGE_LENGTH, cut, cutTopic } from './message/text';
import { reject } from './rejections';

/** Longest explanation of a report, in code points. */
export const MAX_DESCRIPTION = 1_000;
/** What remains of the reported text, so that the explanation and the words around it have room too. */
const MAX_REPORTED = MAX_MESSAGE_LENGTH - MAX_DESCRIPTION - 500;
/** How many recipients a report names. The others are counted. */
const MOST_NAMED = 10;

interface ReportedUser {
  readonly userId: UserId;
  readonly fullName: string;
}

/** Where a reported message is. */
export type ReportedPlace =
  | { readonly channel: { readonly id: ChannelId; readonly name: string }; readonly topic: string }
  | {
      /** Everybody in the conversation. */
      readonly people: readonly ReportedUser[];
      readonly url: string;
    };

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

/** The message to the moderators. A long reported text is truncated, never the explanation. */
export function reportText(report: Report): NoticeText {
  const { reporter, author, sentAt, place, messageId, text, reason, description } = report;
  const at = `<time:${sentAt}>`;
  const header = notice`${person(reporter)} reported a message sent by ${person(author)}${recipients(report)} at ${at}.`;
  const why = quote(description === '' ? `**${reason}**.` : `**${reason}**. ${description}`);
  const origin =
    'channel' in place
      ? notice`Original message at ${messageIn(place.channel, place.topic, messageId)}`
      : plain(`[Original message](${place.url})`);
  const reported = { ...text, content: cut(text.content, MAX_REPORTED, '\n[message truncated]') };
  return notice`${header}\n${why}\n\n${spoiler(origin, reported)}`;
}

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
