import { Kernel } from '@annals/kernel';
import { Injectable } from '@nestjs/common';
import type { Configuration } from 'openid-client';
import * as client from 'openid-client';
import type { OidcProvider } from '../../../domain/single-sign-on/providers';

interface Discovered {
  readonly configuration: Promise<Configuration>;
  /** Ms since the epoch. */
  readonly at: number;
  /** Seconds by which the clock of this server is ahead of that of the machine, which the library reads. */
  readonly skew: number;
}

/** How long the endpoints of a provider are remembered. Its keys are asked for whenever a token names another one. */
const REMEMBERED_MS = 60 * 60_000;
const TIMEOUT_SECONDS = 10;
/** Seconds by which the clocks of server and provider may differ. */
const TOLERANCE = 30;
/** Seconds that the two clocks of this server may drift apart before the library is told. */
const MAX_DRIFT = 5;

/** What is known about providers of OpenID Connect. Each process asks them itself. */
@Injectable()
export class OidcClients {
  private readonly discovered = new Map<OidcProvider, Discovered>();

  constructor(private readonly kernel: Kernel) {}

  /** @throws Error when the provider cannot be reached, or describes another issuer */
  of(provider: OidcProvider): Promise<Configuration> {
    const known = this.discovered.get(provider);
    const at = this.kernel.clock.now();
    const skew = Math.round((at - Date.now()) / 1000);
    if (known && at - known.at < REMEMBERED_MS && Math.abs(skew - known.skew) <= MAX_DRIFT) return known.configuration;
    const configuration = discover(provider, skew);
    const entry: Discovered = { configuration, at, skew };
    this.discovered.set(provider, entry);
    configuration.catch(() => {
      if (this.discovered.get(provider) === entry) this.discovered.delete(provider);
    });
    return configuration;
  }
}

function discover({ issuer, clientId, clientSecret }: OidcProvider, skew: number): Promise<Configuration> {
  const url = new URL(issuer);
  // Signatures of tokens are checked although TLS protects them too.
  const execute = [client.enableNonRepudiationChecks];
  // The file allows http for this machine only.
  if (url.protocol === 'http:') execute.push(client.allowInsecureRequests);
  const metadata = { client_secret: clientSecret, [client.clockTolerance]: TOLERANCE, [client.clockSkew]: skew };
  return client.discovery(url, clientId, metadata, undefined, { execute, timeout: TIMEOUT_SECONDS });
}
