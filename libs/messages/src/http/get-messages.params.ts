import type { Actor, Instant, MessageId, Moment, UserId } from '@annals/kernel/domain';
import { Rejected, isInCalendar, t } from '@annals/kernel/domain';
import type { AsOf, AuditedReading } from '@annals/realm';
import {
  BooleanParam,
  CustomParam,
  IntegerParam,
  IntegersParam,
  JsonParam,
  PathId,
  TextParam,
  unquoted,
} from '@annals/web';
import { GetMessages, GetMessagesById } from '../read/query/get-messages';
import { AsOfParam, PastParams, ViewerParam, recordedNarrow } from './past-requests';
import { GetPastMessages, GetPastMessagesById } from '../read/past/get-past-messages';
import type { Anchor, MessagePage } from '../read/query/message-pages';
import { NEWEST } from '../read/query/message-pages';
import type { WireNarrow } from '../read/narrow/narrow-terms';
import { narrowSchema, parseNarrow } from '../read/narrow/narrow-terms';

/** Maximum of messages in one answer (contract/conventions.md section 7). */
const MAX_MESSAGES = 5_000;

type WireAnchor = number | 'newest' | 'oldest' | 'first_unread' | 'date';

/** A page of a narrow (contract/boot.md section 10). */
export class MessagePageParams {
  @CustomParam(t.Unsafe<WireAnchor>({ type: ['integer', 'string'] }), 'raw', parseAnchor, { optional: true })
  anchor?: WireAnchor;
  @TextParam({ optional: true, about: 'ISO 8601, for the anchor `date`' }) anchor_date?: string;
  @BooleanParam() include_anchor = true;
  @IntegerParam({ optional: true, min: 0 }) num_before?: number;
  @IntegerParam({ optional: true, min: 0 }) num_after?: number;
  @JsonParam(narrowSchema) narrow: WireNarrow = [];
}

/** Contract/boot.md section 10. */
export class GetMessagesParams extends MessagePageParams implements PastParams {
  @AsOfParam() as_of?: Moment;
  @ViewerParam() viewer_id?: UserId;
  @BooleanParam() use_first_unread_anchor = false;
  @IntegersParam({ optional: true, maxItems: MAX_MESSAGES }) message_ids?: readonly number[];
  @BooleanParam() client_gravatar = true;
  @BooleanParam() apply_markdown = true;
  @BooleanParam() allow_empty_topic_name = false;
}

/** Contract/messages.md section 4.2. */
export class GetMessageParams extends PastParams {
  @PathId() message_id: MessageId;
  @BooleanParam() apply_markdown = true;
  @BooleanParam() allow_empty_topic_name = false;
}

/** Which of some messages match a narrow (contract/whole-interface.md section 1). */
export class MatchesNarrowParams {
  @IntegersParam({ maxItems: MAX_MESSAGES }) msg_ids: readonly number[];
  @JsonParam(narrowSchema) narrow: WireNarrow;
}

/** @throws Rejected BAD_REQUEST for parameters that exclude each other, BAD_NARROW for an invalid narrow */
export function toQuery(by: Actor, p: GetMessagesParams): GetMessages | GetMessagesById {
  const terms = parseNarrow(p.narrow);
  if (p.message_ids) {
    refuseBesideIds(p);
    return new GetMessagesById(by, terms, p.message_ids, { asHtml: p.apply_markdown });
  }
  return new GetMessages(by, terms, toPage(p), p.apply_markdown);
}

/** The same about a moment of the past. */
export function toPastQuery(by: Actor, asOf: AsOf, p: GetMessagesParams): GetPastMessages | GetPastMessagesById {
  const terms = parseNarrow(p.narrow);
  if (!p.message_ids) return new GetPastMessages(by, asOf, terms, toPage(p), p.apply_markdown);
  refuseBesideIds(p);
  return new GetPastMessagesById(by, asOf, terms, p.message_ids, p.apply_markdown);
}

