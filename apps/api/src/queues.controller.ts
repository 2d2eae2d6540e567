import { Readable } from 'node:stream';
import { Kernel } from '@annals/kernel';
import type { Actor } from '@annals/kernel/domain';
import { isBot, rejection } from '@annals/kernel/domain';
import { operatorsRealm } from '@annals/onboarding';
import { By, Bytes, Endpoint, Info, RequestInfo } from '@annals/web';
import { Controller } from '@nestjs/common';
import { PAGE_HEADERS, queuesPage } from './queues-page';

/** Jobs of each queue that were given up and are shown. */
const SHOWN = 20;

const reject = {
  bot: rejection('BAD_REQUEST', 'This endpoint does not accept bot requests.'),
  /** As a path that is not there. */
  notHere: rejection('BAD_REQUEST', 'Not found', { notFound: true }),
};

/** Shows the job queues of the server to an operator. Owners of other organizations find no page here. */
@Controller()
export class QueuesController {
  constructor(private readonly kernel: Kernel) {}

  /** docs/decisions/0016 */
  @Endpoint('GET', 'operations/queues', {
    audience: 'owners',
    summary: 'The job queues of the server, for owners of the first organization',
    root: true,
    challenge: 'Annals operations',
    returns: null,
  })
  async show(@By() by: Actor, @Info() info: RequestInfo): Promise<Bytes> {
    if (isBot(by)) throw reject.bot();
    if (by.realmId !== (await operatorsRealm(this.kernel))) throw reject.notHere();
    const page = Buffer.from(queuesPage(await this.kernel.queueReports(SHOWN), SHOWN));
    const headers = { ...PAGE_HEADERS, 'Content-Length': String(page.length) };
    return new Bytes(200, headers, Readable.from(info.wantsHeadersOnly ? [] : [page]));
  }
}
