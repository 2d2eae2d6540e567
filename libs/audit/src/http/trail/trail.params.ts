import type { TrailOrder } from '@annals/kernel';
import type { Moment, UserId } from '@annals/kernel/domain';
import { t } from '@annals/kernel/domain';
import { IntegerParam, JsonParam, MomentParam, TextParam, WordParam } from '@annals/web';
import type { AuditRead } from '../../domain/audit-reads';
import { rfc3339 } from '../times';

const MOST_TYPES = 100;
const LONGEST_NAME = 100;
const DEFAULT_LIMIT = 100;

/** Which page of a list of the history is wanted, and from which part of it. */
export class HistoryPageParams {
  @MomentParam({ optional: true, about: 'A moment: only events after it.' }) from?: Moment;
  @MomentParam({ optional: true, about: 'A moment: only events up to it.' }) to?: Moment;
  @JsonParam(t.Array(t.String({ minLength: 1, maxLength: LONGEST_NAME }), { maxItems: MOST_TYPES }), {
    optional: true,
    about: 'Types of events. `messages.*` means all types of a context.',
  })
  types?: string[];
  @WordParam(['newest', 'oldest'], { quoted: true, about: 'Which events come first.' })
  order: TrailOrder = 'newest';
  @TextParam({ optional: true, max: 20, about: 'The `next_cursor` of the page before.' }) cursor?: string;
  @IntegerParam({ min: 1, max: 1_000, about: 'Most events of a page.' }) limit = DEFAULT_LIMIT;
}

/** The conditions of a trail. */
export class FilterParams {
  @IntegerParam({ optional: true, name: 'actor_id', min: 1, about: 'The user who acted.' }) actorId?: UserId;
  @TextParam({
    optional: true,
    quoted: true,
    max: LONGEST_NAME,
    about: 'What the event is about: `message:412`, `channel:3`, `topic:9`, `user:7`, `group:5`, or `realm`.',
  })
  subject?: string;
  @JsonParam(t.Array(t.String({ minLength: 1, maxLength: LONGEST_NAME }), { maxItems: MOST_TYPES }), {
    optional: true,
    about: 'Types of events. `messages.*` means all types of a context.',
  })
  types?: string[];
  @TextParam({ optional: true, quoted: true, max: LONGEST_NAME, about: 'Name of the client program.' })
  client?: string;
  @MomentParam({ optional: true, about: 'A moment: only events after it.' }) from?: Moment;
  @MomentParam({ optional: true, about: 'A moment: only events up to it.' }) to?: Moment;
  @TextParam({ optional: true, quoted: true, name: 'request_id', max: 36, about: 'Id of the request, a UUID.' })
  requestId?: string;
}

export class TrailParams extends FilterParams {
  @WordParam(['newest', 'oldest'], { quoted: true, about: 'Which events come first.' })
  order: TrailOrder = 'newest';
  @TextParam({ optional: true, max: 20, about: 'The `next_cursor` of the page before.' }) cursor?: string;
  @IntegerParam({ min: 1, max: 1_000, about: 'Most events of a page.' }) limit = DEFAULT_LIMIT;
}

/** The parameters as the record of the read has them: those that differ from the defaults, without the cursor. */
export function recordedParameters(params: Partial<TrailParams>): AuditRead['parameters'] {
  const { actorId, subject, types, client, from, to, requestId, order, limit } = params;
  const given = {
    actor_id: actorId,
    subject,
    types,
    client,
    from: from && momentText(from),
    to: to && momentText(to),
    request_id: requestId,
    order: order === 'newest' ? undefined : order,
    limit: limit === DEFAULT_LIMIT ? undefined : limit,
  };
  return Object.fromEntries(
    Object.entries(given).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}

const momentText = (moment: Moment): string => ('position' in moment ? `p${moment.position}` : rfc3339(moment.time));
