import { isIP } from 'node:net';

/** A host that can be in an email: labels and a last one that is no number. */
const DOMAIN = /^(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z](?:[a-z0-9-]*[a-z0-9])?$/;
/** Replaces hosts such as `localhost` and `127.0.0.1`. Nobody can register it. */
const NO_DOMAIN = 'annals.invalid';

/** The addresses of this machine itself. It is also `localhost`, and names below that lead to it without a name server. */
const LOOPBACK = /^(?:127(?:\.\d{1,3}){3}|\[::1\])$/;

/**
 * The base URL that clients use. The organization with subdomain `x` is at `x.` before its host. No name is below an IP
 * address, so below that of this machine it is at `x.localhost`.
 */
export class ServerAddress {
  private address = '';
  private host = '';
  /** A dot and the host that names are below, to compare with the host of every request. */
  private suffix = '';

  /** @param url scheme, host and port, without a slash at the end. It may be set later, when the port is known */
  constructor(url: string) {
    this.url = url;
  }

  get url(): string {
    return this.address;
  }

  set url(url: string) {
    this.address = url;
    this.host = new URL(url).hostname;
    this.suffix = `.${LOOPBACK.test(this.host) ? 'localhost' : this.host}`;
  }

  /** Whether names can be below it: it is no IP address of another machine. */
  get hasNames(): boolean {
    return isIP(this.suffix.slice(1).replace(/^\[|\]$/g, '')) === 0;
  }

  /** Base URL of an organization. */
  urlOf(subdomain: string): string {
    if (subdomain === '') return this.url;
    const { protocol, port } = new URL(this.url);
    return `${protocol}//${subdomain}${this.suffix}${port === '' ? '' : `:${port}`}`;
  }

  /** Whether a host name can only mean an organization by its subdomain: the server's own one and those below it. */
  isOwn(host: string): boolean {
    return host === this.host || `.${host}`.endsWith(this.suffix);
  }

  /** The subdomain of a host name. Empty for any other host, for example an IP address. */
  subdomainOf(host: string): string {
    return host.endsWith(this.suffix) ? host.slice(0, -this.suffix.length) : '';
  }
}

/** The address of a server with one organization, which every host name means. */
export class SingleOrganizationAddress extends ServerAddress {
  constructor(
    url: string,
    private readonly subdomain: string,
  ) {
    super(url);
  }

  override urlOf(): string {
    return this.url;
  }

  override isOwn(): boolean {
    return true;
  }

  override subdomainOf(): string {
    return this.subdomain;
  }
}

/**
 * The domain of generated emails of an organization: those of bots, and placeholders `user{id}@…`. The address of a
 * subdomain of an IP address is no URL, unless it is one of this machine: such an organization is used by host names of its own.
 */
export function mailDomain(url: string): string {
  const host = URL.canParse(url) ? new URL(url).hostname : '';
  return DOMAIN.test(host) ? host : NO_DOMAIN;
}
