import { link } from '../shared/markdown';

const DASHBOARD = 'https://dashboard.stripe.com';
/** Currencies without a smaller unit. */
const WHOLE = new Set('bif clp djf gnf jpy kmf krw mga pyg rwf ugx vnd vuv xaf xof xpf'.split(' '));

/** Name and part of the dashboard by the beginning of an id. Some things have no page. */
const KINDS: Readonly<Record<string, readonly [name: string, page: string | null]>> = {
  ba: ['Bank account', null],
  card: ['Card', null],
  ch: ['Charge', 'charges'],
  cus: ['Customer', 'customers'],
  dp: ['Dispute', 'disputes'],
  du: ['Dispute', 'disputes'],
  file: ['File', 'files'],
  ii: ['Invoice item', 'invoiceitems'],
  in: ['Invoice', 'invoices'],
  link: ['File link', 'file_links'],
  mbur: ['Usage record', null],
  pi: ['Payment intent', 'payment_intents'],
  po: ['Payout', 'payouts'],
  prod: ['Product', 'products'],
  py: ['Payment', 'payments'],
  pyr: ['Refund', 'refunds'],
  re: ['Refund', 'refunds'],
  si: ['Subscription item', 'subscription_items'],
  src: ['Source', null],
  sub: ['Subscription', 'subscriptions'],
  tok: ['Token', 'tokens'],
};

/** The kind of a thing with a link to its page, for example `[Charge](…)`. */
export function linkedThing(id: string): string {
  const kind = id.split('_', 1)[0] ?? '';
  const [name, page] = (Object.hasOwn(KINDS, kind) ? KINDS[kind] : undefined) ?? ['Object', null];
  return page === null ? name : link(name, pageOf(page, id));
}

/** The same within a sentence. */
export function linkedThingWithin(id: string): string {
  const text = linkedThing(id);
  const at = text.startsWith('[') ? 1 : 0;
  return text.slice(0, at) + text.charAt(at).toLowerCase() + text.slice(at + 1);
}

export const pageOf = (part: string, id: string): string => `${DASHBOARD}/${part}/${id}`;

/** An amount in the smallest unit of its currency. */
export function amount(units: number, currency: string): string {
  const code = currency.toLowerCase();
  const number = WHOLE.has(code) ? String(units) : (units / 100).toFixed(2);
  return code === 'usd' ? `$${number}` : `${number} ${code.toUpperCase()}`;
}

/** `trial_will_end` → `trial will end` */
export const spaced = (name: string): string => name.replaceAll('_', ' ');
