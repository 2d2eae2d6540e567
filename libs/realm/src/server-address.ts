/** A host that mail can be addressed to: labels and a last one that is no number. */
const DOMAIN = /^(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z](?:[a-z0-9-]*[a-z0-9])?$/;
/** Stands in for hosts such as `localhost` and `127.0.0.1`; nobody can own it. */
const NO_DOMAIN = 'annals.invalid';

/** Under which address clients reach this server; the organization with subdomain `x` is at `x.` before its host. */
export class ServerAddress {
  private address = '';
  /** A dot and the host, which every request is held against. */
  private suffix = '';

  /** @param url scheme, host and port, without a slash at the end; may be set later, when the port is known */
  constructor(url: string) {
    this.url = url;
  }

  get url(): string {
    return this.address;
  }

  set url(url: string) {
    this.address = url;
    this.suffix = `.${new URL(url).hostname}`;
  }

  /** Canonical address of an organization. */
  urlOf(subdomain: string): string {
    if (subdomain === '') return this.url;
    const { protocol, host } = new URL(this.url);
    return `${protocol}//${subdomain}.${host}`;
  }

  /** The subdomain that a host name asks for; empty for any host that is none of ours, an address for example. */
  subdomainOf(host: string): string {
    return host.endsWith(this.suffix) ? host.slice(0, -this.suffix.length) : '';
  }
}

/** The domain of addresses that are made up in an organization: of bots, and placeholders `user{id}@…`. */
export function mailDomain(url: string): string {
  const host = new URL(url).hostname;
  return DOMAIN.test(host) ? host : NO_DOMAIN;
}
