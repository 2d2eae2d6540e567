import { AddressGuard } from '@annals/kernel';
import type { TrustedHeader } from '@annals/sign-in';
import type { HeaderEntry } from './file-schema';
import { mistake } from './mistake';
import { buttonOf, offeredOf } from './offered';

/** Headers that every client may send, or that have another meaning here. */
const NOT_FOR_NAMES = ['authorization', 'cookie', 'forwarded', 'host', 'origin', 'x-forwarded-for', 'x-forwarded-host'];

/** @throws CannotStart for a header that means something else, or networks that are none */
export function trustedHeaderOf(name: string, entry: HeaderEntry): TrustedHeader {
  const where = `/trusted_header/${name}`;
  const header = entry.header.toLowerCase();
  if (NOT_FOR_NAMES.includes(header)) throw mistake(where, `${entry.header} has another meaning`);
  try {
    for (const network of entry.networks) new AddressGuard(network);
  } catch {
    throw mistake(where, 'networks must be addresses or networks such as 10.1.2.3 and 10.2.0.0/16');
  }
  return {
    ...offeredOf(name, entry),
    ...buttonOf(entry, where, 'SSO'),
    header,
    networks: entry.networks,
    emailDomain: entry.email_domain ?? null,
    nameHeader: entry.full_name_header?.toLowerCase() ?? null,
  };
}
