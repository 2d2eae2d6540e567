import { once } from 'node:events';
import type { AddressInfo, Server, Socket } from 'node:net';
import { connect, createServer } from 'node:net';

/** A message that sets a prepared statement going: to the unnamed portal, of the statement of that name. */
const sets = (name: string) => {
  const named = Buffer.from(`\0${name}\0`);
  return (message: Buffer) => message[0] === 'B'.charCodeAt(0) && message.includes(named);
};
const isCommit = sets('lane-commit');
const isBegin = sets('lane-begin');
const isInsert = sets('lane-insert');
/** The last message of a lane in a batch: PostgreSQL answers when it reaches it. */
const isSync = (message: Buffer) => message[0] === 'S'.charCodeAt(0);
/** The end of an answer: ready for the next query. */
const ANSWERED = Buffer.from('Z\0\0\0\x05');

/** A statement, or a whole batch, that the proxy holds: PostgreSQL has received everything before it, and nothing more. */
export class HeldCommit {
  private readonly messages: Buffer[] = [];
  private readonly whole: Promise<void>;
  private onWhole: () => void = () => undefined;
  private onAnswer: (() => void) | null = null;
  private answers = Buffer.alloc(0);

  constructor(
    private readonly lane: Socket,
    private readonly server: Socket,
    private readonly release: () => void,
  ) {
    this.whole = new Promise((resolve) => (this.onWhole = resolve));
  }

  /** Forwards it. Resolves when PostgreSQL has answered; the answer is dropped. */
  async reach(): Promise<void> {
    const answered = new Promise<void>((resolve) => (this.onAnswer = resolve));
    await this.whole;
    this.server.write(Buffer.concat(this.messages));
    await answered;
  }

  /** Lets it through, and all that follows, as if nothing had been. */
  pass(): void {
    this.release();
    this.server.write(Buffer.concat(this.messages));
  }

  /** Breaks the connection of the sender. PostgreSQL does not notice before the fault is over. */
  cut(): void {
    this.lane.destroy();
  }

  /** For the proxy: the held message, and what follows. */
  hold(message: Buffer): void {
    this.messages.push(message);
    if (isSync(message)) this.onWhole();
  }

  /** For the proxy. */
  answered(bytes: Buffer): void {
    if (!this.onAnswer) {
      this.lane.write(bytes);
      return;
    }
    this.answers = Buffer.concat([this.answers, bytes]);
    if (this.answers.includes(ANSWERED)) this.onAnswer();
  }
}

type Fault = (held: HeldCommit) => Promise<void> | void;

/** What happens at a message of a lane, or of any connection. */
interface Armed {
  readonly meets: (message: Buffer) => boolean;
  readonly isOfLane: boolean;
  readonly happen: Fault;
}

/** A proxy of PostgreSQL that can drop or delay what a process sends, or the answer. */
export class PostgresProxy {
  private readonly sockets = new Set<Socket>();
  private fault: Armed | null = null;

  private constructor(
    private readonly listener: Server,
    private readonly target: URL,
  ) {}

  static async open(databaseUrl: string): Promise<PostgresProxy> {
    const server = createServer((client) => proxy.join(client));
    const proxy = new PostgresProxy(server, new URL(databaseUrl));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return proxy;
  }

  /** The database behind it. */
  get url(): string {
    const url = new URL(this.target);
    url.hostname = '127.0.0.1';
    url.port = String((this.listener.address() as AddressInfo).port);
    return url.href;
  }

  /** Does this with the next COMMIT of a lane. Resolves when it is done; then the connection has ended on both sides. */
  atNextCommit(fault: Fault): Promise<void> {
    return this.at(isCommit, fault);
  }

  /** The same with its next write and all that follows. After a read PostgreSQL waits for it, and holds the heads. */
  atNextWrite(fault: Fault): Promise<void> {
    return this.at(isInsert, fault);
  }

  /** The same with all that a lane sends from its next BEGIN on. */
  atNextBegin(fault: Fault): Promise<void> {
    return this.at(isBegin, fault);
  }

  /** The same with the next statement of that name, of any connection. */
  atNextStatement(name: string, fault: Fault): Promise<void> {
    return this.at(sets(name), fault, false);
  }

  async close(): Promise<void> {
    const closed = once(this.listener, 'close');
    this.listener.close();
    for (const socket of this.sockets) socket.destroy();
    await closed;
  }

  private at(meets: (message: Buffer) => boolean, fault: Fault, isOfLane = true): Promise<void> {
    return new Promise((resolve) => {
      const happen = (held: HeldCommit) => {
        const done = Promise.resolve(fault(held));
        resolve(done);
        return done;
      };
      this.fault = { meets, isOfLane, happen };
    });
  }

  private join(client: Socket): void {
    const server = connect(Number(this.target.port), this.target.hostname);
    let held: HeldCommit | null = null;
    const end = () => {
      client.destroy();
      server.destroy();
    };
    for (const socket of [client, server]) {
      socket.setNoDelay(true);
      this.sockets.add(socket);
      socket.on('error', () => socket.destroy());
      socket.on('close', () => {
        this.sockets.delete(socket);
        if (!held) end();
      });
    }
    server.on('data', (bytes) => (held ? held.answered(bytes) : client.write(bytes)));
    const read = messages((message, isLane) => {
      const { fault } = this;
      if (held) {
        held.hold(message);
        return;
      }
      if (!fault?.meets(message) || (fault.isOfLane && !isLane)) {
        server.write(message);
        return;
      }
      this.fault = null;
      held = new HeldCommit(client, server, () => (held = null));
      held.hold(message);
      const over = () => held && end();
      void Promise.resolve(fault.happen(held)).then(over, over);
    });
    client.on('data', read);
  }
}

/** Splits the stream of a client into messages; the first one, without a type, identifies the client. */
function messages(onMessage: (message: Buffer, isLane: boolean) => void): (bytes: Buffer) => void {
  let rest = Buffer.alloc(0);
  let isLane: boolean | null = null;
  return (bytes) => {
    rest = Buffer.concat([rest, bytes]);
    for (;;) {
      const kind = isLane === null ? 0 : 1;
      if (rest.length < kind + 4) return;
      const end = kind + rest.readInt32BE(kind);
      if (rest.length < end) return;
      const message = rest.subarray(0, end);
      rest = rest.subarray(end);
      isLane ??= message.includes('annals-lane');
      onMessage(message, isLane);
    }
  };
}
