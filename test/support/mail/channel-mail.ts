import type { ChannelId } from '@annals/kernel/domain';
import { granted } from '../server/caller';
import type { Person } from '../server/organization';
import type { TestServer } from '../server/server';
import type { WrittenMail } from './lmtp';
import { deliver, written } from './lmtp';

/** A message of which a mail became, with its text as Markdown. */
export interface MailedMessage {
  readonly id: number;
  readonly subject: string;
  readonly content: string;
  readonly sender_full_name: string;
}

/** Mails to the addresses of channels of a server, and the messages that they become. */
export class ChannelMail {
  constructor(private readonly server: () => TestServer) {}

  /** The address of a channel for a person. @param senderId who sends the messages; left out: the gateway */
  async addressOf(person: Person, channel: ChannelId, senderId?: number): Promise<string> {
    const params = senderId === undefined ? {} : { sender_id: senderId };
    return granted(await person.get<{ email: string }>(`/streams/${channel}/email_address`, params)).email;
  }

  /** @returns the answer of LMTP */
  async send(to: string, mail: WrittenMail): Promise<string> {
    return this.sendRaw(to, written(mail));
  }

  async sendRaw(to: string, raw: string): Promise<string> {
    return (await deliver(this.server().lmtpPort, [to], raw))[0] ?? '';
  }

  /** The newest messages of the organization, ascending. */
  async newest(count = 1): Promise<readonly MailedMessage[]> {
    const params = { anchor: 'newest', num_before: count, num_after: 0, apply_markdown: false };
    const { messages } = granted(await this.server().owner.get<{ messages: MailedMessage[] }>('/messages', params));
    return messages;
  }

  async last() {
    const [message] = await this.newest();
    return { topic: message?.subject, content: message?.content, from: message?.sender_full_name };
  }
}

/** An address with words that say how its mails become messages. */
export const withOptions = (address: string, options: string): string => address.replace('@', `${options}@`);
