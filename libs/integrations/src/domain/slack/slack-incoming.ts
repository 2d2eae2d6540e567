import { t } from '@annals/kernel/domain';
import type { IncomingDelivery, Integration, TranslatedDelivery } from '../integration';
import { maybe, readerOf } from '../shared/payload';
import { fromSlackMarkup } from './slack-markup';
import { SLACK, attachment, attachmentText, block, blockText, stacked } from './slack-parts';

const read = readerOf(
  SLACK,
  t.Object({
    channel: maybe(t.String()),
    text: maybe(t.String()),
    icon_emoji: maybe(t.String()),
    blocks: maybe(t.Array(block)),
    attachments: maybe(t.Array(attachment)),
  }),
);

/** The channel of Slack is the topic. Blocks and attachments replace the text. */
function translate({ payload }: IncomingDelivery): TranslatedDelivery {
  const { channel, text, icon_emoji: icon, blocks, attachments } = read(payload);
  const parts = stacked([...(blocks ?? []).map(blockText), ...(attachments ?? []).map(attachmentText)]);
  const plain = text ? `${icon ? `${icon} ` : ''}${text}` : '';
  const content = fromSlackMarkup((parts || plain).trim());
  return content === '' ? [] : [{ topic: (channel ?? '').replace(/^[@#]/, ''), content }];
}

export const slackIncoming: Integration = {
  name: 'slack_incoming',
  displayName: 'Slack-compatible webhook',
  caller: SLACK,
  eventTypes: null,
  options: [],
  translate,
  answersLikeSlack: true,
};
