import type { Button, Offered } from '@annals/sign-in';
import { mistake } from './mistake';

interface OfferedEntry {
  readonly organizations?: readonly string[];
}

interface ButtonEntry {
  readonly display_name?: string;
  readonly display_icon?: string;
  readonly auto_signup?: boolean;
}

export const offeredOf = (name: string, { organizations }: OfferedEntry): Offered => ({
  name,
  organizations: organizations ?? null,
});

/** @throws CannotStart for an icon that is no address of a picture */
export function buttonOf(entry: ButtonEntry, where: string, otherwise: string): Button {
  const { display_name: displayName = otherwise, display_icon: displayIcon = null, auto_signup } = entry;
  if (displayIcon !== null && !/^https:\/\//.test(displayIcon)) {
    throw mistake(where, 'display_icon must begin with https://');
  }
  return { displayName, displayIcon, joinsAtOnce: auto_signup ?? false };
}

/** @throws CannotStart unless it is an https URL; http is for this machine only */
export function ensureSecureUrl(url: string, where: string, name: string): void {
  if (URL.canParse(url) && isSecure(new URL(url))) return;
  throw mistake(where, `${name} must look like https://id.example.com; http is for this machine only`);
}

const isSecure = ({ protocol, hostname }: URL) =>
  protocol === 'https:' || (protocol === 'http:' && /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(hostname));

/** @throws CannotStart when an organization would have two of a kind that it can have only once */
export function ensureOneEach(kind: string, all: readonly Offered[]): void {
  for (const [n, one] of all.entries()) {
    const other = all.slice(0, n).find((earlier) => overlap(earlier, one));
    if (other) throw mistake(`/${kind}`, `${other.name} and ${one.name} are for the same organization`);
  }
}

const overlap = (a: Offered, b: Offered) =>
  a.organizations === null || b.organizations === null || a.organizations.some((one) => b.organizations?.includes(one));
