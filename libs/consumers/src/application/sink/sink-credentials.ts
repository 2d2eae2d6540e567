import type { RealmId } from '@annals/kernel/domain';
import type { SinkTarget } from '../../domain/sink/sink-target';
import { addressOf, sinkServer } from '../../domain/sink/sink-target';

/** How this server logs in at an engine. */
export interface SinkCredential {
  /** `host:port` of each server that may be shown them. */
  readonly servers: readonly string[];
  /** Ids of the organizations whose consumers may use them. Left out: all. */
  readonly organizations?: readonly number[];
  readonly username?: string;
  readonly password?: string;
  /** NATS: a token. */
  readonly token?: string;
  /** NATS: the content of a `.creds` file. */
  readonly creds?: string;
  /** Kafka: how name and password are shown. */
  readonly mechanism?: 'PLAIN' | 'SCRAM-SHA-256' | 'SCRAM-SHA-512';
  /** Kafka: whether connections are encrypted. The addresses of others say so. */
  readonly tls?: boolean;
  /** The certificate behind those of the servers, as PEM text. Left out: those that Node.js trusts. */
  readonly ca?: string;
  /** The certificate of this server and its key. */
  readonly cert?: string;
  readonly key?: string;
}

/** What TLS connections are made with, beside the certificates that Node.js trusts. */
export const certificatesOf = (credential: SinkCredential | null): Pick<SinkCredential, 'ca' | 'cert' | 'key'> => {
  const { ca, cert, key } = credential ?? {};
  return {
    ...(ca === undefined ? {} : { ca }),
    ...(cert === undefined ? {} : { cert }),
    ...(key === undefined ? {} : { key }),
  };
};

/**
 * The credentials of the settings, by name. Consumers name them and never see them. Each is for servers that the operator
 * named: who manages a consumer cannot have them sent anywhere else.
 */
export class SinkCredentials {
  constructor(private readonly all: Readonly<Record<string, SinkCredential>>) {}

  /** Null if the target names none. Undefined if it may not have those that it names: they do not exist, or not for it. */
  for(realmId: RealmId, { kind, servers, credentials }: SinkTarget): SinkCredential | null | undefined {
    if (credentials === null) return null;
    const found = Object.hasOwn(this.all, credentials) ? this.all[credentials] : undefined;
    if (!found || (found.organizations && !found.organizations.includes(realmId))) return undefined;
    const isFor = (written: string) => {
      const server = sinkServer(kind, written);
      return server !== null && found.servers.includes(addressOf(server));
    };
    return servers.every(isFor) ? found : undefined;
  }
}
