import type { Static } from '@annals/kernel/domain';
import { t } from '@annals/kernel/domain';
import { JsonParam } from '@annals/web';
import type { SubscriberArg } from '../application/subscription/subscriber-args';
import { NewChannelParams } from './new-channel.params';
import { namedPeople, wantedChannels } from './subscribe.params';

const names = t.Array(t.String(), { maxItems: 1_000 });

/** INTERFACE.md 4.10 */
export class UnsubscribeParams {
  @JsonParam(names) subscriptions: readonly string[];
  @JsonParam(namedPeople) principals: SubscriberArg = [];
}

/** contract/subscriptions.md section 2.3 */
export class UpdateSubscriptionsParams {
  @JsonParam(wantedChannels) add: Static<typeof wantedChannels> = [];
  @JsonParam(names) delete: readonly string[] = [];
}

/** The properties of a channel without parameters. */
export const PLAIN = new NewChannelParams();
