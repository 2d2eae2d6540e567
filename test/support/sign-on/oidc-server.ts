import { generateKeyPairSync } from 'node:crypto';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Provider } from 'oidc-provider';

/** Somebody at the provider: the claims of their tokens beside `sub`. */
export type OidcClaims = Readonly<Record<string, unknown>>;

export const OIDC_CLIENT = { client_id: 'annals', client_secret: 'the secret of this client at the provider' };

/** Seconds that everything at the provider is valid. */
const TTL = 3_600;

/** A certified provider of OpenID Connect on this machine. Whoever is named logs in there, and agrees to everything. */
export class OidcServer {
  readonly people = new Map<string, OidcClaims>();
  /** What ID tokens say beside `sub`. Left out: nothing, as the standard has it, so that clients ask for the rest. */
  readonly tokens = new Map<string, OidcClaims>();
  /** Its userinfo endpoint answers 503. */
  isUserinfoAway = false;
  private person = '';

  private constructor(
    private readonly server: Server,
    readonly issuer: string,
  ) {}

  /** @param redirectUris of the organizations that log in there; they may be added before the first request */
  static async start(redirectUris: string[]): Promise<OidcServer> {
    const server = createServer();
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const here = new OidcServer(server, issuer);
    here.serve(redirectUris);
    return here;
  }

  /**
   * Logs somebody in at the provider.
   *
   * @param url where the server sends the browser
   * @returns path and query of the server that the provider sends the browser back to
   */
  async logIn(url: string, person: string): Promise<string> {
    this.person = person;
    const jar = new Map<string, string>();
    let next = url;
    for (let step = 0; step < 10; step++) {
      const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
      const answer = await fetch(next, { redirect: 'manual', headers: { cookie } });
      for (const set of answer.headers.getSetCookie()) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
        jar.set(name, value);
      }
      const location = answer.headers.get('location');
      if (location === null) throw new Error(`the provider shows a page: ${await answer.text()}`);
      next = new URL(location, next).href;
      if (!next.startsWith(this.issuer)) return next.slice(new URL(next).origin.length);
    }
    throw new Error('the provider sends the browser around');
  }

  stop(): Promise<void> {
    this.server.closeAllConnections();
    return new Promise((closed) => this.server.close(() => closed()));
  }

  private serve(redirectUris: readonly string[]): void {
    let provider: Provider | undefined;
    this.server.on('request', (request: IncomingMessage, response: ServerResponse) => {
      provider ??= this.providerFor(redirectUris);
      if (!request.url?.startsWith('/interaction/')) void provider.callback()(request, response);
      else this.interact(provider, request, response).catch((error: unknown) => response.end(String(error)));
    });
  }

  private providerFor(redirectUris: readonly string[]): Provider {
    const provider = new Provider(this.issuer, {
      clients: [{ ...OIDC_CLIENT, redirect_uris: [...redirectUris], token_endpoint_auth_method: 'client_secret_post' }],
      claims: { email: ['email', 'email_verified'], profile: ['name'] },
      conformIdTokenClaims: false,
      pkce: { required: () => true },
      cookies: { keys: ['a key for the cookies of the provider'] },
      features: { devInteractions: { enabled: false } },
      ttl: { AccessToken: TTL, Grant: TTL, IdToken: TTL, Interaction: TTL, Session: TTL },
      jwks: { keys: [generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ format: 'jwk' })] },
      findAccount: (_, sub) => ({
        accountId: sub,
        claims: (use) => ({ sub, ...(use === 'id_token' ? this.tokens : this.people).get(sub) }),
      }),
    });
    // A provider that answers about somebody else: the claims of a person may have another subject.
    provider.use(async (context, next) => {
      await next();
      const body = context.body as { readonly sub: string };
      if (context.path === '/me' && this.isUserinfoAway) context.status = 503;
      else if (context.path === '/me') context.body = { ...body, sub: this.people.get(body.sub)?.['sub'] ?? body.sub };
    });
    return provider;
  }

  private async interact(provider: Provider, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { prompt, params } = await provider.interactionDetails(request, response);
    const accountId = this.person;
    if (accountId === '') return provider.interactionFinished(request, response, { error: 'access_denied' });
    if (prompt.name === 'login') return provider.interactionFinished(request, response, { login: { accountId } });
    const grant = new provider.Grant({ accountId, clientId: String(params['client_id']) });
    grant.addOIDCScope('openid email profile');
    await provider.interactionFinished(request, response, { consent: { grantId: await grant.save() } });
  }
}