/** What the log says of a read of messages that another account could read. */
export function recordedPage(p: GetMessagesParams): Pick<AuditedReading, 'parameters' | 'leavesOut'> {
  const { narrow, anchor, anchor_date, num_before, num_after, message_ids } = p;
  const { terms, leavesOut } = recordedNarrow(narrow);
  const parameters = {
    ...(anchor !== undefined && { anchor }),
    ...(anchor === 'date' && { anchor_date: new Date(instantOf(anchor_date)).toISOString() }),
    ...(num_before !== undefined && { num_before }),
    ...(num_after !== undefined && { num_after }),
    ...(message_ids && { message_ids: [...message_ids] }),
    ...(terms.length > 0 && { narrow: [...terms] }),
  };
  return { parameters, leavesOut };
}

/** @throws Rejected BAD_REQUEST for too many messages, and for parameters that exclude each other */
export function toPage(p: MessagePageParams & Partial<GetMessagesParams>): MessagePage {
  const { num_before: before = 0, num_after: after = 0, include_anchor: includeAnchor } = p;
  if (before + after > MAX_MESSAGES) {
    throw new Rejected('BAD_REQUEST', `Too many messages requested (maximum ${MAX_MESSAGES}).`);
  }
  if (!includeAnchor && before > 0 && after > 0) {
    throw new Rejected('BAD_REQUEST', 'The anchor can only be excluded at an end of the range');
  }
  return { anchor: toAnchor(p), includeAnchor, before, after };
}

function refuseBesideIds(p: GetMessagesParams): void {
  const others = ['anchor', 'num_before', 'num_after'] as const;
  const given: string[] = others.filter((name) => p[name] !== undefined);
  if (p.use_first_unread_anchor) given.push('use_first_unread_anchor');
  if (given.length === 0) return;
  const parameters = ['message_ids', ...given].join(', ');
  throw new Rejected('BAD_REQUEST', `Unsupported parameter combination: ${parameters}`, { parameters });
}

function toAnchor({
  anchor,
  anchor_date,
  use_first_unread_anchor,
}: MessagePageParams & Partial<GetMessagesParams>): Anchor {
  if (use_first_unread_anchor || anchor === 'first_unread') return 'first unread';
  if (anchor === undefined) {
    throw new Rejected('REQUEST_VARIABLE_MISSING', "Missing 'anchor' argument.", { var_name: 'anchor' });
  }
  return anchor === 'date' ? { sentSince: instantOf(anchor_date) } : anchor;
}

/** A time without an offset is UTC. */
const ISO_TIME = /^(\d{4}-\d\d-\d\d)(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(Z|[+-]\d\d:?\d\d)?)?$/i;

function instantOf(text: string | undefined): Instant {
  if (text === undefined) {
    throw new Rejected('REQUEST_VARIABLE_MISSING', "Missing 'anchor_date' argument", { var_name: 'anchor_date' });
  }
  const match = ISO_TIME.exec(text);
  const isDay = match !== null && isInCalendar(match[1] ?? '');
  const hasTime = text.length > 'yyyy-mm-dd'.length;
  const at = isDay ? Date.parse(hasTime && match[2] === undefined ? `${text}Z` : text) : NaN;
  if (Number.isNaN(at)) throw new Rejected('BAD_REQUEST', 'anchor_date is not an ISO 8601 time');
  return at as Instant;
}

const WORDS = ['newest', 'oldest', 'first_unread', 'date'] as const;

/** A word or an integer of any size. A negative one counts as 0, and one beyond all ids as the newest. */
function parseAnchor(text: string): WireAnchor {
  const value = unquoted(text);
  const word = WORDS.find((one) => one === value);
  if (word !== undefined) return word;
  if (!/^-?\d+$/.test(value)) throw new Rejected('BAD_REQUEST', 'Invalid anchor');
  return Math.min(Math.max(Number(value), 0), NEWEST);
}
