import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { SMTPServer } from 'smtp-server';
import { CallRecorder } from '../events/call-recorder';

/** What a mail server does with the next mails. */
export type MailServerBehaviour =
  | 'accepts'
  | 'refuses'
  | 'defers'
  | 'refuses the text'
  | 'is full'
  | 'ends'
  | 'breaks the connection'
  /** It accepts, and then says nothing. */
  | 'is mute';

export interface ReceivedMail {
  readonly envelope: { readonly from: string; readonly to: readonly string[] };
  readonly raw: Buffer;
  /** Who logged in, if anybody. */
  readonly user: string | null;
}

interface Answer extends Error {
  responseCode?: number;
}
const answer = (code: number, text: string): Answer => Object.assign(new Error(text), { responseCode: code });

const AT_RECIPIENT: Partial<Record<MailServerBehaviour, () => Answer>> = {
  refuses: () => answer(550, '5.1.1 Nobody of that name here'),
  defers: () => answer(450, '4.2.0 Greylisted, try again'),
  ends: () => answer(421, '4.3.2 Going down'),
};
const AT_TEXT: Partial<Record<MailServerBehaviour, () => Answer>> = {
  'refuses the text': () => answer(554, '5.7.1 Looks like spam'),
  'is full': () => answer(452, '4.3.1 No space'),
};

/** A real mail server on this machine, which keeps what it receives. It lets `annals` in with `a pass word`. */
export class MailServer {
  /** Mails that it accepted, the oldest first. */
  readonly received: ReceivedMail[] = [];
  /** How often somebody connected. */
  connections = 0;
  private readonly texts = new CallRecorder<[]>();
  private seen = 0;
  private behaviour: MailServerBehaviour = 'accepts';
  private server: SMTPServer;

  private constructor() {
    this.server = this.create();
  }

  static async start(): Promise<MailServer> {
    const server = new MailServer();
    await server.listen(0);
    return server;
  }

  get port(): number {
    return (this.server.server.address() as AddressInfo).port;
  }

  /** Settings of a server that sends through this one. */
  get env(): Record<string, string> {
    return { ANNALS_SMTP_URL: `smtp://127.0.0.1:${this.port}`, ANNALS_MAIL_FROM: 'chat@mail.example.com' };
  }

  behaves(behaviour: MailServerBehaviour): void {
    this.behaviour = behaviour;
    this.seen = this.texts.calls.length;
  }

  /** Resolves when a text has arrived since its behaviour changed. */
  async reachedText(): Promise<void> {
    await this.texts.atLeast(this.seen + 1);
  }

  /** Ends all connections, and takes new ones. */
  async hangUp(): Promise<void> {
    const { port } = this;
    await this.stop();
    this.server = this.create();
    await this.listen(port);
  }

  /** Ends everything. Clients are cut off. */
  async stop(): Promise<void> {
    this.cut();
    await new Promise<void>((resolve) => this.server.close(() => resolve()));
  }

  /** Cuts all clients off. */
  private cut(): void {
    for (const connection of this.server.connections) (connection as { close(): void }).close();
  }

  private listen(port: number): Promise<void> {
    return new Promise((resolve) => this.server.listen(port, '127.0.0.1', () => resolve()));
  }

  private create(): SMTPServer {
    return new SMTPServer({
      authOptional: true,
      allowInsecureAuth: true,
      disabledCommands: ['STARTTLS'],
      closeTimeout: 1,
      onConnect: (_session, done) => {
        this.connections += 1;
        done();
      },
      onAuth: ({ username, password }, _session, done) =>
        username === 'annals' && password === 'a pass word'
          ? done(null, { user: username })
          : done(answer(535, '5.7.8 Wrong password')),
      onRcptTo: (_address, _session, done) => done(AT_RECIPIENT[this.behaviour]?.()),
      onData: (stream, session, done) => {
        void buffer(stream).then((raw) => {
          this.texts.listener();
          const failure = AT_TEXT[this.behaviour]?.();
          if (failure) return done(failure);
          if (this.behaviour === 'breaks the connection') return this.cut();
          const { mailFrom, rcptTo } = session.envelope;
          const to = rcptTo.map(({ address }) => address);
          const from = mailFrom === false ? '' : mailFrom.address;
          this.received.push({ envelope: { from, to }, raw, user: (session.user as string | undefined) ?? null });
          if (this.behaviour !== 'is mute') done(null, 'taken');
        });
      },
    });
  }
}
