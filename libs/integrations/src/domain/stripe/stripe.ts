import type { Instant } from '@annals/kernel/domain';
import { DAY_MS, t } from '@annals/kernel/domain';
import type { Integration, TranslatedDelivery } from '../integration';
import { globalTimeOf, link } from '../shared/markdown';
import { maybe, readerOf } from '../shared/payload';
import { amount, linkedThing, linkedThingWithin, pageOf, spaced } from './stripe-objects';

const STRIPE = 'Stripe';

const money = { amount: t.Integer(), currency: t.String() };
/** The customer is an id, or the whole customer where the account asks Stripe for it. */
const base = { id: t.String(), customer: maybe(t.Unknown()) };
const readEnvelope = readerOf(
  STRIPE,
  t.Object({
    id: maybe(t.String()),
    type: t.String(),
    data: t.Object({
      object: t.Record(t.String(), t.Unknown()),
      previous_attributes: maybe(t.Record(t.String(), t.Unknown())),
    }),
  }),
);
const readBase = readerOf(STRIPE, t.Object(base));
const readCharge = readerOf(STRIPE, t.Object({ ...base, ...money, failure_code: maybe(t.String()) }));
const readDispute = readerOf(STRIPE, t.Object({ ...base, status: t.String() }));
const readRefund = readerOf(STRIPE, t.Object({ ...base, ...money, charge: maybe(t.String()) }));
const readCustomer = readerOf(
  STRIPE,
  t.Object({ ...base, email: maybe(t.String()), metadata: maybe(t.Record(t.String(), t.Unknown())) }),
);
const readDiscount = readerOf(
  STRIPE,
  t.Object({ customer: base.customer, coupon: t.Object({ id: t.String(), name: maybe(t.String()) }) }),
);
const readSubscription = readerOf(
  STRIPE,
  t.Object({
    ...base,
    trial_end: maybe(t.Integer()),
    quantity: maybe(t.Integer()),
    plan: maybe(t.Object({ id: t.String(), nickname: maybe(t.String()) })),
  }),
);
const readInvoice = readerOf(
  STRIPE,
  t.Object({
    id: maybe(t.String()),
    customer: base.customer,
    billing_reason: maybe(t.String()),
    total: t.Integer(),
    amount_due: t.Integer(),
    amount_paid: maybe(t.Integer()),
    amount_remaining: maybe(t.Integer()),
    currency: t.String(),
    status: maybe(t.String()),
    paid: maybe(t.Boolean()),
  }),
);
const readInvoiceItem = readerOf(STRIPE, t.Object({ ...base, ...money }));

/** An event, with what its message may need. */
interface Happening {
  /** Last part of the type: `created`. */
  readonly verb: string;
  readonly object: Readonly<Record<string, unknown>>;
  readonly previous: Readonly<Record<string, unknown>> | null;
  readonly at: Instant;
}

interface Text {
  /** Left out where the customer is the topic. */
  readonly topic?: string;
  readonly content: string;
}

/** Null for an update of nothing that is worth a message. */
type Describe = (happening: Happening) => Text | null;

const EARLIEST_TIME = 1_500_000_000;
const LATEST_TIME = 2_000_000_000;

/** A value in a list of changes. Numbers of the size of a time are one. */
function valueText(value: unknown): string {
  if (typeof value === 'number' && Number.isInteger(value) && value > EARLIEST_TIME && value < LATEST_TIME) {
    return globalTimeOf(value);
  }
  return typeof value === 'string' ? value : JSON.stringify(value ?? null);
}

function changes({ object, previous }: Happening, left: readonly string[]): string | null {
  const names = Object.keys(previous ?? {}).filter((name) => !left.includes(name) && Object.hasOwn(object, name));
  if (names.length === 0) return null;
  const line = (name: string) =>
    `\n* ${spaced(name.charAt(0).toUpperCase() + name.slice(1))} is now ${valueText(object[name])}`;
  return names.sort().map(line).join('');
}

/** What happened to the thing, with its changes. @param left attributes whose changes need no message */
function usual(happening: Happening, left: readonly string[] = []): string | null {
  const did = `${linkedThing(readBase(happening.object).id)} ${spaced(happening.verb)}`;
  if (happening.verb !== 'updated') return did;
  const list = changes(happening, left);
  return list === null ? null : did + list;
}

const CUSTOMER_DETAILS = ['currency', 'default_source', 'delinquent'];
const INVOICE_DETAILS = ['description', 'finalized_at', 'lines', 'number', 'payment_intent', 'status_transitions'];

function customer(happening: Happening): Text | null {
  const { id, email, metadata } = readCustomer(happening.object);
  const did = usual(happening, CUSTOMER_DETAILS);
  if (did === null || happening.verb !== 'created') return did === null ? null : { topic: id, content: did };
  const lines = Object.entries(metadata ?? {}).map(([name, value]) => `\n${name}: ${valueText(value)}`);
  return { topic: id, content: did + (email ? `\nEmail: ${email}` : '') + lines.join('') };
}

