import type { LogLevel } from './log-level';
import type { LoggerService } from '@nestjs/common';
import type { DestinationStream, Logger } from 'pino';
import { pino } from 'pino';
import { LinesTogether } from './lines-together';

/** Messages of Nest about its own start. */
const CHATTER: ReadonlySet<string> = new Set(['InstanceLoader', 'RouterExplorer', 'RoutesResolver']);

/**
 * Writes every log of the process as JSON lines, also that of Nest's `Logger`: `log.log('text')` or `log.log({ msg:
 * 'text', realm: 2 })`. Never pass a header, a key or the text of a message to it.
 */
export class JsonLog implements LoggerService {
  private readonly pino: Logger;
  private readonly byContext = new Map<string, Logger>();

  /** @param destination of the lines. Standard output when left out */
  constructor(level: LogLevel | 'silent', destination?: DestinationStream) {
    const options = { level, base: null, serializers: { err: describe } };
    this.pino = pino(options, destination ?? standardOutput());
  }

  log(message: unknown, ...rest: unknown[]): void {
    const context = contextOf(rest);
    this.write(CHATTER.has(context ?? '') ? 'debug' : 'info', message, context);
  }

  error(message: unknown, ...rest: unknown[]): void {
    this.write('error', message, contextOf(rest), rest.length > 1 ? rest[0] : undefined);
  }

  warn(message: unknown, ...rest: unknown[]): void {
    this.write('warn', message, contextOf(rest));
  }

  debug(message: unknown, ...rest: unknown[]): void {
    this.write('debug', message, contextOf(rest));
  }

  verbose(message: unknown, ...rest: unknown[]): void {
    this.write('trace', message, contextOf(rest));
  }

  fatal(message: unknown, ...rest: unknown[]): void {
    this.write('fatal', message, contextOf(rest));
  }

  private write(level: LogLevel, message: unknown, context = '', stack?: unknown): void {
    const log = this.of(context);
    if (message instanceof Error) log[level]({ err: message }, message.message);
    else if (typeof message === 'object' && message !== null) log[level](message);
    else if (stack !== undefined) log[level]({ stack }, String(message));
    else log[level](String(message));
  }

  /** A logger that writes the name of its place on every line. There is one for each place. */
  private of(context: string): Logger {
    const known = this.byContext.get(context);
    if (known) return known;
    const log = context === '' ? this.pino : this.pino.child({ context });
    this.byContext.set(context, log);
    return log;
  }
}

function standardOutput(): DestinationStream {
  const output = pino.destination({ dest: 1, sync: false });
  const lines = new LinesTogether((text) => output.write(text));
  process.on('exit', () => {
    lines.flush();
    output.flushSync();
  });
  return lines;
}

/** Nest passes the name of the logging place as the last argument. */
function contextOf(rest: readonly unknown[]): string | undefined {
  const last = rest.at(-1);
  return typeof last === 'string' ? last : undefined;
}

/** An error without its own fields: drivers put the query and its parameters in them. */
function describe(error: unknown): object {
  if (!(error instanceof Error)) return { message: String(error) };
  const { name, message, stack, code, cause } = error as Error & { code?: unknown };
  return {
    name,
    message,
    stack,
    ...(typeof code === 'string' && { code }),
    ...(cause !== undefined && { cause: describe(cause) }),
  };
}
