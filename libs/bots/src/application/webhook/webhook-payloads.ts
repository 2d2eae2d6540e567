import type { OutgoingRequest } from '@annals/kernel';
import type { Actor } from '@annals/kernel/domain';
import { unixSeconds } from '@annals/kernel/domain';
import type { LoadedMessages, MessageRow } from '@annals/messages';
import { askerOf, presentMessage, sourceOf } from '@annals/messages';
import { RealmFacts, ServerAddress } from '@annals/realm';
import type { KnownBotWebhook, UserRow } from '@annals/users';
import { Viewers } from '@annals/users';
import { Injectable } from '@nestjs/common';

/** A message for a bot with a webhook, as the bot sees it. */
export interface WebhookMessage {
  readonly bot: Actor;
  readonly account: UserRow;
  readonly webhook: KnownBotWebhook;
  readonly message: MessageRow;
  readonly loaded: LoadedMessages;
}

const USER_AGENT = 'Annals (outgoing webhook)';
/** Clients have the history of a message; a program gets the message. */
const NO_CHANGES: LoadedMessages['changes'] = new Map();

/** Writes the requests to the programs behind bots (contract/whole-interface.md section 5). */
@Injectable()
export class WebhookPayloads {
  constructor(
    private readonly viewers: Viewers,
    private readonly realms: RealmFacts,
    private readonly address: ServerAddress,
  ) {}

  /** The message in the format of the webhook. */
  async of(asked: WebhookMessage): Promise<OutgoingRequest> {
    return asked.webhook.format === 'slack' ? this.slack(asked) : this.generic(asked);
  }

  private async generic({ bot, account, webhook, message, loaded }: WebhookMessage): Promise<OutgoingRequest> {
    const viewer = await this.viewers.of(bot);
    const look = { viewer, applyMarkdown: false, clientGravatar: false, allowEmptyTopicName: true };
    const rendered_content = await loaded.rendered.ahead(message.text, askerOf(bot));
    const presented = presentMessage(message.id, { ...loaded, changes: NO_CHANGES }, look);
    return request(
      'application/json',
      JSON.stringify({
        bot_email: account.deliveryEmail,
        bot_full_name: account.fullName,
        data: sourceOf(message.text),
        message: { ...presented, rendered_content },
        token: webhook.token,
        trigger: triggerOf(message),
      }),
    );
  }

  /** The fields of Slack's own outgoing webhooks. */
  private async slack({ bot, webhook, message, loaded }: WebhookMessage): Promise<OutgoingRequest> {
    const { subdomain } = await this.realms.of(bot.realmId);
    const time = String(unixSeconds(message.sentAt));
    const fields = new URLSearchParams({
      token: webhook.token,
      team_id: `T${bot.realmId}`,
      team_domain: new URL(this.address.urlOf(subdomain)).host,
      channel_id: `C${message.channelId}`,
      channel_name: message.channelName ?? '',
      thread_ts: time,
      timestamp: time,
      user_id: `U${message.senderId}`,
      user_name: loaded.users.get(message.senderId)?.fullName ?? '',
      text: sourceOf(message.text),
      trigger_word: triggerOf(message),
      service_id: String(bot.userId),
    });
    return request('application/x-www-form-urlencoded', fields.toString());
  }
}

const triggerOf = ({ channelId }: MessageRow) => (channelId === null ? 'direct_message' : 'mention');

const request = (type: string, body: string): OutgoingRequest => ({
  method: 'POST',
  headers: { 'content-type': type, accept: 'application/json', 'user-agent': USER_AGENT },
  body,
});
