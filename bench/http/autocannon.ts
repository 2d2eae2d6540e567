import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { LOCAL_EMAIL, LOCAL_KEY } from './local-key';

export interface HttpLoad {
  readonly address: string;
  readonly path: string;
  /** Left out for a GET. */
  readonly form?: Readonly<Record<string, string>>;
  readonly connections: number;
  readonly seconds: number;
  /** False if the caller has warmed up before. */
  readonly warmUp?: boolean;
}

/** The number of answers, requests per second, and the time of an answer in ms. */
export interface Answered {
  readonly count: number;
  readonly rate: number;
  readonly p50: number;
  readonly p99: number;
}

interface Result {
  readonly duration: number;
  readonly '2xx': number;
  readonly non2xx: number;
  readonly errors: number;
  readonly latency: { readonly p50: number; readonly p99: number };
}

const WARM_UP_SECONDS = 2;
const SAMPLE_MS = 100;

/**
 * Sends one request again and again over some connections, from a process of its own, after a warm-up.
 *
 * @throws Error when any answer was not a success
 */
export async function httpLoad({
  address,
  path,
  form,
  connections,
  seconds,
  warmUp = true,
}: HttpLoad): Promise<Answered> {
  const authorization = Buffer.from(`${LOCAL_EMAIL}:${LOCAL_KEY}`).toString('base64');
  const args = ['-j', '-n', '-m', form ? 'POST' : 'GET', '-c', connections, '-d', seconds, '-L', SAMPLE_MS];
  const before = warmUp ? ['-W', '[', '-c', connections, '-d', Math.min(WARM_UP_SECONDS, seconds), ']'] : [];
  const headers = [
    ...['-H', `authorization:Basic ${authorization}`],
    ...['-H', 'content-type:application/x-www-form-urlencoded'],
    ...['-H', 'user-agent:ZulipMobile'],
  ];
  const body = form ? ['-b', new URLSearchParams(form).toString()] : [];
  const program = require.resolve('autocannon/autocannon.js');
  const { PORT: _, ...env } = process.env; // it would be taken for the server's
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [program, ...args, ...before, ...headers, ...body, `${address}${path}`].map(String),
    { env },
  );
  const result = JSON.parse(stdout.trimEnd().split('\n').at(-1) ?? '') as Result;
  if (result.non2xx > 0 || result.errors > 0 || result['2xx'] === 0) {
    throw new Error(
      `${path}: ${result['2xx']} answers, ${result.non2xx} refusals, ${result.errors} broken connections`,
    );
  }
  const count = result['2xx'];
  return { count, rate: count / result.duration, p50: result.latency.p50, p99: result.latency.p99 };
}
