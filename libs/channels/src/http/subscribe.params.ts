import type { Static } from '@annals/kernel/domain';
import { t } from '@annals/kernel/domain';
import { BooleanParam, JsonParam, checkText } from '@annals/web';
import type { SubscriberArg } from '../application/subscription/subscriber-args';
import type { WantedChannel, RequestedNotices } from '../application/subscription/subscribe';
import { normalColor } from '../domain/subscription/colors';
import { reject } from '../domain/rejections';
import { MAX_DESCRIPTION_LENGTH, MAX_CHANNEL_NAME_LENGTH, NewChannelParams } from './new-channel.params';

export const wantedChannels = t.Array(
  t.Object(
    { name: t.String(), description: t.Optional(t.String()), color: t.Optional(t.String()) },
    { additionalProperties: false },
  ),
  { maxItems: 1_000 },
);
export const namedPeople = t.Union([
  t.Array(t.Integer(), { maxItems: 50_000 }),
  t.Array(t.String(), { maxItems: 50_000 }),
]);

/** Contract/subscriptions.md section 2. */
export class SubscribeParams extends NewChannelParams {
  @JsonParam(wantedChannels) subscriptions: Static<typeof wantedChannels>;
  @JsonParam(namedPeople) principals: SubscriberArg = [];
  @BooleanParam() authorization_errors_fatal = true;
  @BooleanParam({ about: 'The answer says whether messages were sent.' }) send_new_subscription_messages = true;
}

export const toNotices = (p: SubscribeParams): RequestedNotices => ({
  announce: p.announce,
  toSubscribers: p.send_new_subscription_messages,
});

/** @throws Rejected BAD_REQUEST for an invalid name, description or color */
export const toWanted = (subscriptions: Static<typeof wantedChannels>): WantedChannel[] =>
  subscriptions.map(({ name, description, color }) => ({
    name: checkText(name, 'name', { trim: true, min: 1, max: MAX_CHANNEL_NAME_LENGTH, printable: true }),
    description: checkText(description ?? '', 'description', { max: MAX_DESCRIPTION_LENGTH }),
    color: color === undefined ? null : colorOf(color),
  }));

/** @throws Rejected BAD_REQUEST for a text that is no color (contract/conventions.md section 6) */
export function colorOf(text: string): string {
  const color = normalColor(text);
  if (color === undefined) throw reject.badColor();
  return color;
}
