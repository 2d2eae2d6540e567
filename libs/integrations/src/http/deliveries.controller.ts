import { Kernel } from '@annals/kernel';
import type { Actor } from '@annals/kernel/domain';
import { Rejected } from '@annals/kernel/domain';
import { GetUser, Viewers, emailFor } from '@annals/users';
import { By, Endpoint, Info, Params, RequestInfo } from '@annals/web';
import { Controller } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { PostDelivery } from '../application/post-delivery';
import type { Integration } from '../domain/integration';
import { integrationNamed } from '../domain/integrations';
import { postsFor } from '../domain/posts';
import { reject } from '../domain/rejections';
import { DeliveryParams, asClient, deliveryOf, filterOf, placeOf } from './deliveries.params';
import { deliveryShape, presentUnsupported } from './shapes';

@Controller()
export class DeliveriesController {
  constructor(
    private readonly kernel: Kernel,
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly viewers: Viewers,
  ) {}

  /** contract/whole-interface.md section 5 */
  @Endpoint('POST', 'external/:integration', {
    audience: 'webhooks',
    section: 'whole-interface 5',
    summary: 'Post a delivery of another system',
    command: 'PostDelivery',
    payload: true,
    returns: deliveryShape,
  })
  async receive(@By() by: Actor, @Params(DeliveryParams) p: DeliveryParams, @Info() info: RequestInfo) {
    const integration = integrationNamed(p.integration);
    if (!integration) throw reject.unknownIntegration();
    const run = () => this.answer(integration, asClient(integration, by), p, info);
    return integration.answersLikeSlack ? likeSlack(run) : run();
  }

  private async answer(integration: Integration, by: Actor, p: DeliveryParams, info: RequestInfo) {
    const payload = await info.payload();
    if (integration.asksForAccount?.(payload)) return this.account(by);
    const delivery = deliveryOf(integration, p, payload, info, this.kernel.clock.now());
    const posts = postsFor(integration, delivery, filterOf(p));
    if ('unsupported' in posts) return presentUnsupported(integration, posts.unsupported);
    const id = integration.deliveryId?.(delivery) ?? null;
    await this.commands.execute(new PostDelivery(by, integration.name, posts.messages, placeOf(integration, p), id));
    return {};
  }

  private async account(by: Actor) {
    const user = await this.queries.execute(new GetUser(by, String(by.userId)));
    return { full_name: user.fullName, email: emailFor(user, await this.viewers.of(by)), id: by.userId };
  }
}

/** Programs for Slack look for `ok` and `error`. */
async function likeSlack<T extends object>(run: () => Promise<T>): Promise<T & { ok: true }> {
  try {
    return { ...(await run()), ok: true };
  } catch (error) {
    if (!(error instanceof Rejected)) throw error;
    const { code, message, extra, notFound, forbidden } = error;
    throw new Rejected(code, message, { ...extra, ok: false, error: message }, { notFound, forbidden });
  }
}
