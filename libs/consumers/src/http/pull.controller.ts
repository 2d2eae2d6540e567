import { rfc3339 } from '@annals/audit';
import type { Actor } from '@annals/kernel/domain';
import { t } from '@annals/kernel/domain';
import { By, Endpoint, Info, Params, RequestInfo } from '@annals/web';
import { Controller } from '@nestjs/common';
import { SettleEvents } from '../application/pull/settle-events';
import { ConsumerFacts } from '../read/consumer-facts';
import { ParkedOffers } from '../read/parked-offers';
import { PullAnswers, prefersStream } from './pull-answers';
import {
  AcknowledgeParams,
  ChosenParkedParams,
  NackParams,
  ParkedParams,
  PullParams,
  acknowledgedBy,
  chosenBy,
} from './pull.params';
import { cloudEventShape, parkedShape } from './shapes';

const SECOND_MS = 1_000;

@Controller()
export class PullController {
  constructor(
    private readonly answers: PullAnswers,
    private readonly settling: SettleEvents,
    private readonly consumers: ConsumerFacts,
    private readonly parkedOffers: ParkedOffers,
  ) {}

  /** contract/feed.md sections 4 and 5 */
  @Endpoint('GET', 'feed/consumers/:name/events', {
    audience: 'anyone',
    section: 'feed 4',
    summary: 'The next events for a worker of a consumer',
    unlimited: true,
    returns: t.Object({ events: t.Array(cloudEventShape), cursor: t.String(), head: t.Integer() }),
    streams: true,
  })
  pull(@By() by: Actor, @Params(PullParams) p: PullParams, @Info() info: RequestInfo) {
    return prefersStream(info) ? this.answers.stream(by, p, info) : this.answers.list(by, p, info);
  }

  /** contract/feed.md section 4 */
  @Endpoint('POST', 'feed/consumers/:name/ack', {
    audience: 'anyone',
    section: 'feed 4',
    summary: 'Acknowledge events',
    unlimited: true,
    returns: t.Object({ acknowledged: t.Integer() }),
  })
  async acknowledge(@By() by: Actor, @Params(AcknowledgeParams) p: AcknowledgeParams) {
    const consumer = await this.consumers.pulled(by, p.name);
    return { acknowledged: await this.settling.acknowledge(consumer, p.worker, acknowledgedBy(p)) };
  }

  /** contract/feed.md section 4 */
  @Endpoint('POST', 'feed/consumers/:name/nack', {
    audience: 'anyone',
    section: 'feed 4',
    summary: 'Give an event back, park it or skip it',
    unlimited: true,
    returns: null,
  })
  async refuse(@By() by: Actor, @Params(NackParams) p: NackParams): Promise<void> {
    const { name, worker, id, action, after_seconds } = p;
    const consumer = await this.consumers.pulled(by, name);
    await this.settling.refuse(consumer, worker, { id, action, afterMs: after_seconds * SECOND_MS });
  }

  /** contract/feed.md section 4 */
  @Endpoint('GET', 'feed/consumers/:name/parked', {
    audience: 'anyone',
    section: 'feed 4',
    summary: 'Events that failed too often',
    returns: t.Object({ parked: t.Array(parkedShape) }),
  })
  async parked(@By() by: Actor, @Params(ParkedParams) { name, limit }: ParkedParams) {
    const parked = await this.parkedOffers.list(await this.consumers.own(by, name), limit);
    return { parked: parked.map(({ since, ...event }) => ({ ...event, at: rfc3339(since) })) };
  }

  /** contract/feed.md section 4 */
  @Endpoint('POST', 'feed/consumers/:name/parked/replay', {
    audience: 'anyone',
    section: 'feed 4',
    summary: 'Offer parked events again',
    returns: t.Object({ replayed: t.Integer() }),
  })
  async replay(@By() by: Actor, @Params(ChosenParkedParams) p: ChosenParkedParams) {
    return { replayed: await this.settling.replay(await this.consumers.managed(by, p.name), chosenBy(p)) };
  }

  /** contract/feed.md section 4 */
  @Endpoint('POST', 'feed/consumers/:name/parked/skip', {
    audience: 'anyone',
    section: 'feed 4',
    summary: 'Settle parked events without offering them again',
    returns: t.Object({ skipped: t.Integer() }),
  })
  async skip(@By() by: Actor, @Params(ChosenParkedParams) p: ChosenParkedParams) {
    return { skipped: await this.settling.skip(await this.consumers.managed(by, p.name), chosenBy(p)) };
  }
}
