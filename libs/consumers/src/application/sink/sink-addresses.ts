import type { OutgoingScope } from '@annals/kernel';
import { OutgoingRefused, OutgoingRequests } from '@annals/kernel';
import { Injectable } from '@nestjs/common';
import { reject } from '../../domain/rejections';
import type { SinkTarget } from '../../domain/sink/sink-target';
import { addressOf, sinkServer } from '../../domain/sink/sink-target';

/** For a name to be resolved. */
const SCOPE: OutgoingScope = { ms: 5_000, isSecure: true };

/**
 * To which addresses sinks may connect: the rule of webhooks. Without encryption only to the networks that the operator named,
 * so nobody on the way reads events.
 */
@Injectable()
export class SinkAddresses {
  constructor(private readonly outgoing: OutgoingRequests) {}

  /** The checked addresses of a name. @throws OutgoingRefused */
  of(host: string, isEncrypted: boolean): Promise<readonly string[]> {
    return this.outgoing.addresses(host, !isEncrypted, SCOPE);
  }

  /**
   * Whether a sink may be set. A name that cannot be resolved now is allowed: it is checked before each connection.
   *
   * @throws Rejected BAD_REQUEST
   */
  async ensureAllowed({ kind, servers }: SinkTarget, isKafkaEncrypted: boolean): Promise<void> {
    for (const written of servers) {
      const server = sinkServer(kind, written);
      if (!server) continue;
      try {
        await this.of(server.host, server.isEncrypted || isKafkaEncrypted);
      } catch (error) {
        if (!(error instanceof OutgoingRefused)) throw error;
        if (error.fault === 'address') throw reject.privateServer({ server: addressOf(server) });
        if (error.fault === 'insecure') throw reject.insecureServer({ server: addressOf(server) });
      }
    }
  }
}
