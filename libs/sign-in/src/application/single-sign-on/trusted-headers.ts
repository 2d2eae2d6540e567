import { AddressGuard, Kernel } from '@annals/kernel';
import type { RealmId } from '@annals/kernel/domain';
import { isSameEmail } from '@annals/users';
import { Injectable } from '@nestjs/common';
import { addressOf } from '../../domain/single-sign-on/addresses';
import type { ProvenPerson } from '../../domain/single-sign-on/flow';
import { reject } from '../../domain/single-sign-on/sign-on-rejections';
import { OfferedProviders } from './sign-on-providers';

/** A request as its headers are trusted: by the address that sent it, not by one that it names. */
export interface SentHeaders {
  /** The other end of the connection. */
  readonly peer: string;
  header(name: string): string | undefined;
}

/** People whom a proxy has logged in, and names in a header. */
@Injectable()
export class TrustedHeaders {
  constructor(
    private readonly kernel: Kernel,
    private readonly providers: OfferedProviders,
  ) {}

  /** @throws Rejected when the request does not come from a proxy of the file, or names nobody */
  async personOf(realmId: RealmId, sent: SentHeaders): Promise<ProvenPerson> {
    const [trusted] = await this.providers.of('headers', realmId);
    if (!trusted) throw reject.noSuchProvider();
    const { name: provider, header, networks, emailDomain, nameHeader, joinsAtOnce } = trusted;
    const user = sent.header(header)?.trim();
    const refused = (reason: string) =>
      this.kernel.options.log.warn({ provider, peer: sent.peer, reason }, 'A request for a login by proxy was refused');
    if (!new AddressGuard(networks.join()).isNamed(unmapped(sent.peer)) || !user) {
      refused(user ? 'its address is in none of the networks' : `it has no header ${header}`);
      throw reject.refusedThere();
    }
    const email = emailOf(user, emailDomain);
    if (email === null) refused('its header has an address of another domain than email_domain');
    const verifiedEmail = addressOf(email);
    if (verifiedEmail === null) throw reject.addressUnusable();
    const fullName = (nameHeader !== null && sent.header(nameHeader)?.trim()) || null;
    return { method: 'RemoteUser', provider, identity: null, verifiedEmail, fullName, joinsAtOnce };
  }
}

/**
 * The email that a header means. Null for an address of another domain than that of the names: where people choose their
 * user names at the proxy, one of them could be the address of somebody else.
 */
function emailOf(user: string, domain: string | null): string | null {
  if (domain === null) return user;
  const [name = ''] = user.split('@', 1);
  const email = `${name}@${domain}`;
  return !user.includes('@') || isSameEmail(user, email) ? email : null;
}

/** An IPv4 address that a socket for IPv6 reports: `::ffff:10.1.2.3`. */
const unmapped = (peer: string) => peer.replace(/^::ffff:(?=\d+\.)/i, '');
