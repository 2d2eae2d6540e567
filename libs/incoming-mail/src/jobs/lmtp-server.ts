import type { AddressInfo } from 'node:net';
import type { Kernel } from '@annals/kernel';
import type { SMTPServer, SMTPServerDataStream, SMTPServerSession } from 'smtp-server';
import type { MailReceiver } from '../application/mail-receiver';
import { RefusedMail, refuse } from '../domain/refused-mail';

/** Largest mail, in bytes. */
export const MAX_MAIL_BYTES = 32 * 1024 * 1024;
/** Connections at a time, and how long a silent one is kept, in ms. */
const CONNECTIONS = 20;
const SILENCE_MS = 120_000;
const CLOSE_MS = 5_000;

/** Where it listens. */
export interface LmtpOptions {
  readonly host: string;
  /** 0 takes a free one. */
  readonly port: number;
}

type Answer = Error & { responseCode?: number };

/**
 * Takes mails from the mail server of the operator by LMTP (RFC 2033). Each address of a mail has an answer of its own, given when the
 * message is stored. It knows no passwords, so only that mail server may reach its port.
 */
export class LmtpServer {
  private server: SMTPServer | null = null;

  constructor(
    private readonly kernel: Pick<Kernel, 'options'>,
    private readonly receiver: MailReceiver,
    private readonly options: LmtpOptions,
  ) {}

  /** The port that it got. */
  get port(): number {
    return (this.server?.server.address() as AddressInfo | undefined)?.port ?? 0;
  }

  /** @throws Error when the port is taken */
  async start(): Promise<void> {
    const { SMTPServer: Server } = await import('smtp-server');
    const server = new Server({
      ...{ lmtp: true, authOptional: true, disabledCommands: ['AUTH', 'STARTTLS'], disableReverseLookup: true },
      ...{ size: MAX_MAIL_BYTES, maxClients: CONNECTIONS, socketTimeout: SILENCE_MS, closeTimeout: CLOSE_MS },
      onRcptTo: ({ address }, _session, done) => {
        this.answerOf(() => this.receiver.ensureKnown(address)).then((answer) => done(answer), done);
      },
      onData: (stream, session, done) => {
        this.answers(stream, session).then((answers) => done(null, answers), done);
      },
    });
    server.on('error', (err) => this.kernel.options.log.warn({ err }, 'a connection that delivers mail failed'));
    this.server = server;
    const { host, port } = this.options;
    await new Promise<void>((resolve, reject) => {
      server.server.once('error', reject);
      server.listen(port, host, () => resolve());
    });
  }

  /** Mails that are not answered yet are delivered again. */
  async stop(): Promise<void> {
    const { server } = this;
    if (server) await new Promise<void>((resolve) => server.close(() => resolve()));
  }

  private async answers(stream: SMTPServerDataStream, { envelope }: SMTPServerSession): Promise<(Answer | string)[]> {
    const raw = await contentOf(stream);
    const answers: (Answer | string)[] = [];
    for (const { address: to } of envelope.rcptTo) {
      const answer = await this.answerOf(async () => {
        if (raw === null) throw refuse.tooLarge();
        await this.receiver.receive({ to, raw });
      });
      answers.push(answer ?? '2.0.0 The message is stored');
    }
    return answers;
  }

  /** Null for a success. An error of this server makes the mail server try again. */
  private async answerOf(act: () => Promise<void>): Promise<Answer | null> {
    try {
      await act();
      return null;
    } catch (error) {
      if (!(error instanceof RefusedMail)) {
        this.kernel.options.log.error({ err: error }, 'a mail could not be taken; the mail server tries again');
      }
      const { code, reason } = error instanceof RefusedMail ? error : refuse.trouble();
      return Object.assign(new Error(reason.replace(/[\r\n]+/g, ' ')), { responseCode: code });
    }
  }
}

/** The bytes of a mail. Null if they are too many: the rest is read and dropped, as the protocol wants. */
async function contentOf(stream: SMTPServerDataStream): Promise<Buffer | null> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size <= MAX_MAIL_BYTES) chunks.push(chunk);
    else chunks.length = 0;
  }
  return size > MAX_MAIL_BYTES ? null : Buffer.concat(chunks);
}