function subscription(happening: Happening): Text | null {
  const { trial_end: end, quantity, plan } = readSubscription(happening.object);
  const did = usual(happening);
  if (did === null) return null;
  if (happening.verb === 'trial_will_end' && typeof end === 'number') {
    return { content: `${did} in ${Math.round((end * 1000 - happening.at) / DAY_MS)} days` };
  }
  if (happening.verb !== 'created') return { content: did };
  const page = plan && pageOf('plans', plan.id);
  const planLine = page ? `\nPlan: ${plan.nickname ? link(plan.nickname, page) : page}` : '';
  return { content: did + planLine + (quantity ? `\nQuantity: ${quantity}` : '') };
}

/** Whether an update says that the whole invoice was paid. */
const wasPaid = (invoice: ReturnType<typeof readInvoice>, previous: Happening['previous']): boolean =>
  (previous?.['paid'] === false && invoice.paid === true) ||
  (previous?.['status'] !== undefined && previous['status'] !== 'paid' && invoice.status === 'paid');

function invoice(happening: Happening): Text | null {
  const one = readInvoice(happening.object);
  if (happening.verb === 'upcoming') return { content: 'Upcoming invoice created' };
  if (
    happening.verb === 'updated' &&
    wasPaid(one, happening.previous) &&
    one.amount_paid &&
    one.amount_remaining === 0
  ) {
    return { content: `${link('Invoice', pageOf('invoices', one.id ?? ''))} is now paid` };
  }
  const did = usual(happening, INVOICE_DETAILS);
  if (did === null || happening.verb !== 'created') return did === null ? null : { content: did };
  const reason = one.billing_reason ? ` (${spaced(one.billing_reason)})` : '';
  const due = amount(one.amount_due, one.currency);
  return { content: `${did}${reason}\nTotal: ${amount(one.total, one.currency)}\nAmount due: ${due}` };
}

/** By the type of the event without its last part. */
const RESOURCES: Readonly<Record<string, Describe>> = {
  charge: ({ object, verb }) => {
    const { id, amount: units, currency, failure_code: code } = readCharge(object);
    const failure = code ? `. Failure code: ${code}` : '';
    return { content: `${linkedThing(id)} for ${amount(units, currency)} ${spaced(verb)}${failure}` };
  },
  'charge.dispute': (happening) => {
    const did = usual(happening);
    const { status } = readDispute(happening.object);
    return did === null ? null : { topic: 'disputes', content: `${did}. Current status: ${spaced(status)}.` };
  },
  'charge.refund': ({ object }) => {
    const { id, charge, amount: units, currency } = readRefund(object);
    const of = charge ? linkedThingWithin(charge) : 'charge';
    return {
      topic: 'refunds',
      content: `A ${linkedThingWithin(id)} for a ${of} of ${amount(units, currency)} was updated.`,
    };
  },
  customer,
  'customer.discount': ({ object, verb }) => {
    const { coupon } = readDiscount(object);
    return { content: `Discount ${spaced(verb)} (${link(coupon.name ?? coupon.id, pageOf('coupons', coupon.id))}).` };
  },
  'customer.subscription': subscription,
  invoice,
  invoiceitem: (happening) => {
    const { amount: units, currency } = readInvoiceItem(happening.object);
    const did = usual(happening, ['description', 'invoice']);
    if (did === null) return null;
    return { content: happening.verb === 'created' ? `${did} for ${amount(units, currency)}` : did };
  },
};

/** Kinds of events that make no message. */
const SILENT = new Set(
  `account application_fee balance capability checkout coupon payment_intent payment_method payout plan price product
  promotion_code radar reporting review setup_intent sigma source subscription_schedule tax_rate topup transfer`.split(
    /\s+/,
  ),
);

/** @param otherwise where it is about no customer */
function topicOf(object: Happening['object'], otherwise: string): string {
  const { customer: whose } = object as { readonly customer?: unknown };
  if (typeof whose === 'string' && whose !== '') return whose;
  const id = typeof whose === 'object' && whose !== null ? (whose as { readonly id?: unknown }).id : undefined;
  return typeof id === 'string' ? id : otherwise;
}

function translate(payload: unknown, at: Instant): TranslatedDelivery {
  const {
    type,
    data: { object, previous_attributes: previous },
  } = readEnvelope(payload);
  const parts = type.split('.');
  const resource = parts.slice(0, -1).join('.');
  const describe = Object.hasOwn(RESOURCES, resource) ? RESOURCES[resource] : undefined;
  if (!describe) return SILENT.has(parts[0] ?? '') ? [] : { unsupported: type };
  const text = describe({ verb: parts.at(-1) ?? '', object, previous: previous ?? null, at });
  return text
    ? [{ topic: text.topic ?? topicOf(object, `${spaced(parts[0] ?? STRIPE)}s`), content: text.content, event: type }]
    : [];
}

export const stripe: Integration = {
  name: 'stripe',
  displayName: STRIPE,
  caller: STRIPE,
  eventTypes: [
    'charge.dispute.closed',
    'charge.dispute.created',
    'charge.failed',
    'charge.refund.updated',
    'charge.succeeded',
    'customer.created',
    'customer.deleted',
    'customer.discount.created',
    'customer.subscription.created',
    'customer.subscription.deleted',
    'customer.subscription.trial_will_end',
    'customer.subscription.updated',
    'customer.updated',
    'invoice.created',
    'invoice.payment_failed',
    'invoice.updated',
    'invoiceitem.created',
  ],
  options: [],
  translate: ({ payload, at }) => translate(payload, at),
  deliveryId: ({ payload }) => readEnvelope(payload).id ?? undefined,
};
