import type { NatsConnection, NodeConnectionOptions } from '@nats-io/transport-node';
import type { JetStreamClient } from '@nats-io/jetstream';
import type { SinkCredential } from '../../../application/sink/sink-credentials';
import { certificatesOf } from '../../../application/sink/sink-credentials';
import type { SinkServer, SinkTarget } from '../../../domain/sink/sink-target';
import { addressOf, sinkServer } from '../../../domain/sink/sink-target';
import type { ConsumerEvent } from '../../../read/reading/cloud-event';
import type { NatsMessage } from '../bindings/nats-binding';
import { natsMessage } from '../bindings/nats-binding';
import { runsOfDistinctKeys } from '../splitting';
import type { ConnectSink, SinkAccess, SinkConnection } from './engine';
import { BatchTime, SinkFault, faultOf } from './engine';

/** How long a connection may take to be made, and an answer to come. */
const PATIENCE_MS = 5_000;
/** The code of JetStream for a stream that does not exist. */
const NO_SUCH_STREAM = 10_059;

/** The client library is large, so it is loaded only when there is a sink of this kind. */
const library = async () => ({ ...(await import('@nats-io/transport-node')), ...(await import('@nats-io/jetstream')) });
type Library = Awaited<ReturnType<typeof library>>;

/** NATS JetStream. The stream must exist, and take the subjects of the events. */
export const connectNats: ConnectSink = async (access) => {
  const nats = await library();
  const connection = await firstConnection(nats, access);
  try {
    const manager = await nats.jetstreamManager(connection, { timeout: PATIENCE_MS, checkAPI: false });
    await manager.streams.info(access.target.stream);
    return new NatsSink(nats, connection, nats.jetstream(connection, { timeout: PATIENCE_MS }), access.target);
  } catch (error) {
    await connection.close();
    const isMissing = error instanceof nats.JetStreamApiError && error.code === NO_SUCH_STREAM;
    if (isMissing) throw new SinkFault(`NATS has no stream named ${access.target.stream}`);
    throw faultOf(error, 'NATS cannot be asked for the stream');
  }
};

/** To the first server that can be reached. Connections go to checked addresses only, and to no server that another one names. */
async function firstConnection(nats: Library, access: SinkAccess): Promise<NatsConnection> {
  const time = new BatchTime();
  let fault: unknown;
  for (const written of access.target.servers) {
    const server = sinkServer('nats', written);
    if (!server) continue;
    try {
      for (const address of await access.addressesOf(server.host, server.isEncrypted)) {
        time.ensureLeft();
        return await nats.connect(optionsFor(nats, server, address, access.credential));
      }
    } catch (error) {
      fault = faultOf(error, `NATS at ${addressOf(server)} cannot be reached`);
    }
  }
  throw faultOf(fault, 'NATS cannot be reached');
}

function optionsFor(
  nats: Library,
  server: SinkServer,
  address: string,
  credential: SinkCredential | null,
): NodeConnectionOptions {
  const { username, password, token, creds } = credential ?? {};
  // Certificates are for the name, and not for the address that is connected to.
  const tls = { servername: server.host, ...certificatesOf(credential) };
  return {
    servers: addressOf({ host: address, port: server.port }),
    name: 'annals',
    timeout: PATIENCE_MS,
    reconnect: false,
    ignoreClusterUpdates: true,
    ...(username === undefined ? {} : { user: username }),
    ...(password === undefined ? {} : { pass: password }),
    ...(token === undefined ? {} : { token }),
    ...(creds === undefined ? {} : { authenticator: nats.credsAuthenticator(Buffer.from(creds)) }),
    ...(server.isEncrypted ? { tls } : {}),
  };
}

class NatsSink implements SinkConnection {
  constructor(
    private readonly nats: Library,
    private readonly connection: NatsConnection,
    private readonly stream: JetStreamClient,
    private readonly target: SinkTarget,
  ) {}

  get isOpen(): boolean {
    return !this.connection.isClosed();
  }

  async store(events: readonly ConsumerEvent[]): Promise<void> {
    const time = new BatchTime();
    for (const run of runsOfDistinctKeys(events)) {
      time.ensureLeft();
      const publishing = run.map((event) => this.publish(natsMessage(event, this.target.subjectPrefix)));
      const [failed] = (await Promise.allSettled(publishing)).filter((one) => one.status === 'rejected');
      if (failed) throw faultOf(failed.reason, 'NATS did not store an event');
    }
  }

  close(): Promise<void> {
    return this.connection.close();
  }

  private async publish({ subject, messageId, headers: list, payload }: NatsMessage): Promise<void> {
    const headers = this.nats.headers();
    for (const [name, value] of list) headers.append(name, value);
    try {
      const options = { msgID: messageId, headers, expect: { streamName: this.target.stream }, timeout: PATIENCE_MS };
      await this.stream.publish(subject, payload, options);
    } catch (error) {
      // Nobody answers for a subject that no stream takes. The client library takes it for a server without JetStream.
      const cause = error instanceof Error ? error.cause : undefined;
      if (!(cause instanceof this.nats.RequestError && cause.isNoResponders())) throw error;
      throw new SinkFault(`The stream ${this.target.stream} of NATS does not take the subject ${subject}`);
    }
  }
}
