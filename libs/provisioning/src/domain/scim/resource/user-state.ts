import { ROLE_NAMES, Role, roleName } from '@annals/kernel/domain';
import type { JsonValue, JsonObject } from '../json';
import { isList, isObject } from '../json';
import { reject } from '../rejections';

/** What a directory says of a person beside what the account has itself. Null for what it does not say. */
export interface UserDescription {
  readonly externalId: string | null;
  readonly givenName: string | null;
  readonly familyName: string | null;
  readonly locale: string | null;
  readonly timezone: string | null;
}

/** A person as a directory sees it. */
export interface UserState {
  readonly email: string;
  readonly fullName: string;
  readonly isActive: boolean;
  readonly role: Role;
  readonly description: UserDescription;
}

export const NOT_DESCRIBED: UserDescription = {
  externalId: null,
  givenName: null,
  familyName: null,
  locale: null,
  timezone: null,
};

/** A new person, before the first attributes of the request are read. */
export const NEW_USER: JsonObject = { active: true, role: 'member', roles: [{ value: 'member', primary: true }] };

/** The attributes of a user that requests may change (RFC 7643 section 4.1). */
export function attributesOf({ email, fullName, isActive, role, description }: UserState): JsonObject {
  const { externalId, locale, timezone } = description;
  const ownRole = roleName(role);
  return withoutNulls({
    externalId,
    userName: email,
    name: nameParts(fullName, description),
    displayName: fullName,
    active: isActive,
    role: ownRole,
    roles: [{ value: ownRole, primary: true }],
    locale,
    timezone,
  });
}

/** What is left of a user when a request replaces it: the attributes that always have a value, without the name. */
export function keptByReplacement(state: UserState): JsonObject {
  const { userName, active, role, roles } = attributesOf(state);
  return withoutNulls({ userName: userName ?? null, active: active ?? null, role: role ?? null, roles: roles ?? null });
}

/** Given and family name: what the directory said, or the full name around its first space. */
export function nameParts(fullName: string, { givenName, familyName }: UserDescription): JsonObject {
  if (givenName !== null || familyName !== null) return withoutNulls({ formatted: fullName, familyName, givenName });
  const space = fullName.indexOf(' ');
  if (space < 0) return { formatted: fullName, givenName: fullName };
  return { formatted: fullName, familyName: fullName.slice(space + 1), givenName: fullName.slice(0, space) };
}

/** A person with these attributes. @param before null for a new one @throws Rejected INVALID_VALUE */
export function stateWith(attributes: JsonObject, before: UserState | null): UserState {
  const { userName, active } = attributes;
  const email = textOf(userName);
  if (email === null) throw reject.value({ why: 'userName is the email address of the person.' });
  const name = isObject(attributes.name) ? attributes.name : {};
  const wanted: WantedName = {
    formatted: textOf(name.formatted),
    displayName: textOf(attributes.displayName),
    givenName: textOf(name.givenName),
    familyName: textOf(name.familyName),
  };
  return {
    email,
    fullName: fullNameOf(wanted, before) ?? nameFromEmail(email),
    isActive: active !== false,
    role: roleOf(attributes, before),
    description: {
      externalId: textOf(attributes.externalId),
      ...partsSaid(wanted, before),
      locale: textOf(attributes.locale),
      timezone: textOf(attributes.timezone),
    },
  };
}

interface WantedName {
  readonly formatted: string | null;
  readonly displayName: string | null;
  readonly givenName: string | null;
  readonly familyName: string | null;
}

/** The first of the names that differs from the present one: the whole name before its parts. */
function fullNameOf({ formatted, displayName, givenName, familyName }: WantedName, before: UserState | null) {
  const joined = [givenName, familyName].filter((part) => part !== null).join(' ') || null;
  if (!before) return formatted ?? displayName ?? joined;
  const { fullName, description } = before;
  const whole = [formatted, displayName].find((name) => name !== null && name !== fullName);
  if (whole !== undefined && whole !== null) return whole;
  const parts = nameParts(fullName, description);
  const differs = givenName !== textOf(parts.givenName) || familyName !== textOf(parts.familyName);
  return joined !== null && differs ? joined : fullName;
}

/** Given and family name that were made of the full name are not what a directory said. */
function partsSaid({ givenName, familyName }: WantedName, before: UserState | null) {
  if (before && before.description.givenName === null && before.description.familyName === null) {
    const made = nameParts(before.fullName, NOT_DESCRIBED);
    if (givenName === textOf(made.givenName) && familyName === textOf(made.familyName))
      return { givenName: null, familyName: null };
  }
  return { givenName, familyName };
}

/** A person without a name is called like the address, until the directory or the person says another name. */
function nameFromEmail(email: string): string {
  const [local = ''] = email.split('@');
  return local.length > 1 ? local : email.replace('@', ' at ');
}

/** `roles` or `role`, whichever says something new. @throws Rejected INVALID_VALUE */
function roleOf({ role, roles }: JsonObject, before: UserState | null): Role {
  const present = before ? roleName(before.role) : 'member';
  const listed = isList(roles) ? roles.filter(isObject) : [];
  const chosen = listed.findLast((one) => one.primary === true) ?? listed.at(-1);
  const wanted = [textOf(chosen?.value), textOf(role)].find((name) => name !== null && name !== present);
  const name = ROLE_NAMES.find((one) => one === (wanted ?? present).toLowerCase());
  if (name === undefined) throw reject.value({ why: `A role is one of ${ROLE_NAMES.join(', ')}.` });
  return Role[name];
}

const textOf = (value: JsonValue | undefined): string | null =>
  typeof value === 'string' && value !== '' ? value : null;

const withoutNulls = (object: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(object).filter(([, value]) => value !== null));
