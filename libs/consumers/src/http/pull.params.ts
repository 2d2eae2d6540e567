import { t } from '@annals/kernel/domain';
import { BooleanParam, IntegerParam, JsonParam, TextParam, WordParam } from '@annals/web';
import type { Acknowledged, NackAction } from '../application/pull/settle-events';
import { NACK_ACTIONS } from '../application/pull/settle-events';
import { reject } from '../domain/rejections';
import { ConsumerParams } from './consumers.params';

const LONGEST_ID = 40;
const MOST_IDS = 10_000;

const id = t.String({ minLength: 1, maxLength: LONGEST_ID });
const ids = t.Array(id, { minItems: 1, maxItems: MOST_IDS });

const LIMIT = 'Most events: 100 by default. Of a stream, most that are not acknowledged: 1,000 by default.';
const LEASE =
  'Seconds for which the events are leased to the worker. Of a stream, how long it waits for an acknowledgement at its limit.';

class WorkerParams extends ConsumerParams {
  @TextParam({ quoted: true, max: 60, printable: true, about: 'Name of the worker. Each has events of its own.' })
  worker = '';
}

export class PullParams extends WorkerParams {
  @IntegerParam({ optional: true, min: 1, max: 1_000, about: LIMIT }) limit?: number;
  @IntegerParam({ min: 0, max: 90, about: 'Seconds to wait while there are none.' }) wait = 0;
  @IntegerParam({ min: 1, max: 600, about: LEASE }) lease = 30;
}

export class AcknowledgeParams extends WorkerParams {
  @JsonParam(ids, { optional: true, about: 'Ids of events that are leased to the worker.' }) ids?: string[];
  @TextParam({
    optional: true,
    quoted: true,
    min: 1,
    max: LONGEST_ID,
    about: 'All that are leased to it up to this id.',
  })
  through?: string;
}

/** @throws Rejected BAD_REQUEST unless exactly one is given */
export function acknowledgedBy({ ids: some, through }: AcknowledgeParams): Acknowledged {
  if (some !== undefined && through === undefined) return { ids: some };
  if (through !== undefined && some === undefined) return { through };
  throw reject.idsOrThrough();
}

export class NackParams extends WorkerParams {
  @TextParam({ quoted: true, min: 1, max: LONGEST_ID, about: 'Id of an event that is leased to the worker.' })
  id: string;
  @WordParam(NACK_ACTIONS, { quoted: true, about: 'Try again, park the event, or skip it.' }) action: NackAction;
  @IntegerParam({ min: 0, max: 86_400, about: 'Seconds that a retry waits at least.' }) after_seconds = 0;
}

export class ParkedParams extends ConsumerParams {
  @IntegerParam({ min: 1, max: 1_000, about: 'Most events. The oldest come first.' }) limit = 100;
}

export class ChosenParkedParams extends ConsumerParams {
  @JsonParam(ids, { optional: true, about: 'Ids of parked events.' }) ids?: string[];
  @BooleanParam({ about: 'All of them, instead of ids.' }) all = false;
}

/** @throws Rejected BAD_REQUEST unless exactly one is given */
export function chosenBy({ ids: some, all }: ChosenParkedParams): readonly string[] | 'all' {
  if (all === (some !== undefined)) throw reject.idsOrAll();
  return some ?? 'all';
}
