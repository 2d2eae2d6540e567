import type { SmtpAccess } from '../mail-options';
import { MailFailure } from '../../domain/mail-failure';
import type { OutgoingMail } from './mail-transport';
import { MailTransport } from './mail-transport';
import { SmtpSession } from './smtp-session';

/** How long one attempt may take, in ms, connecting included. Shorter than the lease of a task. */
const ATTEMPT_MS = 45_000;
/** How long no mail is tried after the server was away, in ms. */
const AWAY_MS = 5_000;
/** Mails over one connection, and how long it is kept without one, in ms. Servers limit both. */
const MAILS = 100;
const IDLE_MS = 5_000;

interface Kept {
  readonly session: SmtpSession;
  readonly sent: number;
  readonly timer: NodeJS.Timeout;
}

/** Hands mails to a mail server. Connections are used for several mails. */
export class SmtpTransport extends MailTransport {
  private readonly idle: Kept[] = [];
  private readonly busy = new Set<SmtpSession>();
  private awayUntil = 0;
  private isClosed = false;

  constructor(private readonly access: SmtpAccess) {
    super();
  }

  override get where(): string {
    return `SMTP at ${this.access.host}:${this.access.port}`;
  }

  override get isAway(): boolean {
    return performance.now() < this.awayUntil;
  }

  override async send(mail: OutgoingMail): Promise<string> {
    try {
      const answer = await this.overSome(mail);
      this.awayUntil = 0;
      return answer;
    } catch (error) {
      if (error instanceof MailFailure && error.concernsServer) this.awayUntil = performance.now() + AWAY_MS;
      throw error;
    }
  }

  override async close(): Promise<void> {
    this.isClosed = true;
    for (const { session, timer } of this.idle.splice(0)) {
      clearTimeout(timer);
      session.quit();
    }
    for (const session of this.busy) session.close();
  }

  /** Over a connection that is open, or else over a new one. The server may have closed an open one unnoticed. */
  private async overSome(mail: OutgoingMail): Promise<string> {
    const kept = this.takeIdle();
    if (!kept) return this.overNew(mail);
    try {
      return await this.attempt(mail, kept.session, kept.sent);
    } catch (error) {
      if (error instanceof MailFailure && error.trouble === 'away') return this.overNew(mail);
      throw error;
    }
  }

  private async overNew(mail: OutgoingMail): Promise<string> {
    return this.attempt(mail, await SmtpSession.to(this.access), 0);
  }

  /** @param sent how many mails the connection has carried; a new one is opened first */
  private async attempt(mail: OutgoingMail, session: SmtpSession, sent: number): Promise<string> {
    if (this.isClosed) throw new MailFailure('away', 'this server ends');
    const deadline = setTimeout(() => session.close(), ATTEMPT_MS);
    this.busy.add(session);
    try {
      if (sent === 0) await session.open();
      const answer = await session.send(mail);
      this.keep(session, sent + 1);
      return answer;
    } catch (error) {
      session.close();
      throw error;
    } finally {
      clearTimeout(deadline);
      this.busy.delete(session);
    }
  }

  /** A connection that the server has closed meanwhile is no use. */
  private takeIdle(): Kept | undefined {
    for (let kept = this.idle.pop(); kept !== undefined; kept = this.idle.pop()) {
      clearTimeout(kept.timer);
      if (kept.session.isOpen) return kept;
    }
    return undefined;
  }

  private keep(session: SmtpSession, sent: number): void {
    if (!session.isOpen) return;
    if (sent >= MAILS) return session.quit();
    const timer = setTimeout(() => {
      this.idle.splice(
        this.idle.findIndex((kept) => kept.session === session),
        1,
      );
      session.quit();
    }, IDLE_MS);
    timer.unref();
    this.idle.push({ session, sent, timer });
  }
}
