import { AddressGuard, Kernel } from '@annals/kernel';
import type { RealmId } from '@annals/kernel/domain';
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
    if (!new AddressGuard(networks.join()).isNamed(unmapped(sent.peer)) || !user) {
      const { peer } = sent;
      const reason = user ? 'its address is in none of the networks' : `it has no header ${header}`;
      this.kernel.options.log.warn({ provider, peer, reason }, 'A request for a login by proxy was refused');
      throw reject.refusedThere();
    }
    const written = user.includes('@') || emailDomain === null ? user : `${user}@${emailDomain}`;
    const verifiedEmail = addressOf(written);
    if (verifiedEmail === null) throw reject.addressUnusable();
    const fullName = (nameHeader !== null && sent.header(nameHeader)?.trim()) || null;
    return { method: 'RemoteUser', provider, identity: null, verifiedEmail, fullName, joinsAtOnce };
  }
}

/** An IPv4 address that a socket for IPv6 reports: `::ffff:10.1.2.3`. */
const unmapped = (peer: string) => peer.replace(/^::ffff:(?=\d+\.)/i, '');
