import { addressOf } from './addresses';
import type { ProvenPerson } from './flow';
import type { ProviderIdentity } from './identities';
import type { SamlProvider } from './providers';

/** An element of XML as it was parsed: its text, its attributes, and its children by name. */
export interface XmlElement {
  readonly _?: string;
  readonly $?: Readonly<Record<string, string>>;
  readonly [child: string]: unknown;
}

/** What an assertion must belong to. */
export interface ExpectedAssertion {
  /** The entity id of the organization as a service. */
  readonly audience: string;
  /** The address that the assertion is sent to. */
  readonly recipient: string;
  /** Ms since the epoch. */
  readonly now: number;
}

/** An assertion that is valid here and now. Whether it was used before is another question. */
export interface CheckedAssertion {
  readonly id: string;
  /** The request that it answers. Null for a login that began at the provider. */
  readonly inResponseTo: string | null;
  /** From then on it is not valid any more. Ms since the epoch. */
  readonly until: number;
  readonly person: ProvenPerson;
}

/** Ms by which the clocks may differ. */
const SKEW = 60_000;
const BEARER = 'urn:oasis:names:tc:SAML:2.0:cm:bearer';
const TRANSIENT = 'urn:oasis:names:tc:SAML:2.0:nameid-format:transient';

/**
 * Checks an assertion whose signature was verified, by the profile for browsers (SAML 2.0 Profiles, section 4.1.4).
 *
 * @throws Error that says what is wrong with it, for the operator
 */
export function checkedAssertion(
  provider: SamlProvider,
  assertion: XmlElement,
  expected: ExpectedAssertion,
): CheckedAssertion {
  const issuer = textIn(assertion, 'Issuer');
  if (issuer !== provider.entityId) throw new Error('the issuer of the assertion is another one');
  const id = assertion.$?.['ID'];
  if (!id) throw new Error('the assertion has no ID');
  if (childrenOf(assertion, 'AuthnStatement').length === 0) throw new Error('the assertion is about no login');
  const untilByConditions = checkConditions(only(assertion, 'Conditions'), expected);
  const subject = only(assertion, 'Subject');
  const confirmed = checkSubject(subject, expected);
  const until = Math.max(untilByConditions, confirmed.until) + SKEW;
  return { id, inResponseTo: confirmed.inResponseTo, until, person: personOf(provider, assertion, subject) };
}

function checkConditions(conditions: XmlElement, { audience, now }: ExpectedAssertion): number {
  const until = ensureNow(conditions, now, 'the assertion');
  const restrictions = childrenOf(conditions, 'AudienceRestriction');
  const admits = (restriction: XmlElement) =>
    childrenOf(restriction, 'Audience').some(({ _: text }) => text === audience);
  if (restrictions.length === 0 || !restrictions.every(admits))
    throw new Error('the audience is not this organization');
  return until;
}

/** One confirmation must be that of a browser that brings the assertion here. */
function checkSubject(
  subject: XmlElement,
  { recipient, now }: ExpectedAssertion,
): { readonly until: number; readonly inResponseTo: string | null } {
  const bearers = childrenOf(subject, 'SubjectConfirmation').filter(({ $ }) => $?.['Method'] === BEARER);
  if (bearers.length !== 1) throw new Error('the subject has no confirmation for a browser, or several');
  const data = only(bearers[0] ?? {}, 'SubjectConfirmationData');
  if (data.$?.['Recipient'] !== recipient) throw new Error('the recipient is another address');
  if (data.$['NotOnOrAfter'] === undefined) throw new Error('the confirmation does not end');
  return { until: ensureNow(data, now, 'the confirmation'), inResponseTo: data.$['InResponseTo'] ?? null };
}

/** @returns when it ends, 0 if it says nothing about that */
function ensureNow({ $ = {} }: XmlElement, now: number, what: string): number {
  const [from, until] = [instantOf($['NotBefore']), instantOf($['NotOnOrAfter'])];
  if (from !== null && now + SKEW < from) throw new Error(`${what} is not valid yet`);
  if (until !== null && now - SKEW >= until) throw new Error(`${what} has expired`);
  return until ?? 0;
}

function instantOf(text: string | undefined): number | null {
  if (text === undefined) return null;
  const at = Date.parse(text);
  if (Number.isNaN(at)) throw new Error('a time cannot be read');
  return at;
}

/** Some providers have one name for SAML and for OpenID Connect, and know people by other names in each. */
const identityAt = (entityId: string, subject: string): ProviderIdentity => ({ issuer: `saml:${entityId}`, subject });

function personOf(provider: SamlProvider, assertion: XmlElement, subject: XmlElement): ProvenPerson {
  const { name, entityId, attributes, allEmailsVerified, joinsAtOnce } = provider;
  const nameId = only(subject, 'NameID');
  const id = nameId._?.trim() ?? '';
  if (id === '') throw new Error('the subject has no NameID');
  const values = attributesIn(assertion);
  const value = (attribute: string | null) => (attribute === null ? undefined : values.get(attribute));
  const parts = [value(attributes.firstName), value(attributes.lastName)].filter((part) => part !== undefined);
  const fullName = (value(attributes.fullName) ?? parts.join(' ')).trim();
  return {
    method: 'SAML',
    provider: name,
    // A transient name is another one with each login.
    identity: nameId.$?.['Format'] === TRANSIENT ? null : identityAt(entityId, id),
    verifiedEmail: allEmailsVerified ? addressOf(attributes.email === null ? id : value(attributes.email)) : null,
    fullName: fullName === '' ? null : fullName,
    joinsAtOnce,
  };
}

/** Attributes with one value. Of one with several, none is the right one. */
function attributesIn(assertion: XmlElement): ReadonlyMap<string, string> {
  const all = childrenOf(assertion, 'AttributeStatement').flatMap((one) => childrenOf(one, 'Attribute'));
  return new Map(
    all.flatMap((attribute) => {
      const [value, ...more] = childrenOf(attribute, 'AttributeValue');
      const name = attribute.$?.['Name'];
      return name === undefined || value?._ === undefined || more.length > 0 ? [] : [[name, value._] as const];
    }),
  );
}

function childrenOf(element: XmlElement, name: string): readonly XmlElement[] {
  const children = Object.hasOwn(element, name) ? element[name] : [];
  // An element without attributes and children is parsed as its text alone.
  return (children as readonly (XmlElement | string)[]).map((child) =>
    typeof child === 'string' ? { _: child } : child,
  );
}

function only(element: XmlElement, name: string): XmlElement {
  const [one, ...more] = childrenOf(element, name);
  if (!one || more.length > 0) throw new Error(`the assertion needs one ${name}`);
  return one;
}

const textIn = (element: XmlElement, name: string): string => only(element, name)._ ?? '';
