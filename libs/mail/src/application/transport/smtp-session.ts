import type SMTPConnection from 'nodemailer/lib/smtp-connection';
import type { SmtpAccess } from '../mail-options';
import type { OutgoingMail } from './mail-transport';
import { failureOf } from './smtp-failures';

/** How long each step may take, in ms. */
const CONNECTION_MS = 10_000;
const SILENCE_MS = 30_000;
const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|::1)$/i;

/**
 * How a connection is encrypted. Credentials are sent over TLS only, except on this machine. Without credentials TLS is used
 * where the server offers it: then it protects against readers only, so its certificate is not checked.
 */
export function tlsOf({
  host,
  isSecure,
  login,
}: SmtpAccess): Pick<SMTPConnection.Options, 'secure' | 'requireTLS' | 'ignoreTLS' | 'tls'> {
  const isLocal = LOOPBACK.test(host);
  const mustEncrypt = !isSecure && login !== null && !isLocal;
  return {
    secure: isSecure,
    requireTLS: mustEncrypt,
    ignoreTLS: isLocal && !isSecure,
    tls: { rejectUnauthorized: isSecure || mustEncrypt },
  };
}

/** A connection to a mail server. */
export class SmtpSession {
  /** Whether it can take another mail. */
  isOpen = true;
  private fail: (error: unknown) => void = () => undefined;

  private constructor(
    private readonly access: SmtpAccess,
    private readonly connection: SMTPConnection,
  ) {
    const ended = (error: unknown) => {
      this.isOpen = false;
      this.fail(error);
    };
    connection.on('error', ended);
    connection.on('end', () => ended({ code: 'ECONNECTION' }));
  }

  /** The client of SMTP is loaded with the first mail. */
  static async to(access: SmtpAccess): Promise<SmtpSession> {
    const { default: Connection } = await import('nodemailer/lib/smtp-connection');
    const { host, port } = access;
    const connection = new Connection({
      ...{ host, port, ...tlsOf(access) },
      ...{ connectionTimeout: CONNECTION_MS, greetingTimeout: SILENCE_MS, socketTimeout: SILENCE_MS },
    });
    return new SmtpSession(access, connection);
  }

  /** Connects, and logs in where there are credentials. @throws MailFailure */
  async open(): Promise<void> {
    const { login } = this.access;
    try {
      await this.step((done) => this.connection.connect(done));
      if (login) await this.step((done) => this.connection.login({ user: login.user, pass: login.password }, done));
    } catch (error) {
      throw failureOf(error);
    }
  }

  /** @returns the answer of the server @throws MailFailure */
  async send({ envelope, raw }: OutgoingMail): Promise<string> {
    try {
      const message = { ...envelope, size: raw.length, use8BitMime: true };
      const sent = await this.step<{ response: string }>((done) => this.connection.send(message, raw, done));
      return sent?.response ?? '';
    } catch (error) {
      throw failureOf(error);
    }
  }

  /** Says goodbye. */
  quit(): void {
    this.isOpen = false;
    this.connection.quit();
  }

  /** Ends the connection at once. What is under way fails. */
  close(): void {
    this.isOpen = false;
    this.connection.close();
    this.fail({ code: 'ECONNECTION' });
  }

  private async step<Result>(
    begin: (done: (error?: Error | null, result?: Result) => void) => void,
  ): Promise<Result | undefined> {
    try {
      return await new Promise<Result | undefined>((resolve, reject) => {
        this.fail = reject;
        begin((error, result) => (error ? reject(error) : resolve(result)));
      });
    } finally {
      this.fail = () => undefined;
    }
  }
}
