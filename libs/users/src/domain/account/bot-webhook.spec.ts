import type { BotType, UserId } from '@annals/kernel/domain';
import { fact } from '@annals/kernel/domain';
import { given, recorded } from '../../../../../test/support/events/recorded-events';
import { BotWebhookChanged } from '../events';
import type { Account } from './account';
import type { WebhookInput } from './bot-webhook';
import { botWebhookAggregate, changeWebhook, chooseWebhook, requestedWebhook } from './bot-webhook';

const [BOT, OWNER] = [9 as UserId, 7 as UserId];
const bot = { userId: BOT, botOwnerId: OWNER, status: { kind: 'active' } } as Account;
const URL_OF_BOT = 'https://example.com/hook?x=1';
const ABOUT = { userId: BOT, botOwnerId: OWNER, isActive: true };
const webhook = { url: URL_OF_BOT, format: 'generic' } as const;

describe('the webhook of a new bot', () => {
  it('has the URL and the format of the request, by default the generic one', () => {
    expect(requestedWebhook(3, { url: URL_OF_BOT })).toEqual(webhook);
    expect(requestedWebhook(3, { url: URL_OF_BOT, format: 2 })).toEqual({ url: URL_OF_BOT, format: 'slack' });
    expect(requestedWebhook(3, {})).toEqual({ url: '', format: 'generic' });
  });

  it.each<[WebhookInput, string]>([
    [{ url: '' }, 'Not a URL'],
    [{ url: 'example.com/hook' }, 'Not a URL'],
    [{ url: 'ftp://example.com/' }, 'Not a URL'],
    [{ url: 'javascript:alert(1)' }, 'Not a URL'],
    [{ url: 'https://user:word@example.com/' }, 'Not a URL'],
    [{ url: 'https://example.com/a b' }, 'Not a URL'],
    [{ url: `https://example.com/${'x'.repeat(2_083)}` }, 'Not a URL'],
    [{ format: 0 }, 'Invalid interface type'],
    [{ format: 3 }, 'Invalid interface type'],
    [{ format: 1.5 }, 'Invalid interface type'],
  ])('is refused for %j, also for bots that have none', (input, message) => {
    for (const type of [1, 3] as BotType[]) expect(() => requestedWebhook(type, input)).toThrow(message);
  });

  it.each([1, 2, 4] as const)('is none for bots of type %i', (type) => {
    expect(requestedWebhook(type, { url: URL_OF_BOT })).toBeNull();
  });

  it('is remembered until its URL is erased', () => {
    const [chosen] = chooseWebhook(bot, webhook);
    expect(chosen).toEqual(fact(BotWebhookChanged, { ...ABOUT, format: 'generic' }, { url: URL_OF_BOT }));
    expect(given(botWebhookAggregate, chosen!)).toEqual(webhook);
    const erased = { ...recorded(chosen!), sealed: 'erased' } as never;
    expect(botWebhookAggregate.evolve(null, erased)).toEqual({ url: '', format: 'generic' });
  });
});

describe('a change of the webhook', () => {
  it('keeps what is left out, and says nothing of equal values', () => {
    const change = (input: WebhookInput) => changeWebhook(webhook, bot, input);
    expect(change({ format: 2 })).toEqual([
      fact(BotWebhookChanged, { ...ABOUT, format: 'slack' }, { url: URL_OF_BOT }),
    ]);
    expect(change({ url: 'http://10.1.2.3/' })).toMatchObject([{ sealed: { url: 'http://10.1.2.3/' } }]);
    for (const same of [{}, { url: URL_OF_BOT }, { format: 1 }, { url: URL_OF_BOT, format: 1 }])
      expect(change(same)).toEqual([]);
  });

  it('is refused for what is no URL, and for bots of other types', () => {
    expect(() => changeWebhook(webhook, bot, { url: 'x' })).toThrow('Invalid service_payload_url');
    expect(() => changeWebhook(null, bot, { format: 1 })).toThrow('no outgoing webhook');
    expect(changeWebhook(null, bot, {})).toEqual([]);
  });
});
